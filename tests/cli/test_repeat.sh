#!/bin/sh
# The same seed gives the same bytes: twice, whatever the batch, the work-group size, the poses per
# work-item, the place in the file, and the number of equal devices.
. tests/cli/lib.sh

{
    fragment alpha
    fragment beta_C1
    fragment beta_C2
    cat demo/1hpv_ligand_turned.mol2
    fragment gamma S.3
    fragment delta N.3
} >ligands.mol2

search="$rigid --poses 2000 --generations 4"

# docked NAME OPTIONS...: docks ligands.mol2 into NAME.sdf and NAME.csv.
docked() {
    docked_name=$1
    shift
    run "$BERTH" dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --ligand ligands.mol2 $search --hops 1 --num_modes 20 \
        --out "$docked_name.sdf" --scores "$docked_name.csv" "$@"
}

# as_first TEXT OPTIONS...: the same bytes with these options.
as_first() {
    as_first_text=$1
    shift
    docked other "$@"
    check "$as_first_text" all exited 0 -- same first.sdf other.sdf -- same first.csv other.csv
}

docked first
check 'five ligands' all exited 0 -- [ "$(cut -d, -f1 first.csv | sort -u | wc -l)" -eq 6 ]
as_first 'the same seed again'
as_first 'the default seed is 1' --seed 1
as_first '--batch 2' --batch 2
if in_slice variants 'other batches and variants'; then # tests/kernel/test_search.c has some
    for batch in 1 5 64; do
        as_first "--batch $batch" --batch $batch
    done
    as_first 'ppwi=3 wgsize=7' --variant 'ppwi=3 wgsize=7'
    as_first 'wgsize=1' --variant wgsize=1
    as_first 'wgsize=7, of which 2000 is no multiple' --variant wgsize=7
    as_first 'wgsize=64' --variant wgsize=64
    as_first 'ppwi=1' --variant ppwi=1
    as_first 'ppwi=3' --variant ppwi=3
    as_first 'ppwi=1 wgsize=16, --batch 3' --variant 'ppwi=1 wgsize=16' --batch 3
fi

run env POCL_DEVICES='pthread pthread' "$BERTH" devices
if grep -q '^. 1  CPU .*pthread' stdout; then
    POCL_DEVICES='pthread pthread'
    export POCL_DEVICES
    as_first 'two equal devices' --device all --batch 1
    if in_slice variants 'two equal devices, named'; then
        for device in all 0 1 1,0 pthread; do
            as_first "two equal devices: --device $device" --device $device
        done
    fi
    unset POCL_DEVICES
else
    skip 'two equal devices' 'PoCL has no pthread devices here'
fi

docked seed --seed 2
check 'another seed gives another result' all exited 0 -- differ first.csv seed.csv -- \
    differ first.sdf seed.sdf
docked large --seed 18446744073709551615
check 'the largest seed' all exited 0 -- differ first.csv large.csv

slice variants 'in any order'
# The same ligands, last first (the conformers of one stay as they are).
{
    fragment delta N.3
    fragment gamma S.3
    cat demo/1hpv_ligand_turned.mol2
    fragment beta_C1
    fragment beta_C2
    fragment alpha
} >ligands.mol2
docked turned
for name in alpha beta amprenavir gamma delta; do
    grep "^$name," first.csv >wanted
    grep "^$name," turned.csv >given
    check "the result of $name does not depend on its place in the file" same wanted given
done

# The search on maps, which is the default.
search='--poses 24 --generations 3 --parents 8 --refine 4'
docked first
check 'on maps' all exited 0 -- [ "$(cut -d, -f1 first.csv | sort -u | wc -l)" -eq 6 ]
as_first 'on maps: the same seed again'
as_first 'on maps: --batch 1' --batch 1
as_first 'on maps: --batch 4' --batch 4
docked seed --seed 2
check 'on maps: another seed gives another result' all exited 0 -- differ first.sdf seed.sdf
finish
