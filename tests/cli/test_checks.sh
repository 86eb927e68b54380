#!/bin/sh
# What `make check` finds that no compiler does: circles between files, and references and commands of documents to what is nowhere.
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

# Commands of documents, in line and in blocks, of this program and of its scripts.
mkdir docs bench
printf 'here:\n' >Makefile
echo 'echo --out' >bench/go.sh
printf '`make here`, `bench/go.sh --out X -- --seed 2`, `berth eval\nredock SET --mode torsions`.\n' >docs/here.md
commands() { run python3 "$root/tools/check_references.py" . "$BERTH"; }
rm -r src
commands
check 'a document whose commands exist' exited 0
printf '`berth doc -h`, `berth prep ligand x`\n\n    make there\n    berth dock --receptor a \\\n        --ligands b\n' >>docs/here.md
printf '`bench/go.sh --into X -- --sead 2`, `bench/gone.sh`\n' >>docs/here.md
commands
check 'names of commands, options, targets and scripts that are none' all exited 1 -- lines stdout 7 -- \
    holds stdout 'docs/here.md:3: berth doc is' -- holds stdout 'berth prep ligand is' -- holds stdout 'make there is' -- \
    holds stdout 'berth dock --ligands is' -- holds stdout 'bench/go.sh --into is' -- holds stdout 'bench/go.sh --sead is' -- \
    holds stdout 'docs/here.md:8: bench/gone.sh is'

finish
