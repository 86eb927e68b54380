function __berth_needs
    set -l words (commandline -opc)
    set -e words[1]
    test "$words" = "$argv"
end
function __berth_has
    set -l words (commandline -opc)
    set -e words[1]
    set -l count (count $argv)
    test (count $words) -ge $count
    and test "$words[1..$count]" = "$argv"
end
