#!/bin/sh
# How probably a ligand's first pose is right: what a ranking's `confidence` makes of it and of the other modes, in
# tables, tags and journals.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

# dock OUT OPTIONS...: the demo's ligand, searched quickly.
dock() {
    dock_out=$1
    shift
    "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand_turned.mol2 \
        --autobox_ligand demo/1hpv_ligand.mol2 --poses 96 --generations 6 --refine 24 --hops 1 --min_rmsd 0.5 --seed 4 \
        --out "$dock_out.sdf" --scores "$dock_out.csv" "$@"
}

# ranking NAME CONFIDENCE: a file NAME.rank.
ranking() {
    printf 'scoring = vina,vinardo,plp\nposes = vina + vinardo + strain\nligands = vina\nconfidence = %s\n' "$2" >"$1.rank"
}
confidence() { columns "$1.csv" confidence | head -n 1; } # RUN: of the first pose

run dock default
check 'a docking says how probably its first pose is right, and of no other' all exited 0 -- python3 - <<'END'
import csv
rows, records = list(csv.DictReader(open("default.csv"))), open("default.sdf").read().split("$$$$\n")
assert len(rows) > 3 and 0 <= float(rows[0]["confidence"]) <= 1
assert all(row["confidence"] == "" for row in rows[1:])
assert f">  <confidence>\n{rows[0]['confidence']}\n" in records[0]
assert not any("<confidence>" in record for record in records[1:])
END
check 'the run card has its expression' grep -q '"rank_confidence": "1 / (1 + exp' default.run.json
ranking half 1/2
run dock half --rank half.rank
check 'and a line below the table says it in words' all exited 0 -- \
    said 'a line below the table' 'likely to be within' -- [ "$(confidence half)" = 0.5000 ]
run dock single --num_modes 1
check 'as probably, however many modes are kept' all exited 0 -- lines single.csv 2 -- \
    [ "$(confidence single)" = "$(confidence default)" ]
run dock plain --rank 'vina + vinardo' --scoring vina,vinardo
check 'a ranking that does not say has no such column, and no such line' all exited 0 -- lacks stdout likely -- \
    sh -c '! grep -q confidence plain.csv plain.sdf plain.run.json'

for name in gap gap_vina gap_vinardo gap_plp; do
    ranking $name "1/(1 + exp(-$name))"
    run dock $name --rank $name.rank --num_modes 50
done
ranking agree agree
run dock agree --rank agree.rank --num_modes 50
ranking ranked '-pose_ranking/100'
run dock ranked --rank ranked.rank --num_modes 50
run dock few --rank gap.rank --num_modes 2
check 'of fewer modes it is the same' all exited 0 -- lines few.csv 3 -- [ "$(confidence few)" = "$(confidence gap)" ]
ranking large '7 + gap'
run dock large --rank large.rank
check 'it is 1 at most' all exited 0 -- [ "$(confidence large)" = 1.0000 ]
ranking least '-3 - gap'
run dock least --rank least.rank
check 'and 0 at least' all exited 0 -- [ "$(confidence least)" = 0.0000 ]
ranking none 'log(0*vina - 1)'
run dock none --rank none.rank
check 'what is no number is empty' all exited 0 -- [ -z "$(confidence none)" ]

need_rdkit 'the gaps are those of the modes'
check 'gaps and agreement are those of the modes, as RDKit tells them apart' "$python" - <<'END'
import csv, math
from rdkit.Chem import SDMolSupplier, rdMolAlign
rows, modes = list(csv.DictReader(open("gap.csv"))), list(SDMolSupplier("gap.sdf"))
assert 3 < len(rows) == len(modes) < 50  # all that were found
far = [rdMolAlign.CalcRMS(mode, modes[0]) >= 2 for mode in modes]
assert any(far) and not all(far[1:])
said = lambda name: float(next(csv.DictReader(open(name + ".csv")))["confidence"])
gaps = {"gap": "pose_ranking", "gap_vina": "vina", "gap_vinardo": "vinardo", "gap_plp": "plp"}
agree = 0
for name, column in gaps.items():
    values = [float(row[column]) for row in rows]
    least = min(value for value, rival in zip(values, far) if rival)
    assert abs(said(name) - 1 / (1 + math.exp(values[0] - least))) < 1e-3, name
    agree += name != "gap" and min(values) < least
assert abs(said("agree") - agree / 3) < 1e-3
assert abs(said("ranked") + float(rows[0]["pose_ranking"]) / 100) < 1e-3
END

# One that has no other place to go.
ranking alone 'gap/100'
fragment alone O.3 >alone.mol2
run "$BERTH" dock --receptor pocket.mol2 --ligand alone.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --poses 16 \
    --generations 1 --refine 1 --rank alone.rank --out alone.sdf --scores alone.csv
check 'without a rival a gap is 100' all exited 0 -- [ "$(confidence alone)" = 1.0000 ]

# Restraints that the first pose does not meet: the ranking has not chosen it.
echo 'atom to 60 60 60' >far.txt
run dock unmet --restraints far.txt
check 'where required restraints are not met, nothing is said' all exited 0 -- [ -z "$(confidence unmet)" ]

slice screening 'screens'
ranking screen '1/(1 + exp(-gap))'
whole() { # DIR OPTIONS...
    whole_out=$1
    shift
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library many.blib \
        --poses 16 --generations 2 --refine 4 --hops 1 --num_modes 2 --rank "${rank:-screen.rank}" --out "$whole_out" "$@"
}
run whole whole
check 'a screen has it of each ligand' all exited 0 -- python3 - <<'END'
import csv
rows = list(csv.DictReader(open("whole/scores.csv")))
assert len(rows) == 41 and all(0.5 <= float(row["confidence"]) <= 1 for row in rows)
END
mkdir cut
size=$(wc -c <whole/journal)
head -c $((size / 2)) whole/journal >cut/journal
run whole cut --resume
check 'the same where it is resumed' all exited 0 -- same_results whole cut
for shard in 1 2; do
    run whole part$shard --shard $shard/2
done
run "$BERTH" merge part1 part2 --out merged
check 'and merged' all exited 0 -- same whole/scores.csv merged/scores.csv
run "$BERTH" merge part1 part2 --out again --rank 'vina + plp'
check 'by another ranking it says nothing' all exited 0 -- \
    [ -z "$(columns again/scores.csv confidence | tr -d '\n')" ] -- sh -c '! grep -q rank_confidence again/run.json'
ranking screen '1/(1 + exp(-2*gap))'
run whole whole --resume
check 'another expression is another run' exited 1
rank=screening
run whole usual
check 'the ranking of screens does not say' all exited 0 -- sh -c '! grep -q confidence usual/scores.csv usual/run.json'

# Mistakes.
refuses() { # NAME CONFIDENCE
    ranking bad "$2"
    refused "$1" dock out/no --rank bad.rank
}
refuses 'a field that there is not' '2*gold'
refuses 'a function that does not rank' gap_bude
refuses 'rows that are compared' 'z(gap)'
printf 'poses = gap\nligands = vina\n' >bad.rank
refused 'a gap that ranks' dock out/no --scoring vina --rank bad.rank
finish
