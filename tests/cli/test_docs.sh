#!/bin/sh
# The documents: every command of README.md (in the slice documents also of docs/cookbook.md, docs/tutorial.md and the manual
# pages) runs, on small data and with a small search; links lead somewhere; docs/formats.md knows what is written; they stay short.
. tests/cli/lib.sh

# links FILE: "TARGET ANCHOR" of each; "-" where it has none.  What stands between backquotes is no link:
# SMILES may look like one.
links() {
    sed "/^    /d; s/\`[^\`]*\`//g" "$1" | grep -o "](\([^)]*\))" | sed "s/^](//; s/)\$//" | grep -v "^https*:" |
        awk -F '#' '{ print $1 == "" ? "-" : $1, $2 == "" ? "-" : $2 }'
}

# anchors FILE: of its headings, as GitHub makes them.
anchors() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -d -c 'a-z0-9_\n-'
}

# Prints each link of the file that leads nowhere.
dead_links() {
    links "$1" | while read -r file anchor; do
        target=$(dirname "$1")/$file
        [ "$file" != - ] || target=$1
        { [ -e "$target" ] && { [ "$anchor" = - ] || anchors "$target" | grep -q -x -e "$anchor"; }; } ||
            echo "$1: $file#$anchor"
    done
}

# commands FILE: those of berth, of submit.sh and of grep, which makes a file of names, in its blocks, one a line.
commands() {
    awk '/^```/ { fence = !fence; next }
        !fence && !/^    / { next }
        {
            sub(/^ +/, "")
            if (!more && !/^((build\/)?berth|tools\/slurm\/submit.sh|grep -o) /) next
            sub(/ +# .*/, "")
            more = sub(/\\$/, "")
            printf "%s%s", $0, more ? "" : "\n"
        }' "$1"
}

check 'README.md has at most 450 words' [ "$(wc -w <"$root/README.md")" -le 450 ]
check 'docs have at most 25,000 words' [ "$(cat "$root"/docs/*.md | wc -w)" -le 25000 ]
check 'CHANGELOG.md has at most 1,500' [ "$(wc -w <"$root/CHANGELOG.md")" -le 1500 ]
check 'bench/RESULTS.md has at most 300 lines' [ "$(wc -l <"$root/bench/RESULTS.md")" -le 300 ]
check 'CITATION.cff is of this version' holds "$root/CITATION.cff" "version: $("$BERTH" --version | cut -d ' ' -f 2)"
# The pictures are of today's page.
check 'docs/report.png and hit.png are fresh (else: sh tools/pictures.sh)' \
    [ "$(cd "$root" && sh tools/pictures.sh --sum)" = "$(cat "$root/docs/pictures.txt")" ]
documents=$(ls "$root"/README.md "$root"/CONTRIBUTING.md "$root"/CHANGELOG.md "$root"/bench/RESULTS.md "$root"/docs/*.md)
for document in $documents "$root"/bench/history/*.md; do
    dead_links "$document"
done >dead
check 'every link leads somewhere' same dead /dev/null
sed -n '/^## Layers/,/^Beside/s/^    \([a-z]*\)  .*/\1/p' "$root/docs/architecture.md" >layers
sed -n 's/^ *split("kernels \(.*\)", layers.*/\1/p' "$root/tools/check_layers.sh" | tr ' ' '\n' >ordered
check 'docs/architecture.md has the layers that are checked' all [ -s layers ] -- same layers ordered
# shellcheck disable=SC2086
check 'words that are not ours' sh -c '! grep -n -i -w -E "felt|journey|workplace|landscape|turns|manner" "$@"' \
    sh $documents
check 'what is in no document of this project is not referred to' \
    sh -c 'cd "$1" && ! grep -r -n "design[.]md" src kernels tests tools bench docs ./*.md' sh "$root"
run ${MAKE:-make} -n -C "$root" --no-print-directory install BUILD="$BUILD"
check 'make install installs them' all holds stdout share/doc/berth/docs -- holds stdout share/doc/berth/bench

"$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --poses 16 \
    --generations 2 --ligand demo/1hpv_ligand.mol2 --reference demo/1hpv_ligand.mol2 --out poses.sdf >stdout 2>stderr
grep -A 2 '^ mode ' stdout | sed 's/^/    /' >shown
check 'the head of the table is as README.md shows it' \
    awk 'BEGIN { seen = 0 } NR == FNR { line[n++] = $0; next } seen < n && $0 == line[seen] { seen++ }
        END { exit n != 3 || seen != n }' shown "$root/README.md"

if ! command -v obabel >/dev/null; then
    skip 'commands' 'obabel is not installed'
    finish
fi

# to_pdb FILE.mol2 RECORD: its heavy atoms as ATOM (chains A and B of the protein) or HETATM (LIG B:201).
to_pdb() {
    awk -v record="$2" '/^@<TRIPOS>/ { section = $1; next }
        section != "@<TRIPOS>ATOM" || $6 ~ /^H/ { next }
        {
            protein = record == "ATOM"
            residue = protein ? substr($8, 1, 3) : "LIG"
            number = protein ? ($7 > 99 ? $7 - 99 : $7) : 201
            element = $6
            sub(/\..*/, "", element)
            printf "%-6s%5d  %-3s %3s %s%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n", record,
                ++count, $2, residue, protein && $7 <= 99 ? "A" : "B", number, $3, $4, $5, element
        }' "$1"
}

# The files that the commands begin with, in a folder for each document.
prepare() {
    mkdir "$1" "$1/build" "$1/set" "$1/set/phenol"
    ln -s "$BERTH" "$1/build/berth"
    ln -s "$root/tools" "$1/tools"
    ln -s "$root/data" "$1/data"
    # A Slurm that takes every job; tests/cli/test_slurm.sh has a real one.
    printf '#!/bin/sh\necho 1\n' >"$1/build/sbatch"
    chmod +x "$1/build/sbatch"
    # A function of the user's, whose kernels other tests have compiled.
    sed 's/term hydrophobic/term grease/' "$root/data/scoring/vinardo.score" >"$1/lennard_jones.score"
    echo 'NCC(=O)NCC(=O)O diglycine' >"$1/peptides.smi"
    { # the cookbook has a ligand bonded to CYS A:67
        to_pdb demo/1hpv_receptor.mol2 ATOM | grep ' CYS A  67 '
        to_pdb pocket.mol2 ATOM
    } >"$1/protein.pdb"
    {
        cat "$1/protein.pdb"
        to_pdb demo/1hpv_ligand.mol2 HETATM
        echo 'HETATM 9000  O   HOH A 301       9.900  16.200  13.500  1.00 10.00           O'
    } >"$1/complex.pdb"
    sed 's/A 301 /A 302 /' "$1/complex.pdb" >"$1/complex2.pdb"
    { # the tutorial has the whole entry
        to_pdb demo/1hpv_receptor.mol2 ATOM
        to_pdb demo/1hpv_ligand.mol2 HETATM | sed 's/LIG B 201/478 B 200/'
    } >"$1/1hpv.pdb"
    printf '%s\n' 'CC(=O)Oc1ccccc1C(=O)O aspirin' 'CC(=O)Nc1ccc(O)cc1 paracetamol' \
        'CC(C)Cc1ccc(cc1)C(C)C(=O)O ibuprofen' >"$1/molecules.smi"
    echo 'CC(=O)Oc1ccccc1C(=O)O aspirin' >"$1/actives.smi"
    awk 'BEGIN { for (chain = "C"; length(chain) < 13; chain = chain "C") for (k = split("O N F Cl C=O C#N S CBr", ends, " "); k; k--)
        print chain ends[k], "m" ++count }' >"$1/many.smi"
    printf '%s\n' 'C=CC(=O)NCc1ccccc1 benzyl' 'C=CC(=O)N1CCOCC1 morpholine' >"$1/acrylamides.smi"
    echo aspirin >"$1/known.txt"
    obabel -ismi "$1/molecules.smi" -osdf 2>/dev/null |
        awk '{ print } /^M  END/ { print ">  <price>\n12\n" }' >"$1/molecules.sdf"
    printf 'pdb\tcenter_x\tcenter_y\tcenter_z\nphenol\t9.92\t16.23\t8.83\n' >"$1/set/sites.tsv"
    cp "$1/protein.pdb" "$1/set/phenol/receptor.pdb"
    fragment phenol | obabel -imol2 -osdf 2>/dev/null >"$1/set/phenol/crystal.sdf"
    printf '%s\n' 'poses = 16' 'generations = 2' 'refine = 2' 'hops = 1' >"$1/search.txt"
    printf '%s\n' 'rotation_spacing = 60' 'starts = 4' >"$1/protein.txt"
    printf '%s\n' 'conformers = 2' 'builder = fragments' >"$1/prep.txt"
    cat "$1/search.txt" "$1/prep.txt" >"$1/eval.txt"
    { cat "$1/search.txt"; printf '%s\n' 'receptor = site.brec' 'num_modes = 3'; } >"$1/dock.txt"
}

# small COMMAND: the same with a small search, or few conformers; what it says itself wins.
small() {
    case $1 in
    *' --config '*) echo "$1" ;;
    *' --protein '*) echo "$1 --config protein.txt" ;;
    *'berth dock '* | *'berth screen '* | *'berth campaign '*) echo "$1 --config search.txt" ;;
    *' --adducts '*) echo "$1" ;; # RDKit's alone
    *'berth prep ligands '*) echo "$1 --config prep.txt" ;;
    *'berth eval redock '*) echo "$1 --config eval.txt" ;;
    *) echo "$1" ;;
    esac
}

