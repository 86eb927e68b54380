#!/bin/sh
# The library for other programs, berth.h: what it exports, that all of it is explained, and a client
# that screens, is stopped and killed, goes on, and gets what `berth screen` gets.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

header=$root/include/berth.h
prefix=$work/prefix
run ${MAKE:-make} -s -C "$root" --no-print-directory install BUILD="$BUILD" PREFIX="$prefix"
check 'make install' exited 0
client() { # SOURCE OPTIONS...: compiled against what was installed, without warnings
    client_source=$1
    shift
    # shellcheck disable=SC2086
    run ${CC:-cc} -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror $sanitize "$@" \
        -I"$prefix/include" "$client_source" -L"$prefix/lib" -lberth -Wl,-rpath,"$prefix/lib"
}

# The header: alone, as C11 and C++, and every function and field with a comment.
for language in c:c11 c++:c++11; do
    run ${CC:-cc} -x "${language%:*}" -std="${language#*:}" -Wall -Wextra -Wpedantic -Werror \
        -fsyntax-only "$header"
    if [ "${language%:*}" = c++ ] && grep -q 'cc1plus' stderr; then
        skip 'berth.h compiles as C++' 'a C++ compiler is not installed'
    else
        check "berth.h compiles by itself as ${language#*:}" all exited 0 -- silent
    fi
done
check 'includes nothing but the standard' [ "$(grep -c '^#include' "$header")" -eq 3 ]
awk '/^BERTH_API/ && before !~ /\*\/$/ { print FILENAME ":" FNR ": no comment: " $0 }
    { before = $0 }' "$header" >silent
check 'every function has a comment' same silent /dev/null
# A field's comment is behind it, or fills the line before it.
awk '/^struct [a-z_]* \{$/ { inside = 1; next }
    /^}/ { inside = 0 }
    !inside { next }
    comment { if (/\*\//) { comment = 0; if (own) above = FNR } next }
    {
        code = $0
        sub(/\/\*.*/, "", code)
        own = code !~ /[^ ]/
        comment = /\/\*/ && !/\*\//
        if (own && !comment) above = FNR
        if (code ~ /;/ && !/\/\*/ && above != FNR - 1)
            print FILENAME ":" FNR ": no comment: " $0
    }' "$header" >silent
check 'so has every field' same silent /dev/null

# What the shared library exports: the header's functions, and nothing else (but what --coverage adds).
nm -D --defined-only "$prefix/lib/libberth.so" | awk '{ print $NF }' | grep -v '^__\|^_init$\|^_fini$\|^mangle_path$' |
    sort >exported
tr '\n' ' ' <"$header" | sed 's/BERTH_API/\n&/g' |
    sed -n 's/^BERTH_API [^(]*[ *]\(berth_[a-z_]*\)(.*/\1/p' | sort >declared
check 'libberth.so exports what berth.h declares' all [ -s declared ] -- diff declared exported
check 'by this soname' sh -c 'readelf -d "$1" | grep -q "SONAME.*\[libberth.so.0.2\]"' sh "$prefix/lib/libberth.so"

# The screen: by the program, and by a client of the library.
check 'the client is short' [ "$(wc -l <"$root/tests/cli/client_screen.c")" -lt 100 ]
client "$root/tests/cli/client_screen.c" -std=c11 -o client
check 'and compiles' exited 0
whole() { # DIR OPTIONS...
    whole_out=$1
    shift
    "$BERTH" screen --scoring vina --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --library many.blib --out "$whole_out" --poses 32 --generations 2 "$@"
}
run_client() { # DIR OPTIONS...
    ./client pocket.mol2 demo/1hpv_ligand.mol2 many.blib "$@"
}
run whole first
run run_client again
check 'a screen by the library' all exited 0 -- same_results first again -- \
    grep -q "^finished $ligands of $ligands, best " stdout
best=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["score"] < best { best = $column["score"]; name = $column["ligand"] }
    END { print name " " best }' first/scores.csv)
check 'its results are those of scores.csv' holds stdout "best $best"

# The same where the process has a locale with decimal commas.
printf 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n' >comma.txt
localedef -c -i comma.txt ./comma >comma.log 2>&1
cat >comma.c <<'END'
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static void __attribute__((destructor)) look(void)
{
    printf("now %.1f\n", 0.5);
}

static void __attribute__((constructor)) change(void)
{
    if (!setlocale(LC_ALL, "comma")) {
        abort();
    }
}
END
LOCPATH=$PWD
export LOCPATH
if [ -e comma/LC_NUMERIC ]; then
    client "$root/tests/cli/client_screen.c" -std=c11 comma.c -o commas
    mv client points && mv commas client
    run run_client comma_screen
    mv client commas && mv points client
    check 'a screen in a locale with decimal commas, which the process keeps' all exited 0 -- same_results first comma_screen -- \
        grep -q "^finished $ligands of $ligands, best " stdout -- grep -qx 'now 0,5' stdout
else
    skip 'a screen in a locale with decimal commas' 'locales is not installed'
fi

# The example of docs/api.md.
sed -n '/^```c$/,/^```$/p' "$root/docs/api.md" | grep -v '^```' >example.c
client example.c -std=c11 -o example
check 'the example of docs/api.md compiles' exited 0
if command -v obabel >/dev/null; then
    printf '%s\n' 'Oc1ccccc1 phenol' 'this is nothing' 'CC(=O)N acetamide' >three.smi
    run ./example pocket.mol2 demo/1hpv_ligand.mol2 three.smi
    check 'and docks' all exited 0 -- grep -q '^phenol: [123] poses, the best -[0-9.]* kcal/mol$' stdout -- \
        grep -q '^acetamide: ' stdout -- holds ligands.failures.csv nothing -- [ "$(grep -c '^  6 ' stdout)" -eq 8 ]
    "$BERTH" lib info ligands.blib | grep '^made by' >noted
    run "$BERTH" prep ligands three.smi --out ligands.blib --overwrite
    run "$BERTH" lib info ligands.blib
    check 'its library says what that of berth prep ligands says' all [ -s noted ] -- \
        [ "$(grep '^made by' stdout)" = "$(cat noted)" ]
    if [ -e comma/LC_NUMERIC ]; then
        run ./example pocket.mol2 demo/1hpv_ligand.mol2 three.smi
        grep -v '^berth' stdout >points.txt
        client example.c -std=c11 comma.c -o example
        rm ligands.*
        run ./example pocket.mol2 demo/1hpv_ligand.mol2 three.smi
        grep -v '^berth\|^now' stdout >commas.txt
        check 'it prepares and docks the same with decimal commas' all exited 0 -- [ -s commas.txt ] -- same points.txt commas.txt
    else
        skip 'it prepares and docks the same with decimal commas' 'locales is not installed'
    fi
else
    skip 'and docks' 'obabel is not installed'
fi

slice screening 'killed, stopped and resumed'
run run_client killed kill
check 'killed' all [ "$code" -gt 128 ] -- absent killed/scores.csv -- [ -s killed/journal ]
run run_client killed stop
check 'resumed, and stopped by its callback' all exited 0 -- grep -q "^stopped [1-9][0-9]* of $ligands, best " stdout -- \
    absent killed/scores.csv
cp -r killed handed
run run_client killed
check 'resumed to its end' all exited 0 -- same_results first killed -- grep -q '^finished' stdout
run whole handed --resume
check 'or by berth screen' all exited 0 -- same_results first handed
finish
