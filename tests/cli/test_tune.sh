#!/bin/sh
# berth tune and berth show-kernel; stored tunables.
. tests/cli/lib.sh

if in_slice devices 'berth tune'; then
    run "$BERTH" tune --device 0 --dry_run
    check 'a dry run tries variants and names the fastest' all exited 0 -- silent -- \
        grep -q '^fastest: vector_width=[0-9]* ppwi=[0-9]* wgsize=[0-9]* lists=[01] ' stdout
    check 'the fastest is as fast as any that was tried, and as right as energies can be' awk '
        $1 ~ /^[0-9.e+]+$/ { speed = $1; error = $2; sub(/^ *[^ ]+ +[^ ]+ +/, "")
                             if (speed > speeds[$0]) speeds[$0] = speed
                             errors[$0] = error; if (speed > best) best = speed }
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

# Rows, files and folders that cannot be used are said, once, and stop nothing.
shown() { timeout 600 env BERTH_CACHE_DIR="$PWD/cache" "$BERTH" show-kernel --device 0 "$@"; }
# passed_over NAME PLACE: neither of the rows in cache/tuning.tsv is used; the place is said.
passed_over() {
    run shown
    check "$1" all exited 0 -- lines stderr 1 -- holds stderr "$PWD/cache$2" -- eval '! grep -q "^#define BERTH_PPWI 5$" stdout'
}
rows() { printf '# a comment\r\n\n%s\t%s\t%s\n' "$name" "$driver" "$1" >cache/tuning.tsv; }
rows ppwi=banana
passed_over 'a row that is not to be read' /tuning.tsv:3:
said 'a row'
rows 'ppwi=5 unroll=65'
passed_over 'a value out of range' /tuning.tsv:3:
rows 'ppwi=5 vector_width=3'
passed_over 'a value that OpenCL lacks' /tuning.tsv:3:
printf '%s\t*\tppwi=6\n' "$name" >>cache/tuning.tsv
run shown
check 'the next row that can be used is' all exited 0 -- lines stderr 1 -- \
    grep -q '^#define BERTH_PPWI 6$' stdout
printf '%s\tppwi=5\n' "$name" >cache/tuning.tsv
passed_over 'a line that is no row' /tuning.tsv:1:
said 'no row'
rows 'ppwi=5 vector_width=3'
run env POCL_DEVICES='pthread pthread' BERTH_CACHE_DIR="$PWD/cache" "$BERTH" dock --device all \
    --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
    --ligand demo/1hpv_ligand.mol2 $rigid --out poses.sdf --variant wgsize=65536
check 'equal devices: said once' all exited 1 -- \
    [ "$(grep -c '^berth: warning: .*/tuning.tsv:3: ' stderr)" -eq 1 ]

rows ppwi=5
run shown
check 'a row that can be used' all exited 0 -- silent -- grep -q '^#define BERTH_PPWI 5$' stdout
chmod 620 cache/tuning.tsv
passed_over 'a file that others may write to' /tuning.tsv:
said 'others may write'
chmod 600 cache/tuning.tsv
chmod 777 cache
passed_over 'a folder that others may write to' :
chmod 700 cache
if chown 12345 cache/tuning.tsv 2>/dev/null; then
    passed_over "another user's file" /tuning.tsv:
else
    skip "another user's file" 'only root can give files away'
fi
mv cache/tuning.tsv elsewhere.tsv
ln -s ../elsewhere.tsv cache/tuning.tsv
passed_over 'a symbolic link' /tuning.tsv:
said 'no plain file'
rm -f cache/tuning.tsv
mkfifo cache/tuning.tsv
passed_over 'a FIFO to which nobody writes' /tuning.tsv:
run "$BERTH" show-kernel --device 0
check 'the kernels are all there' all grep -q 'energy_terms(' stdout -- grep -q 'select_parents(' stdout -- \
    grep -q '^#line 1 "energy.cl"$' stdout

for bad in 'ppwi' 'ppwi=' 'ppwi=x' 'ppwi=0' 'ppwi=17' 'pwi=1' 'ppwi=1;unroll=2'; do
    run "$BERTH" show-kernel --device 0 --variant "$bad"
    check "--variant '$bad' is refused" exited 1
done
run "$BERTH" show-kernel --device 0 --variant vector_width=3
check 'a vector width that OpenCL lacks' exited 1
finish
