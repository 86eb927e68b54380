#!/bin/sh
# berth-bench, the instruments of bench/instruments: the floor, the plain C loop, the published size.
. tests/cli/lib.sh

instrument=$(dirname "$BERTH")/berth-bench
bench() { "$instrument" --poses 2048 --repeats 1 --device 0 "$@"; }
columns=device,driver,poses,vector_width,ppwi,wgsize,variant,ms_median,ms_min,interactions_per_s
columns=$columns,valid,max_diff_pct,multiply_adds_per_s,operations_per_s,roots_per_s
columns=$columns,floor_interactions_per_s,floor_pct,classes_per_s,baseline_ratio

# The demo complex, which needs nothing.
run bench --csv demo.csv
check 'the demo complex: exit code 0, every energy is valid' all exited 0 -- silent -- \
    lines demo.csv 2 -- [ "$(head -n 1 demo.csv)" = "$columns" ] -- awk -F, '
    NR == 2 { if (NF != 19 || $3 != 2048 || $11 != "yes" || !($12 < 0.05)) exit 1 }' demo.csv
check 'the rate is poses x ligand atoms x receptor atoms / median' awk -F, '
    NR == 2 { rate = 2048 * 35 * 1516 / ($8 / 1000); if (!($8 >= $9 && $9 > 0)) exit 1
              if ($10 / rate > 1.001 || $10 / rate < 0.999) exit 1 }' demo.csv
check 'floor % is the rate over that of the floor' awk -F, '
    NR == 2 { if (!($13 > 0 && $14 > 0 && $15 > 0 && $16 > 0)) exit 1
              percent = 100 * $10 / $16; if ($17 / percent > 1.001 || $17 / percent < 0.999) exit 1
              if ($18 $19 != "") exit 1 }' demo.csv
check 'the table on the terminal' awk '
    NR == 1 && $0 != "deck of the demo complex: 1516 receptor atoms, 35 ligand atoms" { exit 1 }
    NR == 2 && $0 != "53060 interactions a pose: 1.1 % steric, 9.0 % steric+electrostatic, 75.5 % steric+desolvation, 14.4 % steric+electrostatic+desolvation" { exit 1 }
    NR == 3 && $0 !~ /^device  *poses w x ppwi wgsize  *ms median  *ms min  interact\.\/s floor %  valid max diff % x plain C$/ { exit 1 }
    NR == 4 && $0 !~ / 2048  *[0-9]+ x [0-9]+  *[0-9]+  *[0-9.]+  *[0-9.]+  *[0-9.e+]+  *[0-9.]+  yes  *[0-9.]+  *-$/ { exit 1 }
    NR == 5 && $0 !~ /^  ceilings: [0-9.e+]+ multiply-adds\/s, [0-9.e+]+ operations\/s; roots\/s: [0-9.e+]+ \(full square root\)/ { exit 1 }
    NR == 6 && $0 !~ /^  floor: [0-9.e+]+ interactions\/s, of [0-9.]+ operations each \([0-9.]+ of them multiply\); bound by / { exit 1 }
    NR == 7 && $0 !~ /^  the variant.s own way / { exit 1 }
    END { exit NR != 6 && NR != 7 }' stdout
slice devices 'classes of pairs, the published loop and size'
run bench --terms --svg plot.svg --csv -
check 'each class of pairs; CSV alone on standard output' all exited 0 -- silent -- \
    lines stdout 2 -- awk -F, '
    NR == 2 && $18 !~ /^steric=[0-9.e+]+;steric\+electrostatic=[0-9.e+]+;steric\+desolvation=[0-9.e+]+;steric\+electrostatic\+desolvation=[0-9.e+]+$/ { exit 1 }' stdout
check 'the plot' all grep -q 'deck of the demo complex, 2048 poses in a launch; all energies verified' \
    plot.svg -- grep -q ' % of floor</text>' plot.svg -- [ "$(tail -n 1 plot.svg)" = '</svg>' ]

