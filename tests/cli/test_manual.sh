#!/bin/sh
# Manual pages and completions: of every command, with every option, as man and shells want them.
. tests/cli/lib.sh

"$BERTH" manual --list >names
"$BERTH" -h | sed -n 's/^  \([a-z-]*\) .*/\1/p' >known
check 'berth manual --list has all commands' sh -c 'grep -v " " names | cmp - known'
check 'and those of the groups' all holds names 'prep ligands' -- holds names 'lib merge' -- holds names 'eval redock'

# page_of NAME: its page, in page.1, and what --help_all says of it, in help; "" is berth itself.
page_of() {
    # The words of a name are arguments.
    # shellcheck disable=SC2086
    "$BERTH" manual --troff $1 >page.1 && "$BERTH" $1 --help_all >help
}

# Each option that the help has, too.
lacks() {
    sed -n 's/^  \(-[a-z], \)*--\([a-z][a-z0-9_]*\).*/\2/p' help | while read -r option; do
        grep -q -e "^\\\\fB.*\\\\-\\\\-$option\\\\fR" page.1 || echo "$option"
    done
}

echo >>names # berth's own page
: >faults
while read -r name; do
    page_of "$name" || echo "$name: no page" >>faults
    lacks >missing
    [ ! -s missing ] || sed "s/^/$name lacks /" missing >>faults
    for section in NAME SYNOPSIS '"EXIT STATUS"' '"SEE ALSO"'; do
        holds page.1 ".SH $section" || echo "$name: no $section" >>faults
    done
    # Pages that are named must be there.
    sed -n '/SEE ALSO/,$s/^\\fBberth\(.*\)\\fR(1),*$/\1/p' page.1 | sed 's/\\-/-/g; s/^-//' |
        while read -r other; do
            tr ' ' - <names | grep -q -x -e "$other" || echo "$name: no page $other" >>faults
        done
    if command -v mandoc >/dev/null; then
        mandoc -T lint page.1 >lint 2>&1 || cat lint >>faults
        [ ! -s lint ] || sed "s/^/$name: /" lint >>faults
    fi
done <names
check 'every page has its sections and options, and leads to pages that are there' diff faults /dev/null
if command -v mandoc >/dev/null; then
    ok 'mandoc -T lint has nothing to say of them'
    "$BERTH" manual --troff dock | mandoc -T ascii | sed 's/.\x08//g' >text
    check 'berth-dock.1 reads well' all holds text 'EXAMPLES' -- holds text 'berth dock --receptor site.brec' -- \
        holds text 'finished, but some molecules failed'
else
    skip 'mandoc -T lint' 'mandoc is not installed'
fi
# What people read without man.
: >faults
while read -r name; do
    # shellcheck disable=SC2086
    { "$BERTH" manual $name >page && "$BERTH" $name --help_all >help; } || echo "$name: no page" >>faults
    [ "$(grep -F -x -c -f help page)" -ge "$(grep -c . help)" ] || echo "$name lacks what --help_all says" >>faults
    holds page 'EXIT STATUS:' || echo "$name: no exit status" >>faults
    ! grep -n -e '^\.[A-Z]' -e '\\[-fe&]' page >>faults
done <names
check 'without --troff a page is what --help_all prints and what follows, plain' diff faults /dev/null
run "$BERTH" manual prep receptor
check 'and reads well' all exited 0 -- [ "$(head -n 1 stdout)" = "berth prep receptor: $("$BERTH" prep -h | sed -n 's/^  receptor *//p')" ] -- \
    grep -q -x -e '  berth prep receptor protein.pdb --site scan --out pocket.brec' stdout -- \
    grep -q -x -e '  SITE_sites.csv' stdout -- grep -q -x -e '      the pockets that --site scan found' stdout
run "$BERTH" manual prep ligand
check 'no page of what is no command' all exited 1 -- stdout_is_empty
run "$BERTH" dock --help=manuel
check 'nor another form of help' all exited 1 -- stdout_is_empty

# What stands under EXAMPLES does run: tests/cli/test_docs.sh.

run "$BERTH" completion tcsh
check 'an unknown shell' all exited 1 -- stdout_is_empty -- said 'an unknown shell' tcsh
for shell in bash zsh fish; do
    run "$BERTH" completion $shell
    check "berth completion $shell" all exited 0 -- silent -- [ -s stdout ]
    cp stdout berth.$shell
    if command -v $shell >/dev/null; then
        run $shell -n berth.$shell
        check "$shell reads it" all exited 0 -- silent
    else
        skip "$shell reads it" "$shell is not installed"
    fi
done

# complete_bash WORD...: what bash offers for the last word.
complete_bash() {
    # The script is bash's.
    # shellcheck disable=SC2016
    bash --norc -c '. ./berth.bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _berth; echo "${COMPREPLY[*]}"' bash "$@"
}
holds_of() { # TEXT COMMAND...: it prints that
    wanted=$1
    shift
    "$@" >printed
    holds printed "$wanted"
}
offers() { # WORDS COMMAND...: it prints just that
    offered=$1
    shift
    "$@" >offered
    [ "$(cat offered)" = "$offered" ] || { cat offered; return 1; }
}
if command -v bash >/dev/null; then
    check 'bash completes commands' offers 'dock devices doctor' complete_bash berth d
    check 'of a group' offers 'ligands receptor' complete_bash berth prep ''
    check 'options' offers '--keep_protonation' complete_bash berth prep ligands --keep
    check 'of a program by its path' offers '--ligand --ligand_id --ligand_smiles' complete_bash build/berth dock --receptor x --lig
    check 'values' offers 'vina vinardo' complete_bash berth dock --scoring v
    check 'and leaves files to bash' offers '' complete_bash berth dock -r x
fi
if command -v zsh >/dev/null; then
    # complete_zsh CURRENT WORD...: what zsh's functions are told.
    # shellcheck disable=SC2016
    complete_zsh() {
        zsh -fc '_arguments() { print -rl -- "$@"; }; _describe() { print -rl -- ${(P)2}; }
            _berth() { source ./berth.zsh; }
            CURRENT=$1; shift; words=("$@"); _berth' zsh "$@"
    }
    check 'zsh completes commands' holds_of 'dock:dock ligands into a receptor' complete_zsh 2 berth d
    check 'of a group' holds_of 'ligands:molecules of any format' complete_zsh 3 berth prep ''
    check 'options with what they do, and values' holds_of ':value:(bude plp vina vinardo)' complete_zsh 3 berth dock --
else
    skip 'zsh completes' 'zsh is not installed'
fi
if command -v fish >/dev/null; then
    complete_fish() { HOME=$work fish --no-config -c "source berth.fish; complete -C '$1'" | cut -f 1 | tr '\n' ' '; }
    check 'fish completes commands' offers 'score screen ' complete_fish 'berth sc'
    check 'of a group' offers 'ligands ' complete_fish 'berth prep l'
    check 'options' offers '--keep_protonation ' complete_fish 'berth prep ligands --keep'
    check 'values' offers 'vina vinardo ' complete_fish 'berth dock --scoring v'
else
    skip 'fish completes' 'fish is not installed'
fi
finish
