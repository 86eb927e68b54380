#!/bin/sh
# make install, and a client of the installed library.
. tests/cli/lib.sh

prefix=$work/prefix
run ${MAKE:-make} -s -C "$root" --no-print-directory install BUILD="$BUILD" PREFIX="$prefix"
check 'make install' exited 0
for file in bin/berth lib/libberth.a include/berth/berth.h include/berth/shared.h \
    share/berth/forcefields/by-atom-2017.bhff share/berth/demo/1hpv_ligand.mol2 \
    share/berth/slurm/submit.sh share/berth/slurm/screen_task.sh share/berth/slurm/merge_task.sh; do
    check "installs $file" [ -s "$prefix/$file" ]
done
check 'and no header that is internal' sh -c '! find "$1" -name "*internal*" | grep .' sh "$prefix"
run env PATH="$prefix/bin:$PATH" berth --version
check 'the installed program runs' all exited 0 -- grep -q '^berth ' stdout

sanitize=
case $BUILD in *asan*) sanitize=-fsanitize=address,undefined ;; esac
# shellcheck disable=SC2086
run ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror $sanitize -I"$prefix/include/berth" \
    -o client "$root/tests/cli/client.c" -L"$prefix/lib" -lberth -lOpenCL -lz -lm -lpthread
check 'a client compiles without warnings and links' exited 0
for header in $(cd "$prefix/include/berth" && find . -name '*.h'); do
    echo "#include \"$header\""
done >every.c
run ${CC:-cc} -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include/berth" every.c
check 'every installed header compiles' exited 0
run ./client demo/1hpv_receptor.mol2 demo/1hpv_ligand.mol2
check 'it scores the crystal pose and finds a better one' all exited 0 -- awk '
    NR == 1 { score = $2; if ($1 != "amprenavir" || $2 > -113 || $2 < -115) exit 1 }
    NR == 2 { if ($1 != "docked" || $2 >= score) exit 1; seen = 1 }
    END { exit !seen }' stdout
finish
