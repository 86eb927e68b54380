#!/bin/sh
# Help, versions, and what the command line refuses before it looks at any file.
. tests/cli/lib.sh

# Of each command: a help, the same however it is asked for, whose lines fit a terminal, and of a command with many options
# one screen of the usual ones; and, in golden/options.txt, which commands have which options, and the defaults that are a
# number or a word.
"$BERTH" manual --list >commands
for group in lib prep eval model; do echo $group; done >>commands
# fits: the lines of stdout.
fits() { ! LC_ALL=C.UTF-8 grep '.\{101\}' stdout; }
# options_of FILE: how many options a help lists, but for help itself.
options_of() { grep '^  \(-[a-z], \)\{0,1\}--[a-z]' "$1" | grep -c -v -e '--help'; }
# is_usual COMMAND: -h is one screen, of what --help_all lists, where that is more than 16 options, and all of it where not.
is_usual() {
    if [ "$(options_of all)" -le 16 ]; then
        same usual all
    else
        [ "$(wc -l <usual)" -le 32 ] && [ "$(options_of usual)" -ge 8 ] &&
            [ "$(tail -n 1 usual)" = "berth $1 --help_all lists all $(options_of all) options" ] &&
            sed -n 's/^  \(-[a-z], \)\{0,1\}--\([a-z][a-z0-9_]*\).*/\2/p' usual | while read -r option; do
                grep -q -e "^  \(-[a-z], \)\{0,1\}--$option\( \|\$\)" all || exit 1
            done
    fi
}
while read -r command; do
    # The words of $command are arguments.
    # shellcheck disable=SC2086
    {
        run "$BERTH" $command -h
        cp stdout usual
        check "berth $command -h" all exited 0 -- silent -- grep -q "^Usage: berth $command" stdout -- fits
        run "$BERTH" $command --help_all
        cp stdout all
        check "berth $command --help_all" all exited 0 -- silent -- grep -q "^Usage: berth $command" stdout -- fits
        run "$BERTH" help $command
        check "berth help $command" all exited 0 -- silent -- same stdout usual
        run "$BERTH" $command --help_advanced
        check "berth $command --help_advanced, as in AutoDock Vina" all exited 0 -- silent -- same stdout all
    }
    grep -q '^  -h, --help' all || continue
    check "berth $command -h has what is used most" is_usual "$command"
    run sh -c '"$0" $1 --unknown --help' "$BERTH" "$command"
    check "berth $command: --help wins over mistakes" all exited 0 -- same stdout usual
    run sh -c '"$0" $1 --unknown --help_all' "$BERTH" "$command"
    check 'and so does --help_all' all exited 0 -- same stdout all
    awk -v command="$(echo "$command" | tr ' ' _)" '
        function tell() { gsub(/ +/, " ", text); if (name) print name, (match(text, /default [^ ,;)]+\)/) ? substr(text, RSTART + 8, RLENGTH - 9) : "-"), command }
        /^  (-[a-z], )?--[a-z]/ { tell(); name = $0; sub(/^  (-[a-z], )?--/, "", name); sub(/ .*/, "", name); text = "" }
        { text = text " " $0 }
        END { tell() }' all >>options
done <commands
LC_ALL=C sort options | awk '$1 " " $2 == last { printf " %s", $3; next } { printf "%s%s %s: %s", (NR > 1 ? "\n" : ""), $1, $2, $3; last = $1 " " $2 } END { print "" }' >table
golden options.txt table
run "$BERTH" -h
cp stdout help
check 'berth -h' all exited 0 -- silent -- sh -c 'grep -v " " commands | grep -v -x -e lib -e prep -e eval -e model |
    while read -r name; do grep -q "^  $name " help || exit 1; done'
run "$BERTH" --help
check 'berth --help is the same' all exited 0 -- same stdout help
run "$BERTH" --help_all
check 'and berth --help_all' all exited 0 -- same stdout help
check 'it is one screen' all fits -- [ "$(wc -l <help)" -le 40 ]
run "$BERTH" help
check 'berth help' all exited 0 -- silent -- same stdout help
run "$BERTH" dock -h
for option in receptor ligand ligand_id center_x center_z size_x size_z autobox_ligand search num_modes seed out scores device \
    cpu; do
    grep -q -e "--$option " stdout || echo $option
