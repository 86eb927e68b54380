#!/bin/sh
# make install, and a client of the installed library.
. tests/cli/lib.sh

prefix=$work/prefix
# A folder whose name ends as those of dependencies do, as fish's in the package that is being made, is none.
mkdir -p "$root/$BUILD/tests/folder.d"
run ${MAKE:-make} -s -C "$root" --no-print-directory install BUILD="$BUILD" PREFIX="$prefix"
check 'make install' exited 0
for file in bin/berth lib/libberth.a lib/libberth.so lib/libberth.so.0.2 lib/pkgconfig/berth.pc \
    include/berth.h share/berth/forcefields/by-atom-2017.bhff share/berth/demo/1hpv_ligand.mol2 \
    share/berth/slurm/submit.sh share/berth/slurm/screen_task.sh share/berth/slurm/merge_task.sh \
    share/berth/workflows/snakemake/config.yaml share/berth/workflows/nextflow/main.nf; do
    check "installs $file" [ -s "$prefix/$file" ]
done
# As pip's beside that of `make demo`: each file has its name once it is whole.
at_once() {
    embedded="BUILD=$work/two $work/two/embedded.c"
    # shellcheck disable=SC2086
    ${MAKE:-make} -s -C "$root" --no-print-directory $embedded &
    other=$!
    # shellcheck disable=SC2086
    ${MAKE:-make} -s -C "$root" --no-print-directory $embedded && wait "$other"
}
if in_slice package 'two makes in one folder at once'; then
    run at_once
    check 'two makes in one folder at once' all exited 0 -- [ "$(ls two)" = embedded.c ]
fi
check 'and one header' [ "$(find "$prefix" -name '*.h')" = "$prefix/include/berth.h" ]
run env PATH="$prefix/bin:$PATH" berth --version
check 'the installed program runs' all exited 0 -- grep -q '^berth ' stdout

# flags OPTION...: what pkg-config says, or, where it is not installed, would say.
flags() {
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config "$@" berth 2>/dev/null ||
        sed -n -e "s|\${includedir}|$prefix/include|; s|\${libdir}|$prefix/lib|" \
            -e 's/^\(Cflags\|Libs\|Libs.private\): //p' "$prefix/lib/pkgconfig/berth.pc"
}
# shellcheck disable=SC2086,SC2046
run ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror $sanitize -o client \
    "$root/tests/cli/client.c" $(flags --cflags --libs) -lm -Wl,-rpath,"$prefix/lib"
check 'a client compiles without warnings and links' exited 0
# shellcheck disable=SC2086,SC2046
run ${CC:-cc} -std=c11 $sanitize -I"$prefix/include" -o static "$root/tests/cli/client.c" \
    "$prefix/lib/libberth.a" $(sed -n 's/^Libs.private: //p' "$prefix/lib/pkgconfig/berth.pc")
check 'with the static library, too' exited 0
for client in ./client ./static; do
    run $client demo/1hpv_receptor.mol2 demo/1hpv_ligand.mol2
    check "$client scores the crystal pose, minimises it, and docks a better one" all exited 0 -- awk '
        $1 == "stands" { score = $3; if ($2 != "amprenavir" || $3 > -13.9 || $3 < -14.1) exit 1 }
        $1 == "minimised" { if ($3 >= score) exit 1; seen++ }
        $1 == "docked" { if ($3 >= score) exit 1; seen++ }
        /no sense/ { exit 1 }
        END { exit seen != 2 }' stdout
    check 'and is told that a docking needs a site' holds stdout ' center_x'
done

# RDKit, where there is no Python at all, as on a bare system: it is missing.
mkdir no_python
{
    sed -n '/^have_rdkit() {/,/^}/p' "$root/tools/setup.sh" | sed 's|/usr/lib/python3|/nonexistent|'
    echo 'have_rdkit'
} >have_rdkit.sh
shell=$(command -v sh)
ln -s "$(command -v tr)" no_python/tr
run env -u VIRTUAL_ENV PATH="$work/no_python" "$shell" have_rdkit.sh
check 'tools/setup.sh knows that RDKit is missing where Python is' exited 1
printf '#!%s\n' "$shell" >no_python/python3
chmod +x no_python/python3
run env -u VIRTUAL_ENV PATH="$work/no_python" "$shell" have_rdkit.sh
check 'and that it is there where a python3 can import it' exited 0

# apt-get, as root, on a machine without clang: what it prints is shown where it fails alone.
mkdir fake_apt
for tool in env mktemp rm sort tail tr; do
    ln -s "$(command -v $tool)" "fake_apt/$tool"
done
printf '#!%s\necho 0\n' "$shell" >fake_apt/id
printf '#!%s\n[ -z "${APT_FAILS:-}" ] || { i=0; while [ $i -lt 40 ]; do i=$((i + 1)); echo "E: line $i"; done; exit 100; }
echo many lines\n: >"%s/fake_apt/clang"; %s +x "%s/fake_apt/clang"\n' "$shell" "$work" "$(command -v chmod)" "$work" >fake_apt/apt-get
printf '#!%s\n[ -z "$APT_LACKS" ]\n' "$shell" >fake_apt/apt-cache
chmod +x fake_apt/id fake_apt/apt-get fake_apt/apt-cache
run env PATH="$work/fake_apt" TMPDIR="$work" APT_FAILS=1 "$shell" "$root/tools/setup.sh" fuzz
log=$(echo berth-apt.*)
check 'tools/setup.sh shows how the output of apt ends that fails, and where all of it is' all exited 0 -- stdout_is_empty -- \
    holds stderr " $work/$log" -- holds stderr 'E: line 40' -- [ "$(grep -c 'E: line' stderr)" = 20 ] -- lines "$log" 120
rm -f berth-apt.*
run env PATH="$work/fake_apt" TMPDIR="$work" APT_FAILS=1 APT_LACKS=1 "$shell" "$root/tools/setup.sh" fuzz
check 'and names what the release lacks, and no command that would not help' all exited 0 -- stdout_is_empty -- \
    said 'a package that apt lacks' -- absent "$log"
run env PATH="$work/fake_apt" TMPDIR="$work" "$shell" "$root/tools/setup.sh" fuzz
check 'and one line where it does not' all exited 0 -- stdout_is_empty -- \
    lines stderr 1 -- absent "$log"
finish
