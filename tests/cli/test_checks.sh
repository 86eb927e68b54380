#!/bin/sh
# What `make check` finds that no compiler does: circles between files, and references to what is nowhere.
# shellcheck shell=sh disable=SC2154,SC2086
. tests/cli/lib.sh

# Two files of a library, one of which calls the other, and each header's type holds the other's.
mkdir -p src/room build/src/room
cat >src/room/a.h <<'END'
struct berth_part;
struct berth_whole { struct berth_part *part; };
int berth_whole(void);
END
printf '#include "a.h"\nint berth_whole(void) { return 1; }\n' >src/room/a.c
printf 'struct berth_part { struct berth_whole whole; };\n' >src/room/b.h
printf '#include "a.h"\n#include "b.h"\nint berth_part(void);\nint berth_part(void) { return berth_whole(); }\n' >src/room/b.c
build() { for file in a b; do cc -c -o build/src/room/$file.o src/room/$file.c || return 1; done; }
circles() { run python3 "$root/tools/check_cycles.py" build src; }

build && circles
check 'files one of which needs the other' exited 0

sed -i -e '/^struct berth_part;/d' -e 's/struct berth_part \*part;/int parts; enum berth_kind kind;/' src/room/a.h
echo 'enum berth_kind { BERTH_KIND };' >>src/room/b.h
circles
check 'a circle of types in headers' exited 1
check 'and whose it is' holds stdout 'src/room/a, src/room/b'

printf 'int berth_whole(void);\nint berth_part(void);\n' >src/room/a.h
printf 'int berth_part(void);\nint berth_whole(void) { return berth_part(); }\n' >src/room/a.c
: >src/room/b.h
build && circles
check 'a circle of functions' exited 1

references() { run python3 "$root/tools/check_references.py" .; }
mkdir -p src/here
printf '/* As room/c.h has it; berth_here says it. */\nint berth_here(void);\n' >src/here/here.h
: >src/room/c.h
references
check 'comments that name what is there' exited 0
rm src/room/c.h
references
check 'a comment that names a file that is gone' exited 1
check 'and where' holds stdout 'src/here/here.h:1: room/c.h'
: >src/room/c.h
sed -i 's/int berth_here/int berth_there/' src/here/here.h
references
check 'a comment that names a function that is gone' holds stdout 'berth_here is nowhere'

finish