done >missing
check 'berth dock -h names what first users look for' diff missing /dev/null
run "$BERTH" help dokc
check 'berth help dokc' all exited 1 -- holds stderr dokc
# first_said NAME: what is wrong, without the help that follows.
first_said() { sed -i '2,$d' stderr && said "$1"; }
# vina OPTION: what berth dock says to an option of AutoDock Vina.
vina() {
    run "$BERTH" dock --receptor r.mol2 --ligand l.mol2 --out p.sdf "$1"
    check "berth dock $1" all exited 1 -- holds stderr "${1%%=*}" -- first_said "$1"
}
for option in score_only local_only flex maps cnn_scoring write_maps dir randomize_only minimize gpu no_gpu lfile nrun \
    devnum gpu_batch search_mode batch=x.pdbqt num_mode=3 force overwrite; do
    vina --$option
done
for command in screen campaign 'prep ligands' 'prep receptor'; do
    # shellcheck disable=SC2086 # words
    run "$BERTH" $command --force
    check "berth $command --force" all exited 1 -- holds stderr --overwrite
done
# What prep has, and these have not: who has it is said.
for case in dock:keep_waters:receptor dock:conformers:ligands screen:waters:receptor score:keep_waters:receptor; do
    option=${case#*:}
    run "$BERTH" "${case%%:*}" "--${option%:*}" A:301
    check "berth ${case%%:*} --${option%:*}: prep ${case##*:} has it" all exited 1 -- holds stderr "\`berth prep ${case##*:}\` has it"
done
run "$BERTH" screen --receptor r.mol2 --ligand l.mol2 --out s
check 'berth screen --ligand: what to type' all exited 1 -- first_said 'screen --ligand'
run "$BERTH" dock --scoring vina -r demo/1hpv_receptor.mol2 -l demo/1hpv_ligand.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
    -o=vina.sdf --cpu 1 --scores - --poses 16 --generations 2
check 'berth dock -r -l -o' all exited 0 -- silent -- [ -s vina.sdf ]
# A file of AutoDock Vina's options, as its manual has it, with what smina and gnina add.
cat >vina.txt <<END
receptor = demo/1hpv_receptor.mol2
ligand = demo/1hpv_ligand.mol2
out = from_vina.sdf
log = from_vina.log
center_x = 9.92   # Å
center_y = 16.231
center_z = 8.825
size_x = 12
size_y = 12
size_z = 16

exhaustiveness = 1
num_modes = 3
energy_range = 4
seed = 42
cpu = 0
min_rmsd = 1
verbosity = 2
spacing = 0.5
score_only = false
no_refine = 0
max_evals = 0
weight_gauss1 = -0.035579
weight_repulsion = 0.84024500000000002
weight_ad4_vdw = 0.1662
weight_ad4_rot = 0.2983
weight_glue = 50
force_even_voxels = false
cnn_scoring = none
autobox_extend = true
addH = on
END
run "$BERTH" dock --config vina.txt --scoring vina --generations 2 --quiet
check 'a file of options of Vina runs as it is' all exited 0 -- [ -s from_vina.sdf ] -- [ ! -e from_vina.log ] -- \
    said 'options of Vina'
echo 'weight_gauss1 = -0.04' >>vina.txt
sed '/^weight_gauss1 = -0.035579/d' vina.txt >other.txt
run "$BERTH" dock --config other.txt
check 'but not with other weights, whose line is named' all exited 1 -- \
    said 'other weights' weight_gauss1
sed -e '/^weight_gauss1/d' -e 's/^ligand/library/' -e 's/^out = .*/out = from_vina/' vina.txt >screen.txt
run "$BERTH" screen --config screen.txt --scoring vina --generations 2
check 'a screen takes it, too' all exited 0 -- [ -s from_vina/hits.sdf ] -- \
    said 'a screen' --energy_range
sed '/^weight_gauss1/d' vina.txt >score.txt
cp from_vina.sdf kept.sdf
run "$BERTH" score --config score.txt
check 'berth score, which would write a table over the poses, refuses it' all exited 1 -- same kept.sdf from_vina.sdf -- \
    said 'a table over poses' from_vina.sdf
run "$BERTH" score --config score.txt --out from_vina.csv
check 'and takes it with a name of its own' all exited 0 -- lines from_vina.csv 2 -- \
    said 'a score' --exhaustiveness
for cpu in 1 2; do
    run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --cpu $cpu --out $cpu.csv
    check "berth score --cpu $cpu" all exited 0 -- silent -- lines $cpu.csv 2
done
check 'the results are the same' same 1.csv 2.csv
for group in lib prep; do
    run "$BERTH" $group
    check "berth $group alone is a usage error" all exited 1 -- stdout_is_empty -- grep -q "^Usage: berth $group" stderr
done
for near in 'dok dock' 'interaction interactions' 'screens screen'; do
    run "$BERTH" "${near% *}"
    check "what is nearly ${near#* }" all exited 1 -- [ "$(head -n 1 stderr | sed 's/.* //')" = "${near#* }?" ]
done
first_said 'nearly a command'
run "$BERTH" lib list
check 'an unknown command of lib' all exited 1 -- stdout_is_empty -- \
    holds stderr 'lib list'

run "$BERTH" --version
check 'berth --version' all exited 0 -- silent -- grep -q '^berth 0\.2\.0\( ([0-9a-f]*)\)\{0,1\}$' stdout
# Of a clone that is of no release's it names the commit.
if [ -e "$root/.git" ] && git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1 &&
    ! git -C "$root" describe --tags --exact-match >/dev/null 2>&1; then
    check 'which of a clone names the commit' git -C "$root" cat-file -e "$(sed 's/.*(//; s/)$//' stdout)^{commit}"
fi

run "$BERTH"
check 'berth alone is a usage error' all exited 1 -- stdout_is_empty -- same stderr help
run "$BERTH" dokc
sed 1d stderr >rest
check 'an unknown command' all exited 1 -- stdout_is_empty -- same rest help -- first_said 'no command'

# usage NAME ARGUMENTS...: exit code 1, what is wrong, and where to read on.
usage() {
    usage_name=$1
    shift
    run "$BERTH" "$@"
    check "$usage_name" all exited 1 -- stdout_is_empty -- holds stderr "\`berth $1 -h\`" -- first_said "$usage_name"
}

usage 'dock without options' dock
run "$BERTH" score
check 'score without options' all exited 1 -- holds stderr '--receptor, --out'
usage 'an unknown option' dock --zzz 3
usage 'a slip' dock --recptor x
usage 'an option given twice' dock --seed 1 --seed 2
usage 'a list given twice' show --names a --names b
usage 'residues given twice' dock --drop SO4 --drop GOL
usage 'ligands given twice' dock --ligand a.sdf --ligand b.sdf
usage 'a value that is missing' dock --receptor --out x.sdf
usage 'a positional argument' score x.mol2
usage 'a number that is none' dock --seed abc
usage 'a negative seed' dock --seed -1
usage 'NaN as a coordinate' dock --center_x nan
usage 'no poses' dock --poses 0
usage 'too many parents' dock --parents 257
usage 'too many repeats' bench --repeats 100001
usage 'a flag that is neither' dock --separate=maybe
usage 'a command that takes no options' devices --all

echo 'receptor = a.mol2
# a comment
lignad = b.mol2' >config
usage 'a slip in a config file' dock --config config
echo 'receptor' >config
usage 'a config line without =' dock --config config
run "$BERTH" dock --config nowhere
check 'a config file that is missing' all exited 1 -- holds stderr ' nowhere: '

run "$BERTH" devices
check 'berth devices' all exited 0 -- silent -- awk '
    NR % 3 == 1 { if ($0 !~ /^[* ] [0-9]+  (CPU|GPU|other) +[^ ]/) bad = 1; stars += /^\*/
                  if (substr($0, 3, 1) != (NR - 1) / 3) bad = 1 }
    NR % 3 == 2 && !/^           platform .+, driver .+/ { bad = 1 }
    NR % 3 == 0 && !/^           [0-9]+ compute units at [0-9]+ MHz, [0-9.]+ GiB memory, float vectors of [0-9]+$/ { bad = 1 }
    END { exit bad || NR < 3 || NR % 3 || stars != 1 }' stdout
run env POCL_DEVICES='pthread pthread' "$BERTH" devices
check 'berth devices counts from 0' grep -q '^. 1  ' stdout

run sh -c '"$1" --help >/dev/full' sh "$BERTH"
check 'standard output that cannot be written' all exited 1 -- \
    said 'standard output'
finish
