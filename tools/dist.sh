#!/bin/sh
# Makes the tarball of the sources: all that git keeps, with what is in the working tree, in one order
# and with the time of the last commit, so that the same commit gives the same bytes.  It builds without
# network: nothing is fetched but what tools/setup.sh installs.
# Usage: BUILD=build VERSION=0.2.0 sh tools/dist.sh
# Prints the tarball's name.
set -eu
name=berth-$VERSION
if ! time=$(git log -1 --format=%ct 2>/dev/null); then
    echo 'dist: this is no git checkout, which says what files there are' >&2
    exit 1
fi
mkdir -p "$BUILD"
tarball=$BUILD/$name.tar.gz
git ls-files | LC_ALL=C sort | while read -r file; do
    [ ! -e "$file" ] || printf '%s\n' "$file"
done | tar --create --files-from=- --mtime="@${SOURCE_DATE_EPOCH:-$time}" --owner=0 --group=0 --numeric-owner \
    --mode='u=rwX,go=rX' --format=ustar --transform="s|^|$name/|" | gzip -n -9 >"$tarball.$$"
mv "$tarball.$$" "$tarball"
echo "$tarball"