# The published pair loop.  The program finds what it needs beside itself.
mkdir bin
cp "$instrument" bin/berth-bench
if command -v gcc >/dev/null; then
    run ${MAKE:-make} -s -C "$root" --no-print-directory bench BUILD="$BUILD"
    check 'make bench' exited 0
    run bench --baseline --csv baseline.csv
    check 'the baseline is valid, and speeds are multiples of its speed' all exited 0 -- silent -- \
        awk -F, '{ gsub(/"[^"]*"/, "plain C") }
        NR == 2 { if ($1 != "plain C" || $3 != 2048 || $11 != "yes" || $19 != 1 || NF != 19) exit 1; base = $10 }
        NR == 3 { ratio = $10 / base; if ($19 / ratio > 1.001 || $19 / ratio < 0.999) exit 1 }
        END { exit NR != 3 }' baseline.csv
else
    skip 'the baseline' 'no gcc'
fi
refused 'no baseline beside the program' bin/berth-bench --data demo --poses 64 --baseline --csv out/a
printf '#!/bin/sh\ncat >/dev/null\nexit 1\n' >bin/berth-baseline
chmod +x bin/berth-baseline
refused 'a baseline that fails' bin/berth-bench --data demo --poses 64 --baseline --csv out/a
printf '#!/bin/sh\necho 1 1 16 2 gcc\necho too short\n' >bin/berth-baseline
refused 'a baseline without energies' bin/berth-bench --data demo --poses 64 --baseline --csv out/a

# The published size, made small.  The 14th conformer is the second ligand's first.
paper_columns=device,driver,conformers,poses,generations,variant,seconds,docking_seconds
paper_columns=$paper_columns,interactions_per_s,conformers_per_s,done_per_s,kernel_interactions_per_s,ratio
paper_columns=$paper_columns,busy_pct,energy_pct
paper() {
    "$instrument" --paper --poses 512 --generations 2 --repeats 1 --device 0 "$@"
}
run paper --conformers 14 --csv paper.csv
check 'the published size: 13 x 35 + 45 atoms, end to end' all exited 0 -- silent -- \
    [ "$(head -n 1 paper.csv)" = "$paper_columns" ] -- awk -F, '
    NR == 2 { rate = (13 * 35 + 45) * 938 * 512 * 2 / $7
              if (NF != 14 || $3 != 14 || $4 != 512 || $5 != 2 || !($8 > 0 && $8 < $7)) exit 1
              if ($9 / rate > 1.001 || $9 / rate < 0.999 || !($11 > 0)) exit 1
              if ($12 - $9 / $11 > 0.001 || $12 - $9 / $11 < -0.001) exit 1
              if (!($13 > 0 && $13 <= 100 && $14 > 0 && $14 <= 100)) exit 1 }
    END { exit NR != 2 }' paper.csv
check 'and for people' all \
    [ "$(head -n 1 stdout)" = '14 conformers x 2 generations x 512 poses, site of 938 receptor atoms' ] -- \
    grep -q '^energy  *2  *[0-9.]*  *[0-9.]*%$' stdout -- grep -q '^busy [0-9.]* % of the time' stdout
run paper --conformers 1 --csv -
check 'CSV alone' all exited 0 -- lines stdout 2 -- grep -q 'lists=1' stdout
if in_slice devices 'without neighbour lists'; then
    run paper --conformers 1 --variant lists=0 --csv -
    check 'without neighbour lists' all exited 0 -- lines stdout 2 -- grep -q 'lists=0' stdout
fi
mkdir cut
cp demo/1hpv_*.mol2 cut
refused 'no conformers' paper --data cut --csv out/a
gzip -dc demo/ten_drugs.mol2.gz | awk '/^@<TRIPOS>MOLECULE/ { n++ } n <= 2' | gzip >cut/ten_drugs.mol2.gz
refused 'too few conformers' paper --data cut --csv out/a
refused 'a deck with --paper' paper --deck cut
run paper --svg plot
check 'a plot with --paper' all exited 1 -- absent plot
refused 'what only --paper has' bench --generations 3 --csv out/a
finish
