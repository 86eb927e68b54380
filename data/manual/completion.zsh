local -a list
local command=${words[2]} first=2
if (( CURRENT == 2 )); then
    list=(${(f)rows[.]})
    _describe command list
    return
elif [[ -n ${rows[$command]} ]]; then
    if (( CURRENT == 3 )); then
        list=(${(f)rows[$command]})
        _describe command list
        return
    fi
    command=$command-${words[3]} first=3
fi
words=(berth ${words[first + 1,-1]})
(( CURRENT -= first - 1 ))
list=(${(f)specs[$command]})
_arguments $list '*:file:_files'
