#!/bin/sh
# Kernels as they are built for CPUs without AVX-512, without AVX2 and without AVX, on whatever CPU this
# is: all of them compute what they should, in that CPU's vectors, and the compiler has nothing to say.
. tests/cli/lib.sh

slice rdkit 'kernels for older CPUs'

# on CPU COMMAND...: runs berth there.
on() {
    on_cpu=$1
    shift
    run sh -c 'cd "$0" && exec sh tests/older_cpu.sh "$@"' "$root" "$on_cpu" "$@"
}

for cpu in haswell sandybridge athlon64; do
    on "$cpu" "$BERTH" devices
    if [ $code -eq 77 ]; then
        skip "kernels for $cpu" "$(cat stdout)"
        continue
    fi
    width=8
    [ $cpu != athlon64 ] || width=4
    check "$cpu has vectors of $width" grep -q "float vectors of $width\$" stdout
    small=
    [ $cpu != sandybridge ] || small=--small # its vectors are those of haswell
    on "$cpu" env BERTH_CACHE_DIR= "$(dirname "$BERTH")/tests/kernel/check_kernels" $small
    check "all kernels are right on $cpu, and built without a warning" all exited 0 -- silent -- \
        [ ! -s stderr.raw ] -- holds stdout 'all kernels passed'
    on "$cpu" "$BERTH" selftest --variant "vector_width=$((2 * width))"
    check "vectors that $cpu lacks are refused" all exited 1 -- \
        grep -q "^berth: vector width $((2 * width)): [a-z]*-$cpu-.* has vectors of $width floats\$" stderr
    # Without FMA, which is emulated then, refinement takes thirty times as long.
    on "$cpu" "$BERTH" dock --receptor "$work/demo/1hpv_receptor.mol2" \
        --ligand "$work/demo/1hpv_ligand_turned.mol2" --scoring bude --search rigid_fast --poses 2048 --refine 1 --reference "$work/demo/1hpv_ligand.mol2" \
        --autobox_ligand "$work/demo/1hpv_ligand.mol2" --out "$work/$cpu.sdf" --scores "$work/$cpu.csv"
    columns "$cpu.csv" energy rmsd >near
    check "amprenavir docks where it belongs on $cpu" all exited 0 -- \
        awk -F, 'NR == 1 { exit !($1 < -131 && $2 < 2) }' near
done
finish
