_berth() {
    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}
    local command=berth at=1 words
    while [[ $at -lt $COMP_CWORD && ${_berth_words["$command ${COMP_WORDS[at]}"]} ]]; do
        command="$command ${COMP_WORDS[at]}" at=$((at + 1))
    done
    words=${_berth_values["$command $last"]-${_berth_words[$command]}}
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _berth berth
