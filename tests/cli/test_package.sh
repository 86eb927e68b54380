#!/bin/sh
# make deb and make dist: what is in the package and the tarball.
. tests/cli/lib.sh

make_here() { # TARGET
    ${MAKE:-make} -s -C "$root" --no-print-directory "$1" BUILD="$BUILD"
}

slice package 'packages'
if ! command -v dpkg-shlibdeps >/dev/null; then
    skip 'make deb' 'dpkg-dev is not installed'
elif [ -n "$sanitize" ]; then
    skip 'make deb' 'a package is made without sanitizers'
else
    run env MAKEFLAGS= BERTH_INSTALL=no ${MAKE:-make} -s -C "$root" --no-print-directory deb BUILD="$BUILD"
    check 'make deb' exited 0
    package=$root/$(tail -n 1 stdout)
    check 'says the name of a package' [ -s "$package" ]
    dpkg-deb -x "$package" tree
    for file in bin/berth lib/libberth.so.0.2 lib/libberth.so lib/libberth.a lib/pkgconfig/berth.pc include/berth.h \
        share/man/man1/berth.1.gz share/man/man1/berth-dock.1.gz share/man/man1/berth-prep-ligands.1.gz \
        share/bash-completion/completions/berth share/zsh/vendor-completions/_berth \
        share/fish/vendor_completions.d/berth.fish share/berth/demo/1hpv_ligand.mol2 \
        share/berth/scoring/vina.score share/berth/slurm/submit.sh share/doc/berth/copyright \
        share/doc/berth/README.md share/doc/berth/docs/cookbook.md; do
        check "has $file" [ -s "tree/usr/$file" ]
    done
    check 'and nothing outside /usr' [ "$(ls tree)" = usr ]
    check 'its manual pages are those of all commands' \
        [ "$(find tree/usr/share/man -name 'berth*.1.gz' | wc -l)" -eq $(($("$BERTH" manual --list | wc -l) + 1)) ]
    check 'nothing in it knows where it was built' sh -c '! grep -r -l -F "$1" tree/usr/lib/pkgconfig tree/usr/share' sh "$root"
    run tree/usr/bin/berth --version
    check 'its program runs' exited 0
    dpkg-deb -f "$package" >fields
    for field in 'Package: berth' 'Depends: libc6' 'ocl-icd-libopencl1' 'zlib1g' 'pocl-opencl-icd | opencl-icd' \
        'Recommends: python3-rdkit, python3-gemmi, openbabel'; do
        check "says $field" holds fields "$field"
    done
    if in_slice package 'the same again has the same bytes'; then
        cp "$package" first.deb
        make_here deb >/dev/null
        check 'the same again has the same bytes' same first.deb "$package"
    fi
    if command -v lintian >/dev/null; then
        run lintian --no-cfg --allow-root --fail-on error "$package"
        check 'lintian finds no error' exited 0
    else
        skip 'lintian finds no error' 'lintian is not installed'
    fi
fi

if ! git -C "$root" rev-parse >/dev/null 2>&1; then
    skip 'make dist' 'this is no git checkout'
    finish
fi
run make_here dist
check 'make dist' exited 0
tarball=$root/$(tail -n 1 stdout)
name=$(basename "$tarball" .tar.gz)
tar -tzf "$tarball" | sed "s|^$name/||" | grep -v '/$' | LC_ALL=C sort >packed
git -C "$root" ls-files | LC_ALL=C sort | while read -r file; do
    [ ! -e "$root/$file" ] || echo "$file"
done >kept
check 'has every file that git keeps, and no other' same kept packed
cp "$tarball" first.tar.gz
make_here dist >/dev/null
check 'the same again has the same bytes' same first.tar.gz "$tarball"
tar -xzf "$tarball"
run ${MAKE:-make} -n -C "$name" all install
check 'what is unpacked builds and installs: the commands for it are there' exited 0
if in_slice package 'what is unpacked builds without network'; then
    run env MAKEFLAGS= BERTH_INSTALL=no ${MAKE:-make} -s -C "$name" BUILD=build CFLAGS='-O0 -w' all
    check 'what is unpacked builds without network' all exited 0 -- "$name/build/berth" --version
fi
finish
