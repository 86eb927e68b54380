#!/bin/sh
# Results as one SQLite file, read by Python's sqlite3: the schema, the same numbers and structures as in
# the run's files, several runs in one file, show and report of it, and a process killed while it writes.
# shellcheck shell=sh disable=SC2154,SC2034
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

python3 -c 'import sqlite3' 2>/dev/null || {
    skip 'a database of results' 'Python has no sqlite3'
    finish
}

# ask DB SQL: its rows, values with | between them.
cat >ask.py <<'END'
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*["" if value is None else value for value in row], sep="|")
END
ask() { python3 ask.py "$@"; }
# gives TEXT DB SQL
gives() { [ "$(ask "$2" "$3" | paste -s -d ' ' -)" = "$1" ] || { ask "$2" "$3"; return 1; }; }
# content DB: all of it but for run.json, which has times, as lines of SQL in one order.
content() {
    python3 -c 'import sqlite3, sys
base = sqlite3.connect(":memory:")
sqlite3.connect(sys.argv[1]).backup(base)
base.execute("UPDATE run SET json = NULL")
print(*sorted(base.iterdump()), sep="\n")' "$1"
}

run screen one --db results.db --num_modes 2 --top 12 --max_clash 0.6
check 'a screen with --db' all exited 2 -- [ "$(wc -l <one/failures.csv)" -gt 1 ]

# The schema: that of the file, and the columns of scores.csv that it does not name.
python3 - "$root/data/store/schema.sql" results.db >difference <<'END'
import sqlite3, sys
def columns(base):
    names = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE sql NOT NULL ORDER BY name")]
    return {name: [row[1:3] for row in base.execute(f"PRAGMA table_xinfo('{name}')")] for name in names}
wanted = sqlite3.connect(":memory:")
wanted.executescript(open(sys.argv[1]).read())
table = "ranking score vina vinardo energy steric electrostatic desolvation strain conformer_strain efficiency rmsd clash conformer twist device"
for name in table.split():
    if name not in ("score", "energy", "ranking", "vina", "vinardo"):
        wanted.execute(f"ALTER TABLE pose ADD COLUMN {name}")
found = columns(sqlite3.connect(sys.argv[2]))
for name, here in columns(wanted).items():
    if found.pop(name, None) != here:
        print(name, here)
print(*found.items(), end="")
END
check 'the exact schema' all [ ! -s difference ] -- gives '1650815604' results.db 'PRAGMA application_id' -- \
    gives 1 results.db 'PRAGMA user_version'
check 'it is whole' gives ok results.db 'PRAGMA integrity_check'

# The same as the files.
"$BERTH" show results.db --poses --out all.csv
python3 - >difference 2>&1 <<'END'
import csv, sqlite3, zlib
base = sqlite3.connect("results.db")
mine = {row["ordinal"]: row for row in csv.DictReader(open("all.csv")) if row["mode"] == "1"}
for row in csv.DictReader(open("one/scores.csv")):
    there = mine.pop(row["ordinal"])
    if {name: there[name] for name in row} != row:
        print(row, there)
print(*mine, end="")
poses = base.execute("SELECT sdf, bytes FROM structure JOIN ligand USING (run, ordinal) ORDER BY rank, mode").fetchall()
if b"".join(zlib.decompress(sdf) for sdf, size in poses) != open("one/hits.sdf", "rb").read():
    print("structures")
if any(len(zlib.decompress(sdf)) != size for sdf, size in poses):
    print("sizes")
if not any(mode > 1 for mode, in base.execute("SELECT mode FROM pose")):
    print("no second modes")
reasons = [tuple(row) for row in csv.reader(open("one/failures.csv"))][1:]
if [tuple(map(str, row)) for row in base.execute("SELECT ordinal, ligand, reason FROM failure ORDER BY rowid")] != reasons:
    print("failures")
END
check 'it holds what the files do' same difference /dev/null
check 'numbers are numbers' gives 'real|integer|text' results.db \
    'SELECT DISTINCT typeof(energy), typeof(rank), typeof(ligand) FROM score'