# run_all DOCUMENT FOLDER LEAST: all its commands, of which there are at least so many.
run_all() {
    prepare "$2"
    commands "$(cd "$root" && realpath -e "$1" 2>/dev/null || echo "$work/$1")" >"$2.commands"
    check "$1 has commands" [ "$(wc -l <"$2.commands")" -ge "$3" ]
    while read -r command; do
        run sh -c 'cd "$1" && PATH=$PWD/build:$PATH && eval "$2"' sh "$2" "$(small "$command")" </dev/null
        check "$1: $command" exited 0
    done <"$2.commands"
}

run_all README.md readme 1
# What the manual pages have under EXAMPLES, in an order in which files are there before they are read.
{
    for command in prep\ receptor prep\ ligands dock screen; do
        echo "$command"
    done
    "$BERTH" manual --list | grep -v -x -e 'prep receptor' -e 'prep ligands' -e dock -e screen
    echo
} | while read -r command; do
    # The words of a name are arguments.
    # shellcheck disable=SC2086
    "$BERTH" manual --troff $command | sed -n '/^\.SH EXAMPLES/,/^\.fi/s/^\([b#].*\)/    \1/p' | sed 's/\\-/-/g'
done | awk '!seen[$0]++' >examples.md
if in_slice documents 'the examples of the manual pages'; then
    run_all examples.md examples 25
