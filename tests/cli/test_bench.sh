#!/bin/sh
# berth bench: its data, the columns of its table, broken decks.
. tests/cli/lib.sh

# Where the time does not matter few poses do.
bench() { "$BERTH" bench --poses 2048 --repeats 1 --device 0 "$@"; }

columns=device,driver,poses,vector_width,ppwi,wgsize,variant,ms_median,ms_min,interactions_per_s
columns=$columns,valid,max_diff_pct

# The demo complex, which needs nothing.
run bench --csv demo.csv
check 'the demo complex: exit code 0, every energy is valid' all exited 0 -- silent -- \
    lines demo.csv 2 -- [ "$(head -n 1 demo.csv)" = "$columns" ] -- awk -F, '
    NR == 2 { if (NF != 12 || $3 != 2048 || $11 != "yes" || !($12 < 0.05)) exit 1 }' demo.csv
check 'the rate is poses x ligand atoms x receptor atoms / median' awk -F, '
    NR == 2 { rate = 2048 * 35 * 1516 / ($8 / 1000); if (!($8 >= $9 && $9 > 0)) exit 1
              if ($10 / rate > 1.001 || $10 / rate < 0.999) exit 1 }' demo.csv
check 'the table on the terminal' awk '
    NR == 1 && $0 != "deck of the demo complex: 1516 receptor atoms, 35 ligand atoms" { exit 1 }
    NR == 2 && $0 !~ /^device  *poses w x ppwi wgsize  *ms median  *ms min  interact\.\/s  valid max diff %$/ { exit 1 }
    NR == 3 && $0 !~ / 2048  *[0-9]+ x [0-9]+  *[0-9]+  *[0-9.]+  *[0-9.]+  *[0-9.e+]+  yes  *[0-9.]+$/ { exit 1 }
    END { exit NR != 3 }' stdout
run bench --csv -
check 'CSV alone on standard output' all exited 0 -- silent -- lines stdout 2
mkdir bin
cp "$BERTH" bin/berth
refused 'no demo data beside the program' bin/berth bench
refused 'an unknown tunable' bench --variant 'wgsize=1 ppi=2' --csv out/a
refused 'a folder that is not there' bench --data nowhere --csv out/a

good=$reference/minibude/bm1
if [ -z "$reference" ]; then
    skip 'the deck bm1' 'no reference data'
    finish
fi

run "$BERTH" bench --deck "$good" --repeats 1 --csv bench.csv
check 'the deck bm1: every energy is valid' all exited 0 -- silent -- awk -F, '
    NR > 1 { rows++; if (NF != 15 || $3 != 65536 || $11 != "yes" || !($12 < 0.05)) exit 1
             rate = 65536 * 26 * 938 / ($8 / 1000); if ($10 / rate > 1.001 || $10 / rate < 0.999) exit 1 }
    END { exit !rows }' bench.csv
run "$BERTH" bench --deck "$good" --repeats 1 --device 0 --poses 70000
check 'more poses than the deck has' all exited 0 -- grep -q ' 70000 .* yes ' stdout
valid_with() { # VARIANT...
    for variant; do
        run bench --deck "$good" --variant "$variant"
        check "valid with $variant" all exited 0 -- grep -q ' yes ' stdout
    done
}
valid_with 'lists=0 saturate=1'

slice devices 'other variants, decks that are broken'
valid_with vector_width=4 ppwi=1 expanded=0 square_root=1
# deck: a fresh copy to spoil.
deck() {
    rm -rf deck
    mkdir deck
    cp "$good"/*.in "$good/ref_energies.out" deck
    chmod -R u+w deck
}

# overwrite FILE OFFSET BYTES: in octal, as printf has them.
overwrite() {
    # shellcheck disable=SC2059
    printf "$3" | dd of="deck/$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
spoilt() { refused "$1" bench --deck deck --csv out/bench.csv; }

refused_too 'no deck' ' nowhere/forcefield.in: ' bench --deck nowhere --csv out/bench.csv
deck
rm deck/poses.in
spoilt 'a missing file'
deck
head -c 1000000 "$good/poses.in" >deck/poses.in
spoilt 'truncated poses'
deck
head -c 15000 "$good/protein.in" >deck/protein.in
spoilt 'a truncated protein'
: >deck/protein.in
refused_too 'an empty protein' ' deck/protein.in: ' bench --deck deck
deck
overwrite ligand.in 28 '\143\0\0\0'
spoilt 'a type out of range'
deck
overwrite ligand.in 28 '\377\377\377\377'
refused_too 'a negative type' ' 4294967295;' bench --deck deck
deck
overwrite protein.in 32 '\0\0\300\177'
spoilt 'an atom at NaN'
deck
overwrite poses.in 12 '\0\0\200\177'
spoilt 'a pose at infinity'
deck
overwrite forcefield.in 0 'Z\0\0\0'
spoilt 'an unknown class'
deck
overwrite forcefield.in 4 '\0\0\300\177'
spoilt 'a radius that is NaN'
deck
sed '5s/.*/abc/' "$good/ref_energies.out" >deck/ref_energies.out
spoilt 'an energy that is no number'
: >deck/ref_energies.out
spoilt 'no energies'
deck
head -c 240000 "$good/poses.in" >deck/poses.in
spoilt 'more energies than poses'
deck
sed '7s/.*/12.5/' "$good/ref_energies.out" >deck/ref_energies.out
run bench --deck deck
check 'another energy: not valid' all exited 1 -- grep -q ' NO ' stdout -- \
    said 'another energy'
finish