"$BERTH" interactions --receptor pocket.mol2 --poses one/hits.sdf --out interactions.csv 2>/dev/null
check 'interactions are those of berth interactions' gives "$(($(wc -l <interactions.csv) - 1))" results.db \
    'SELECT count(*) FROM interaction'
python3 - >difference 2>&1 <<'END'
import csv, sqlite3
wanted = sorted((row["kind"], row["residue"], row["number"], row["ligand_atoms"], float(row["distance"]), row["weak"])
                for row in csv.DictReader(open("interactions.csv")))
found = sorted(sqlite3.connect("results.db").execute("SELECT kind, residue, number, ligand_atoms, distance, coalesce(weak, '') || '' FROM interaction"))
if wanted != found:
    print(wanted[:3], found[:3])
END
check 'each of them' same difference /dev/null

# Show and report.
run "$BERTH" show results.db --top 3
cp stdout shown
run "$BERTH" show one --top 3
sed 's/^[0-9]* rows/N rows/' shown >a
sed 's/^[0-9]* rows/N rows/' stdout >b
check 'berth show' same a b
run "$BERTH" show results.db --poses --top 4 --sort energy --out four.sdf
"$BERTH" show results.db --poses --top 4 --sort energy --columns ligand --out four.csv
check 'structures, from the database itself' all exited 0 -- [ "$(grep -c M..END four.sdf)" -eq 4 ] -- \
    [ "$(awk 'NR == 1 || last == "$$$$" { print } { last = $0 }' four.sdf)" = "$(sed 1d four.csv)" ]
what="SELECT ligand, mode, kind, chain, number, distance FROM score JOIN interaction USING (ordinal, mode)
    WHERE kind = 'hydrogen_bond' ORDER BY rank, mode, interaction.rowid"
run "$BERTH" show one --sql "$what" --out a.csv
run "$BERTH" show results.db --sql "$what" --out b.csv
check '--sql has the same tables of a folder and of a database' all exited 0 -- same a.csv b.csv -- [ "$(wc -l <a.csv)" -gt 1 ]
mkdir docked && cp one/scores.csv one/run.json docked && cp one/hits.sdf docked/poses.sdf
run "$BERTH" show docked --sql "$what" --out c.csv
check 'and of a folder with poses.sdf, as dock may have written it' all exited 0 -- same a.csv c.csv
mkdir temporary
run env TMPDIR="$work/temporary" "$BERTH" report results.db
check 'berth report' all exited 0 -- [ -s results.html ] -- [ "$(grep -c '"interactions"' results.html)" -gt 0 ]
check 'and no copy of it stays' nothing_in temporary

slice screening 'several runs, merging, killed'
# Several runs, of other functions and commands.
scoring=vina
run screen two --db results.db --num_modes 1
check 'another screen' all exited 0 -- gives "1|$PWD/one|screen 2|$PWD/two|screen" results.db 'SELECT run, name, command FROM run'
run "$BERTH" dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --ligand demo/1hpv_ligand.mol2 \
    --out docked.sdf --poses 64 --num_modes 3 --db results.db
check 'a docking' all exited 0 -- gives "3|$PWD/docked.sdf|dock" results.db 'SELECT run, name, command FROM run WHERE run = 3' -- \
    gives 3 results.db 'SELECT count(*) FROM structure WHERE run = 3' -- \
    gives 1 results.db 'SELECT count(*) > 0 FROM interaction WHERE run = 3'
run "$BERTH" dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --ligand demo/1hpv_ligand.mol2 \
    --out docked.sdf --scores docked.csv --poses 64 --num_modes 3 --db docked.db
"$BERTH" show docked.db --poses --out shown.csv
check 'with a table: the same' same docked.csv shown.csv
run "$BERTH" show results.db --run two --out shown.csv
check 'a run by its folder' [ "$(cut -d , -f 2 shown.csv | sort)" = "$(cut -d , -f 2 two/scores.csv | sort)" ]
run "$BERTH" show results.db --run 1 --top 3
sed 's/^[0-9]* rows/N rows/' stdout >b
check 'a run by its number' same a b
refused 'no such run' "$BERTH" show results.db --run seven
scoring=bude