fi
for command in $(run "$BERTH" -h; sed -n 's/^  \([a-z-]*\)  .*/\1/p' stdout); do
    holds "$root/docs/cookbook.md" "berth $command" || echo "$command"
done >unknown
check 'docs/cookbook.md knows all commands' same unknown /dev/null
slice documents 'the commands of docs/tutorial.md and docs/cookbook.md, and what docs/formats.md knows of their files'
run_all docs/tutorial.md tutorial 7
"$BERTH" prep receptor tutorial/1hpv.pdb --ligand_id 478 --out again.brec 2>&1 | grep -o 'site (.*' >site
check 'the site that docs/tutorial.md shows' all lines site 1 -- holds "$root/docs/tutorial.md" "$(cat site)"
check 'the files that it names' all [ -s tutorial/results/report.html ] -- [ -s tutorial/results/report.pml ] -- \
    lines tutorial/inhibitors.txt 10 -- [ "$(head -n 1 tutorial/order.csv)" = ligand,ranking,score,clash,input_smiles,smiles ]
run_all docs/cookbook.md cookbook 20

formats=$root/docs/formats.md
for table in enrichment/enrichment.csv enrichment/differences.csv enrichment/actives.csv enrichment/scaffolds.csv; do
    check "docs/evaluation.md knows the columns of $table" \
        holds "$root/docs/evaluation.md" "$(head -n 1 "cookbook/$table")"
done
for table in scores.csv results/scores.csv poses.failures.csv library.failures.csv results/failures.csv pocket_sites.csv minimised.csv dimer.csv; do
    head -n 1 "cookbook/$table" | tr ',' '\n' | while read -r column; do
        grep -q -w -e "$column" "$formats" || echo "$column"
    done >unknown
    check "docs/formats.md knows the columns of $table" all [ -s "cookbook/$table" ] -- same unknown /dev/null
done
(cd cookbook && sed -n 's/^>  <\(.*\)>.*/\1/p' poses.sdf minimised.sdf results/hits.sdf) | sort -u >tags
while read -r tag; do
    grep -q -e "\`$tag\`" "$formats" || echo "$tag"
done <tags >unknown
check 'docs/formats.md knows the tags of poses' all [ -s tags ] -- same unknown /dev/null
finish
