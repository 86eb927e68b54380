#!/bin/sh
# bench/posebusters, the PoseBusters benchmark: the table of verdicts, and a run of it on the demo's complex.
. tests/cli/lib.sh

# Five complexes: right and valid; right, but with a clash; wrong, its second pose right; right to berth only; and no pose.
mkdir -p set seed1
printf 'pdb\tcenter_x\n1AAA\t0\n1BBB\t0\n1CCC\t0\n1DDD\t0\n1EEE\t0\n' >set/sites.tsv
{
    printf 'pdb\tvina_rmsd\tvina_valid\tgold_rmsd\tgold_valid\tdiffdock_rmsd\tdiffdock_valid\n'
    printf '1AAA\t0.5\tTrue\t0.5\tTrue\t0.5\tFalse\n1BBB\t0.5\tTrue\t9\tTrue\t0.5\tFalse\n'
    printf '1CCC\t0.5\tTrue\t9\tTrue\t9\tTrue\n1DDD\t0.5\tFalse\t\tFalse\t9\tTrue\n1EEE\t9\tTrue\t9\tTrue\t9\tTrue\n9XXX\t0\tTrue\t0\tTrue\t0\tTrue\n'
} >set/published.tsv
printf 'pdb,pose,rmsd,bond_lengths,minimum_distance_to_protein\n' | tee crystal.csv >seed1/posebusters.csv
printf '%s,1,0.0,True,True\n' 1AAA 1BBB 1CCC 1DDD >>crystal.csv
printf '1EEE,1,0.0,,True\n' >>crystal.csv
cat >>seed1/posebusters.csv <<'END'
1AAA,1,0.5,True,True
1BBB,1,2.0,True,False
1BBB,2,0.5,True,True
1CCC,1,7.5,False,False
1CCC,2,1.5,True,True
1DDD,1,2.25,True,True
END
printf 'complex,mode,rmsd_top\n1AAA,generated,0.5\n1BBB,generated,2.0\n1CCC,generated,7.5\n1DDD,generated,1.75\n' >seed1/redock.csv
printf 'ordinal,ligand,reason\n4,1EEE,"no bonds, none at all"\n' >seed1/failures.csv
table() { run python3 "$root/bench/posebusters/table.py" set crystal.csv "$@"; }
table seed1
check 'counts, shares and intervals' all exited 0 -- \
    holds stdout '| berth | 5 | 2 (40.0 %; 12 to 77) | 1 (20.0 %; 4 to 62) | 3 (60.0 %; 23 to 88) |'
check "others' poses are valid only where they are right, too, and only the set's count" all \
    holds stdout '| AutoDock Vina | 5 | 4 (80.0 %; 38 to 96) | 3 (60.0 %; 23 to 88) |  |' -- \
    holds stdout '| GOLD | 5 | 1 (20.0 %; 4 to 62) | 1 (20.0 %; 4 to 62) |  |' -- \
    holds stdout '| DiffDock | 5 | 2 (40.0 %; 12 to 77) | 0 (0.0 %; 0 to 43) |  |'
check 'a check that could not be made has failed' all holds stdout "| crystal's ligand | 5 | 5 (100.0 %" -- \
    holds stdout '| bond_lengths | 1 | 0 | 1 |'
check 'what has no pose, and why' holds stdout '- 1EEE: no bonds, none at all'
check 'which checks fail, of right poses, too' holds stdout '| minimum_distance_to_protein | 2 | 1 | 0 |'
check 'right poses that are not valid' holds stdout '- seed1, 1BBB, 2.00 Å: minimum_distance_to_protein'
check "where berth's RMSD says otherwise" holds stdout '- seed1, 1DDD: 1.750 Å by berth, 2.250 Å by PoseBusters'
cp -r seed1 seed2
grep -v '^1AAA' seed1/posebusters.csv >seed2/posebusters.csv
rm set/published.tsv
table seed1 seed2
check 'the median of seeds, without published results' all exited 0 -- \
    holds stdout '| berth, median of 2 seeds | 5 | 1.5 (30.0 %'

slice posebusters 'a run of the benchmark'
busters=${BERTH_POSEBUSTERS:-$root/build-python/bin/python}
if ! "$busters" -c 'import posebusters' 2>/dev/null; then
    skip 'a run of the benchmark' 'PoseBusters is not installed (BERTH_POSEBUSTERS names a Python that has it)'
    finish
fi
if ! command -v obabel >/dev/null; then
    skip 'a run of the benchmark' 'obabel is not installed'
    finish
fi
need_rdkit 'a run of the benchmark'
mkdir -p demo_set/1HPV
protease_pdb >demo_set/1HPV/receptor.pdb
obabel -imol2 demo/1hpv_ligand.mol2 -osdf 2>/dev/null >demo_set/1HPV/crystal.sdf
awk 'BEGIN { print "pdb\tcenter_x\tcenter_y\tcenter_z" }
    /^@<TRIPOS>/ { s = $1; next }
    s == "@<TRIPOS>ATOM" { n++; x += $3; y += $4; z += $5 }
    END { printf "1HPV\t%.3f\t%.3f\t%.3f\n", x / n, y / n, z / n }' demo/1hpv_ligand.mol2 >demo_set/sites.tsv
benchmark() {
    run env BERTH_POSEBUSTERS="$busters" bash "$root/bench/posebusters/run.sh" --set demo_set --out runs --berth "$BERTH" \
        --jobs 1 -- --search fastest
}
benchmark
columns runs/seed1/posebusters.csv pdb pose rmsd minimum_distance_to_protein internal_energy >judged
check 'poses are judged by PoseBusters itself' all exited 0 -- [ "$(sed -n 1p judged | cut -d , -f 1,2,4,5)" = 1HPV,1,True,True ] -- \
    holds stdout "| crystal's ligand | 1 | 1 (100.0 %; 21 to 100) |"
check 'the RMSD is that of berth' holds stdout 'and about 2 Å in 0 poses'
cp runs/summary.md first.md
benchmark
check 'what is there is not made again' all exited 0 -- same first.md runs/summary.md
finish