# Merging, and once more: a run takes the place of itself.
content results.db >before
run screen one --db results.db --num_modes 2 --top 12 --max_clash 0.6 --resume
content results.db >after
check 'the same run again: the same content' all exited 2 -- same before after
run "$BERTH" merge one --out merged --db merged.db
check 'a merge' all exited 2 -- gives "$(($(wc -l <one/scores.csv) - 1))" merged.db 'SELECT count(*) FROM ligand'

# Killed while it writes, which it waits for here as another writer has the file.
cat >hold.py <<'END'
import sqlite3, sys, time
base = sqlite3.connect("killed.db", isolation_level=None)
base.execute("BEGIN IMMEDIATE")
open("held", "w").close()
time.sleep(float(sys.argv[1]))
END
run screen killed --db killed.db --num_modes 2 --top 12
content killed.db >before
rm -rf killed killed.db held
: >killed.db
python3 hold.py 600 &
holder=$!
while [ ! -e held ] && kill -0 "$holder"; do sleep 0.05; done
start_screen killed --db killed.db --num_modes 2 --top 12
while [ ! -e killed/run.json ] && kill -0 "$pid"; do sleep 0.05; done
kill -9 "$pid" "$holder"
wait "$pid" "$holder" 2>/dev/null
check 'killed while it waits: nothing is there' gives 0 killed.db 'SELECT count(*) FROM sqlite_master'
run screen killed --db killed.db --num_modes 2 --top 12 --resume
content killed.db >after
check 'and resumed: the same content' all exited 0 -- same before after
rm held
python3 hold.py 600 &
holder=$!
while [ ! -e held ] && kill -0 "$holder"; do sleep 0.05; done
start_screen waiting --db killed.db --num_modes 2 --top 12
until grep -q 'killed.db: ' started.err || ! kill -0 "$pid"; do sleep 0.05; done
kill -TERM "$pid"
wait "$pid"
code=$?
kill "$holder"
wait "$holder" 2>/dev/null
cp started.err stderr
check 'another writer is waited for aloud, and a signal ends that' all exited 1 -- said 'another writer' killed.db -- \
    [ -s waiting/scores.csv ]

# What is refused, before anything is docked.
python3 -c 'import sqlite3
base = sqlite3.connect("other.db")
base.execute("CREATE TABLE mine (a)")
base.commit()'
refused 'a database of something else' screen out/no --db other.db
refused 'no database' screen out/no --db many.blib
refused 'poses that are no SDF' "$BERTH" dock \
    --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --ligand demo/1hpv_ligand.mol2 \
    --out out/docked.mol2 --db results.db
# Databases that somebody else has made.
spoil() { # STATEMENTS: results.db, with these run, as spoiled.db
    cp results.db spoiled.db
    python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' spoiled.db "$1"
}
spoil "UPDATE field SET decimals = 300000000 WHERE name = 'score'"
refused 'decimals without end' "$BERTH" show spoiled.db --out out/a.csv
spoil "UPDATE field SET place = '(SELECT * FROM run) AS pose' WHERE name = 'score'"
refused_too "a table's name that is none" 'AS pose' "$BERTH" show spoiled.db --out out/a.csv
spoil "UPDATE field SET name = 'a, \"b\"' || char(10) || 'c' WHERE name = 'score'"
run "$BERTH" show spoiled.db --poses --out out/b.csv
check "a column's name with a comma and a line end is one name" all exited 0 -- python3 -c 'import csv
rows = list(csv.reader(open("out/b.csv", newline="")))
assert {len(row) for row in rows} == {len(rows[0])} and "a, \"b\"\nc" in rows[0], rows[0]'
spoil "ALTER TABLE pose RENAME TO old; CREATE VIEW pose AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
    SELECT 1 AS run, 0 AS ordinal, x AS mode, 0 AS score, 0 AS energy FROM n"
refused 'a view without end' timeout -k 1 20 "$BERTH" show spoiled.db --out out/a.csv
refused 'no SQLite' env BERTH_SQLITE=/nowhere/libsqlite3.so.0 "$BERTH" show results.db
finish
