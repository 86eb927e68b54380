#!/bin/sh
# berth tune and berth show-kernel; stored tunables.
. tests/cli/lib.sh

if [ -n "$light" ]; then
    skip 'berth tune' 'slow; left out of the light run'
else
    run "$BERTH" tune --device 0 --dry_run
    check 'a dry run tries variants and names the fastest' all exited 0 -- silent -- \
        grep -q '^fastest: vector_width=[0-9]* ppwi=[0-9]* wgsize=[0-9]* lists=[01] ' stdout
    check 'the fastest is as fast as any that was tried, and as right as energies can be' awk '
        $1 ~ /^[0-9.e+]+$/ { speed = $1; error = $2; sub(/^ *[^ ]+ +[^ ]+ +/, "")
                             speeds[$0] = speed; errors[$0] = error; if (speed > best) best = speed }
        /^fastest: / { sub(/^fastest: /, ""); found = $0 }
        END { exit !(speeds[found] > 0.9 * best && errors[found] < 0.01) }' stdout
    check 'a dry run stores nothing' [ ! -e cache/tuning.tsv ]
fi

# What is stored is used; the variant is printed with the results.
run "$BERTH" devices
name=$(sed -n "s/^[* ]*0  *[A-Z]*  *//p" stdout)
driver=$(sed -n 's/.*, driver //p' stdout | head -n 1)
mkdir -p cache
printf '# a comment\nsomething else\t*\tppwi=7\n%s\t%s\tppwi=3 unroll=2\n' "$name" "$driver" >cache/tuning.tsv
run env BERTH_CACHE_DIR="$PWD/cache" "$BERTH" show-kernel --device 0
check 'stored tunables are used' all exited 0 -- grep -q '^#define BERTH_PPWI 3$' stdout -- \
    grep -q '^#define BERTH_UNROLL 2$' stdout -- grep -q '^ \* variant: .*ppwi=3 ' stdout
run env BERTH_CACHE_DIR="$PWD/cache" "$BERTH" show-kernel --device 0 --variant 'ppwi=1, wgsize=2'
check '--variant wins' all grep -q '^#define BERTH_PPWI 1$' stdout -- \
    grep -q '^#define BERTH_WGSIZE 2$' stdout -- grep -q '^#define BERTH_UNROLL 2$' stdout
printf '%s\t%s\tppwi=banana\n' "$name" "$driver" >cache/tuning.tsv
run env BERTH_CACHE_DIR="$PWD/cache" "$BERTH" show-kernel --device 0
check 'a spoilt row is no row' all exited 0 -- silent
run "$BERTH" show-kernel --device 0
check 'the kernels are all there' all grep -q 'energy_terms(' stdout -- grep -q 'select_parents(' stdout -- \
    grep -q '^#line 1 "energy.cl"$' stdout

for bad in 'ppwi' 'ppwi=' 'ppwi=x' 'ppwi=0' 'ppwi=17' 'pwi=1' 'ppwi=1;unroll=2'; do
    run "$BERTH" show-kernel --device 0 --variant "$bad"
    check "--variant '$bad' is refused" all exited 1 -- grep -q '^berth: variant: ' stderr
done
run "$BERTH" show-kernel --device 0 --variant vector_width=3
check 'a vector width that OpenCL lacks' all exited 1 -- \
    stderr_is 'berth: vector width 3: it is 1, 2, 4, 8 or 16'
finish
