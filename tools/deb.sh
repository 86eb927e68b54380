#!/bin/sh
# Makes a Debian package of what `make install` installs, for the release that this machine runs: program,
# library, header, manual pages, completions, data, Slurm scripts, documents.
# Usage: MAKE=make BUILD=build VERSION=0.2.0 sh tools/deb.sh   (what `make deb` runs)
# Prints the package's name.  DEBFULLNAME and DEBEMAIL say who packs it.
set -eu
root=$BUILD/deb/berth
doc=$root/usr/share/doc/berth
maintainer="${DEBFULLNAME:-berth} <${DEBEMAIL:-berth@berth.invalid}>"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
umask 022
rm -rf "$BUILD/deb"
mkdir -p "$root/DEBIAN" "$BUILD/deb/debian"
${MAKE:-make} -s install BUILD="$BUILD" DESTDIR="$root" PREFIX=/usr ZSH_FOLDER=share/zsh/vendor-completions
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/berth"
chmod 644 "$root"/usr/lib/libberth.so.*
strip --remove-section=.comment --remove-section=.note --strip-unneeded "$root"/usr/lib/libberth.so.*
strip --strip-debug --enable-deterministic-archives "$root/usr/lib/libberth.a"

# Documents as Debian has them: its own copyright and changelog, large ones compressed.
rm "$doc/LICENSE"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: berth

Files: *
Copyright: 2026 the authors of berth
License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
END
{
    echo "berth ($VERSION) unstable; urgency=medium"
    echo
    echo '  * What is new: /usr/share/doc/berth/CHANGELOG.md'
    echo
    echo " -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -n -9 >"$doc/changelog.gz"
gzip -n -9 "$root"/usr/share/man/man1/*.1

# What it needs: libraries by their symbols; a driver, PoCL's where there is no other, for a plain CPU
# must do; and what prepares ligands where it is not left out on purpose.
printf 'Source: berth\n\nPackage: berth\nArchitecture: any\n' >"$BUILD/deb/debian/control"
libraries=$(cd "$BUILD/deb" && dpkg-shlibdeps -O berth/usr/bin/berth berth/usr/lib/libberth.so.* | sed -n 's/^shlibs:Depends=//p')
architecture=$(dpkg --print-architecture)
cat >"$root/DEBIAN/control" <<END
Package: berth
Version: $VERSION
Architecture: $architecture
Maintainer: $maintainer
Section: science
Priority: optional
Installed-Size: $(du -k -s "$root/usr" | cut -f 1)
Depends: $libraries, pocl-opencl-icd | opencl-icd, libsqlite3-0
Recommends: python3-rdkit, python3-gemmi, openbabel
Suggests: slurm-client, ocl-icd-opencl-dev, zlib1g-dev
Description: molecular docking on any OpenCL device
 berth docks small molecules into proteins: from a receptor, one ligand or
 millions, and a site it computes ranked poses with their energies. The whole
 search runs on an OpenCL device: a GPU, or a plain CPU through PoCL.
 .
 This package has the program, the library with its header, and scripts for
 screens on Slurm clusters.
END
echo 'libberth 0.2 berth' >"$root/DEBIAN/shlibs"
echo 'activate-noawait ldconfig' >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums)
package=$BUILD/berth_${VERSION}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
rm -rf "$BUILD/deb"
echo "$package"
