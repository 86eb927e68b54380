#!/bin/sh
# `berth report`: a run as one page, which a browser opens without network, errors or obeying names.
. tests/cli/lib.sh

# datum PAGE EXPRESSION: a fact of the page's data d, in Python.
datum() {
    python3 - "$1" "$2" <<'END'
import json, re, sys
d = json.loads(re.search(r'id="data">(.*?)</script>', open(sys.argv[1]).read(), re.S)[1])
print(eval(sys.argv[2]))
END
}
# edited PAGE CODE: the page, whose data d was changed by a statement for each hit.
edited() {
    python3 - "$1" "$2" <<'END'
import json, re, sys
text = open(sys.argv[1]).read()
begin, end = re.search(r'id="data">(.*?)</script>', text, re.S).span(1)
d = json.loads(text[begin:end])
for hit in d["hits"]:
    exec(sys.argv[2])
print(text[:begin] + json.dumps(d, separators=(",", ":")).replace("<", "\\u003c") + text[end:])
END
}

# A run of two ligands, one of which has a name that is HTML, script and formula at once.
hostile='</script><img src=x onerror="document.title=1">=cmd|&amp;'
{
    cat demo/1hpv_ligand.mol2
    awk -v name="$hostile" '/^@<TRIPOS>MOLECULE/ { print; getline; print name; next } { print }' demo/1hpv_ligand.mol2
} >two.mol2
mkdir run
"$BERTH" dock --scoring vina --receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --ligand two.mol2 --separate \
    --poses 16 --generations 2 --num_modes 2 --out run/poses.sdf --scores run/scores.csv >/dev/null 2>&1
check 'the run' lines run/scores.csv 5
printf '%s\n' ordinal,ligand,reason '7,bad7,"molecule bad7: atom 3 (C) has more bonds"' \
    '8,bad8,"molecule bad8: atom 12 (C) has more bonds"' '9,x,<b>bold</b>' >run/failures.csv

env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report run --out with.html >/dev/null 2>&1
run env BERTH_PYTHON=/bin/false PATH=/nowhere TMPDIR="$work/made" "$BERTH" report run/poses.sdf --out tags.html
for name in with tags; do
    datum $name.html '[d[part] for part in ("ranked_by", "rows", "ligands", "histogram", "sizes")]' >$name.page
done
check 'poses without their table have its numbers in their tags, and need no temporary file' all exited 0 -- same with.page tags.page -- holds tags.page "['score', 4, 2, " -- \
    holds tags.html '"table":"run/poses.sdf"'
sed '/^>/,/^$/d' run/poses.sdf >none.sdf
refused 'poses without scores' "$BERTH" report none.sdf
run env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report run/poses.sdf --scores run/scores.csv --out elsewhere.html
check 'poses with a table of another name' all exited 0 -- holds elsewhere.html '"rows":4'
mkdir named && cp run/poses.sdf named/site.sdf && cp run/scores.csv named/site.csv && cp run/failures.csv named/site.failures.csv
run "$BERTH" report named/site.sdf
check 'poses with their table beside them' all exited 0 -- said 'the report' named/site.html -- \
    holds named/site.html '"rows":4' -- holds named/site.html 'atom 3 (C) has more bonds'
printf '5,again,"m.smi, record %s: dropped: a duplicate, %s (record 1) came before: C%sO"\n' 2 one C 3 ethanol CC >>named/site.failures.csv
"$BERTH" report named/site.sdf >/dev/null 2>&1
check 'molecules that came before are dropped, not failed, for one reason' all holds named/site.html '"failed":3,"dropped":2,' -- \
    holds named/site.html ',2,"again, again"]'
mkdir molecules && cp run/scores.csv "$root/tests/fixtures/screen/library.blib" molecules/
printf '{\n  "identity": {\n    "prepare": "prep ligands few.mol2",\n    "scoring": "vina"\n  }\n}\n' >molecules/run.json
run env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report molecules --methods -
check 'how a screen prepared its molecules is in its library, and in its methods' all exited 0 -- holds molecules/report.html ' pH 7.4 ' -- \
    holds stdout ' pH 7.4 ' -- lines stdout 1
run "$BERTH" report named/site.sdf --out lost.html --methods lost.txt
check 'methods of poses alone' all exited 1 -- absent lost.html lost.txt -- said 'methods of poses alone' run.json
refused 'a folder without scores' "$BERTH" report out
check 'what the docking was is in run.json beside the poses' all holds run/poses.run.json '"mapped": ' -- \
    holds run/poses.run.json '"scoring": "vina"' -- holds run/poses.run.json "demo/1hpv_receptor.mol2" -- \
    python3 -m json.tool run/poses.run.json json.out
run "$BERTH" report run --out found.html
check 'which names the receptor for the page' all exited 0 -- holds found.html '"interactions":[[' -- holds found.html 'ILE B:50'
cp demo/1hpv_receptor.mol2 moved.mol2
echo '# moved' >>moved.mol2
run "$BERTH" report run/poses.sdf --scores run/scores.csv --receptor moved.mol2 --out moved.html
check 'another receptor than the run had is said, and the page names both' all exited 0 -- \
    holds stderr moved.mol2 -- \
    holds moved.html '"receptor":"moved.mol2"' -- grep -q '"docked_into":"[^"]*demo/1hpv_receptor.mol2"' moved.html
awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 200 } { print }' demo/1hpv_receptor.mol2 >far.mol2
run "$BERTH" report run/poses.sdf --scores run/scores.csv --receptor far.mol2 --out far.html
check 'one that no pose is at is refused' all exited 1 -- absent far.html
mv run/poses.run.json told.json
run env BERTH_PYTHON=/bin/false "$BERTH" report run --top 1 --out bare.html # Open Babel takes seconds for each
check 'without receptor and RDKit: what is missing is said' all exited 0 -- [ -s bare.html ] -- \
    said 'no receptor' ' interactions: ' -- said 'no RDKit' ' checked'
if command -v obabel >/dev/null; then
    check 'Open Babel draws' holds bare.html '"picture":"\u003c'
fi
echo amprenavir >actives.txt
run "$BERTH" report run --receptor demo/1hpv_receptor.mol2 --actives actives.txt --view pymol --reference demo/1hpv_ligand.mol2
check 'a page, and a script for PyMOL beside it' all exited 0 -- [ -s run/report.html ] -- \
    [ -s run/report.pml ] -- [ -s run/report_receptor.cif ] -- grep -q ': run/report.pml$' stdout
# The ligand that is best stands behind the other.
mkdir turned && cp run/scores.csv turned/
awk '{ print > ("record" int(n / 2) ".sdf") } $0 == "$$$$" { n++ }' run/poses.sdf
cat record1.sdf record0.sdf >turned/poses.sdf
run "$BERTH" report turned --receptor demo/1hpv_receptor.mol2 --view pymol --view_top 1
best=$(awk -F, 'NR > 1 && !seen[$1]++ { print 3 - 2 * $1, $4 }' run/scores.csv | sort -k 2,2g | sed -n '1s/ .*//p')
check 'of which the script opens the best, and says so' all exited 0 -- \
    said 'the script' PyMOL -- \
    [ "$(sed -n 's/^kept.append(\(.*\))$/\1/p' turned/report.pml)" = "$best" ]
if in_slice viewers 'PyMOL opens one' && needs pymol 'PyMOL opens one'; then
    printf 'print("STATES", cmd.count_states("poses"), len(cmd.get_title("poses", 1)) > 0, cmd.get_coords("poses", 1)[0].tolist())\n' >look.py
    env PATH=/usr/bin:/bin timeout 900 pymol -cq turned/report.pml look.py >stdout 2>&1
    awk -v best="$best" '$0 == "$$$$" { n++ } n == best - 1 && ++k == 5 + (best > 1) { print "STATES 1", $1 + 0, $2 + 0, $3 + 0 }' turned/poses.sdf >expected
    sed -n 's/^STATES \([0-9]*\) [A-Za-z]* \[\(.*\)\]/STATES \1 \2/p' stdout | awk '{ printf "STATES %d %.4f %.4f %.4f\n", $2, $3, $4, $5 }' >given
    awk '{ printf "STATES %d %.4f %.4f %.4f\n", $2, $3, $4, $5 }' expected >wanted
    check 'as its only state' same given wanted
fi
page=run/report.html
check 'it holds interactions, shares of residues and the ROC curve' all holds $page '"interactions":[[' -- \
    holds $page '"shares":[["' -- holds $page '"roc":{"actives":1,"ligands":2'
check 'all figures of a pose, by the names of the columns, and the tolerance of restraints' all holds $page '"figures":[["ordinal","0"],["ligand","amprenavir"]' -- \
    holds $page '["gauss1","-' -- holds $page '"tolerance":0.25'
check 'failures by reason, whatever names and numbers, as the first stands' holds $page '["molecule bad7: atom 3 (C) has more bonds",2,"bad7, bad8"],["\u003cb>bold\u003c/b>",1,"x"]'
check 'names cannot leave the data' sh -c '! grep -F -e "<img src=x" "$1" && [ "$(grep -c "</script>" "$1")" -eq 2 ]' sh $page
check 'nothing is fetched' sh -c \
    '! grep -o "https*://[^\" ]*" "$1" | grep -v "^http://www.w3.org/2000/svg$" && grep -q "default-src .none." "$1"' sh $page
"$BERTH" report run --receptor demo/1hpv_receptor.mol2 --top 1 --out one.html >/dev/null 2>&1
check '--top counts the best' all [ "$(datum one.html 'len(d["hits"])')" -eq 1 ] -- holds one.html '"rows":4,"ligands":2'
run "$BERTH" report run --scoring nonesuch
check 'no such scoring function' exited 1
printf 'name,x\na,1\n' >out.csv && mkdir other && mv out.csv other/scores.csv
run "$BERTH" report other --receptor demo/1hpv_receptor.mol2 --out p.html
check 'a table without scores' all exited 1 -- absent p.html -- said 'no columns' scores.csv

slice viewers 'many rows and poses, redocking, pockets, in a browser'
# Many rows: their number costs neither memory nor the page.
rows=1000000
mkdir many
{
    echo 'ordinal,ligand,rank,mode,score,energy,heavy_atoms'
    awk -v rows=$rows 'BEGIN { for (i = 0; i < rows; i++) printf "%d,LIG%d,%d,1,%.3f,%.3f,%d\n", i, i, i + 1, -12 + i / rows * 9, -14 + i / rows * 9, 10 + i % 40 }'
} >many/scores.csv
if [ -z "$sanitize" ]; then # they reserve more than there is
    run sh -c 'ulimit -v 512000 && exec env BERTH_PYTHON=/bin/false "$@"' sh "$BERTH" report many
    check "$rows rows in 500 MiB" all exited 0 -- holds many/report.html "\"rows\":$rows" -- \
        [ "$(wc -c <many/report.html)" -lt 300000 ]
fi

# Many poses: the best are shown.  The score of each copy is that of its row.
mkdir poses
awk '/^\$\$\$\$/ { exit } { print }' run/poses.sdf >pose
awk -v poses=1200 '
    FNR == NR { text[FNR] = $0; lines = FNR; next }
    END {
        for (i = 0; i < poses; i++) {
            print "LIG" i
            for (k = 2; k <= lines; k++) print text[k - 1] == ">  <score>" ? -12 + i / 100 : text[k]
            print "$$$$"
        }
    }' pose /dev/null >poses/poses.sdf
awk -v rows=1200 'BEGIN {
    print "ligand,mode,score,energy"
    for (i = 0; i < rows; i++) printf "LIG%d,1,%s,-9\n", i, -12 + i / 100
}' >poses/scores.csv
run env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report poses
check 'of 1,200 poses the best 500' all exited 0 -- [ "$(datum poses/report.html 'len(d["hits"])')" -eq 500 ] -- \
    holds poses/report.html '"name":"LIG499"' -- sh -c '! grep -q "\"name\":\"LIG500\"" poses/report.html' -- \
    holds poses/report.html '"rows":1200,"ligands":1200'
run "$BERTH" report poses --top 1001 --out over.html
check 'more poses than a page holds are refused' all exited 1 -- holds stderr ' 1000' -- absent over.html

# A docking in which the second pose of each ligand has the better score: berth's order stays, and
# the best ligand is the one whose first pose has the lower score.
mkdir modes
awk '
    function row(ordinal, mode, score) {
        for (k = 1; k <= lines; k++) {
            before = text[k - 1]
            print k == 1 ? "LIG" ordinal : before == ">  <ordinal>" ? ordinal : before == ">  <mode>" ? mode : before == ">  <score>" ? score : text[k]
        }
        print "$$$$"
    }
    { text[NR] = $0; lines = NR }
    END { row(0, 1, -7); row(0, 2, -12); row(1, 1, -8); row(1, 2, -9) }' pose >modes/poses.sdf
printf '%s\n' ordinal,ligand,mode,score,energy 0,LIG0,1,-7,-9 0,LIG0,2,-12,-9 1,LIG1,1,-8,-9 1,LIG1,2,-9,-9 >modes/scores.csv
env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report modes --top 2 --out top.html >/dev/null 2>&1
check '--top counts poses of the best ligands, whatever further poses score' \
    [ "$(grep -o '"name":"LIG[01]"' top.html | tr -d '\n')" = '"name":"LIG1""name":"LIG1"' ]
env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report modes >/dev/null 2>&1

# What redocking leaves.
mkdir redock
printf '%s\n' 'complex,mode,outcome,rmsd_top,rmsd_best' '1abc,crystal,right,0.51,0.4' '2<b>,crystal,search,7.20,1.1' >redock/redock.csv
echo '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' >redock/redock.svg
run env BERTH_PYTHON=/bin/false "$BERTH" report redock
check 'a page of eval redock' all exited 0 -- holds redock/report.html '"redock":{"columns":["complex"' -- \
    lacks redock/report.html 'alert(1)'

# In a browser.
# What a docking to a whole surface leaves.
mkdir surface
cp run/scores.csv surface
printf '%s\n' 'ligand,pocket,score,residues' 'a,1,-9.1,ASP A:25; <b>' 'a,2,-8.0,GLY B:49' 'b,1,-7.0,' >surface/poses.pockets.csv
printf '%s\n' 'pocket,ligands,residues' '1,2,ASP A:25' >surface/poses.agreed.csv
awk 'BEGIN { for (i = 3; i < 1500; i++) printf "b,%d,-1.0,\n", i }' >>surface/poses.pockets.csv
run env BERTH_PYTHON=/bin/false "$BERTH" report surface
check 'a page with pockets' all exited 0 -- holds surface/report.html '"pockets":{"columns":["ligand","pocket"' -- \
    holds surface/report.html '"agreed":{"columns":["pocket","ligands"'

needs chromium 'in a browser' || finish
# look PAGE SCRIPT: the page's console and elements after the script ran.
look() {
    awk -v script="$2" '{ sub(/<\/body>/, "<script>" script "</script></body>"); print }' "$1" >looked.html
    timeout 600 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/chromium" --virtual-time-budget=3000 \
        --window-size="${width:-1280}",900 --enable-logging=stderr --dump-dom "file://$work/looked.html" >dom 2>log
    grep CONSOLE log >console || :
}
# A frame of 400 px: the browser's own windows are not as narrow.
narrow() {
    awk -v script="$2" '{ sub(/<\/body>/, "<script>" script "</script></body>"); print }' "$1" >narrow.html
    echo '<body style="margin: 0"><iframe src="narrow.html" style="width: 400px; height: 900px; border: 0"></iframe></body>' >frame.html
    look frame.html ''
}
if python3 -c 'import rdkit' 2>/dev/null || /usr/bin/python3 -c 'import rdkit' 2>/dev/null; then
    check 'RDKit draws, with the places of atoms' holds $page '"places":"1 '
fi
look $page 'console.log("ROWS", document.querySelectorAll("tr.hit").length, document.title)'
check 'it opens: four hits, and nothing else on the console' all holds console 'ROWS 4 berth: 1hpv_receptor.mol2' -- lines console 1
check 'the hostile name is a text' sh -c 'grep -q -F "&lt;/script&gt;&lt;img src=x onerror" dom && ! grep -q "<img src=\"x\"" dom'
keys='const key = (k) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));'
look $page 'const at = [...document.querySelectorAll("#table thead th")].findIndex((head) => head.textContent === "polar"), hit = document.querySelector("tr.hit"); hit.click(); console.log("POLAR", +hit.children[at].textContent === [...hit.card.querySelectorAll("tbody tr")].filter((row) => /^[HSMX]$/.test(row.firstChild.textContent)).length, document.getElementById("legend").textContent.includes("polar counts H, S, M, X"), [...hit.card.querySelectorAll("dt")].map((name) => name.textContent).join(" "))'
check 'polar interactions are those; an opened hit has all columns' all holds console 'POLAR true true ordinal ligand mode' -- holds console ' strain '
if grep -q '"paths":' $page; then
    look $page 'const row = document.querySelector("tr.hit"); row.click(); const at = [...row.hit.places.matchAll(/[0-9]+ ([0-9.]+) ([0-9.]+)/g)].map((m) => [m[1] * 1.4 + 118, m[2] * 1.4 + 94]); const ends = [...document.querySelectorAll(".flat > path")].filter((line) => line.getAttribute("stroke-dasharray") === "2 5").map((line) => line.getAttribute("d").split("L")[1].split(" ")); console.log("LINES", ends.length > 0, ends.every(([x, y]) => at.some(([u, v]) => Math.hypot(x - u, y - v) < 1)))'
    check 'lines of hydrophobic contacts end at atoms' holds console 'LINES true true'
    look $page 'console.log("SAME", [...document.querySelectorAll("tr.hit")].map((row) => row.querySelector(".name small")?.textContent || row.hit.name.slice(0, 3)).join(" | "))'
    check 'a hit that is the molecule of a better one says of which' grep -q -e 'SAME </s | </s | same as </script>.* | same as </script>' \
        -e 'SAME amp | amp | same as amprenavir | same as amprenavir' console
    mkdir twins
    awk 'NR == 1 || before ~ /^\$\$\$\$/ { $0 = "amprenavir" } { print; before = $0 }' run/poses.sdf >twins/poses.sdf
    awk 'BEGIN { FS = OFS = "," } NR > 1 { $2 = "amprenavir" } { print }' run/scores.csv >twins/scores.csv
    cp told.json twins/poses.run.json
    "$BERTH" report twins >/dev/null 2>&1
    look twins/report.html 'console.log("TWINS", [...document.querySelectorAll("tr.hit .name small")].map((note) => note.textContent).join(" | "), document.querySelector(".methods").textContent)'
    check 'also one of the same name, with its rank, and it is counted' all holds console 'TWINS same as amprenavir, rank 1 | same as amprenavir, rank 1 ' -- \
        holds console '1 ligand has '
fi
mkdir stereo && cp run/scores.csv stereo/
awk '/^\$\$\$\$/ { print ">  <open_stereo>"; print n++ ? 1 : 2; print "" } { print }' run/poses.sdf >stereo/poses.sdf
env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report stereo >/dev/null 2>&1
look stereo/report.html 'console.log("OPEN", [...document.querySelectorAll("tr.hit .name small")].map((note) => note.textContent).join(" | "))'
check 'stereo that the seed chose is said beside the name' all holds console '2 open ' -- \
    holds console '1 open ' -- lines console 1
mkdir single && sed -n 1,3p run/scores.csv >single/scores.csv
env BERTH_PYTHON=/bin/false "$BERTH" report single >/dev/null 2>&1
look single/report.html 'console.log("FIGURES", document.getElementById("distributions").hidden, document.querySelectorAll("figure text").length)'
check 'of one ligand there are no distributions' holds console 'FIGURES true 0'
look $page "$keys"' key("j"); key("j"); key("Enter"); console.log("OPEN", document.querySelectorAll("tr.card").length, document.querySelectorAll("tr.card th").length); key("Enter"); console.log("SHUT", document.querySelectorAll("tr.card").length); key("/"); console.log("FOCUS", document.activeElement.id)'
check 'the keyboard: open, shut, filter' all holds console 'OPEN 1 7' -- holds console 'SHUT 0' -- holds console 'FOCUS filter' -- lines console 3
filter='const box = document.getElementById("filter"); const say = (t) => { box.value = t; box.dispatchEvent(new Event("input")); return document.getElementById("count").textContent + " " + document.querySelectorAll("tr.hit").length; };'
look $page "$filter"' console.log("A", say("ASP and energy < 0")); console.log("B", say("energy > 0")); console.log("C", say("amprenavir")); console.log("D", say("nonsense < 3")); console.log("E", say("gauss1 < 0")); console.log("F", say("")); document.querySelectorAll("#table thead button")[1].click(); console.log("G", document.querySelector("th[aria-sort]").textContent, document.querySelector("tr.hit .name").textContent.slice(0, 9))'
check 'the filter: words and comparisons' all holds console 'A 4 of 4 poses 4' -- holds console 'B 0 of 4 poses 0' -- \
    holds console 'C 2 of 4 poses 2' -- holds console 'D ' -- holds console 'E 4 of 4' -- holds console 'F 4 of 4'
check 'sorting by name' holds console 'G ligand </script>'
# Of each pose: how many residues the column names, how many more it counts, and all of them in order.
"$BERTH" interactions --receptor demo/1hpv_receptor.mol2 --poses run/poses.sdf --out near.csv >/dev/null 2>&1
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { name = $at["residue"] " " $at["chain"] ":" $at["number"]; pose = $at["pose"] }
    !seen[pose, name]++ { all[pose] = all[pose] (n[pose]++ ? ", " : "") name }
    END { for (pose in n) print pose, (n[pose] > 5 ? 5 : n[pose]), (n[pose] > 5 ? n[pose] - 5 : 0), all[pose] }' near.csv | sort >listed
look $page 'for (const row of document.querySelectorAll("tr.hit")) { const cell = row.querySelector(".near"), [shown, more] = cell.textContent.replaceAll(String.fromCharCode(160), " ").split(", +"); console.log("NEAR", row.hit.at, shown.split(", ").length, more || 0, shown + (cell.title ? ", " + cell.title : "")); }'
sed -n 's/.*"NEAR \(.*\)", source.*/\1/p' console | sort >column
check 'the residues that a hit interacts with are those of interactions, the strongest kinds first' all lines listed 4 -- \
    grep -q '^[0-9] 5 [1-9]' listed -- same listed column
look $page "$filter"' const found = document.querySelector("tr.hit .near[title]").parentElement.hit, last = found.near.split(", ").pop(); say(last); console.log("LEFT", found.row.isConnected, !found.row.querySelector(".near").textContent.includes(last.slice(4))); URL.createObjectURL = (blob) => { blob.text().then((text) => console.log("SAVED", text.includes(found.near))); return "#"; }; document.getElementById("save").click()'
check 'the filter and the saved table have those that the column only counts, too' all holds console 'LEFT true true' -- holds console 'SAVED true'
edited $page 'hit["interactions"] = []' >lonely.html
look lonely.html 'console.log("NEAR", [...document.querySelectorAll("tr.hit .near")].map((cell) => cell.textContent + cell.title).join(" "), document.querySelector("tr.hit").hit.shares.length > 0)'
check 'a hit without any says so, whatever residues contribute' holds console 'NEAR none none none none true'
if [ -e many/report.html ]; then # not under the sanitizers
    look many/report.html 'console.log("ROWS", document.querySelectorAll("tr.hit").length, document.querySelectorAll("#histogram rect").length)'
    check 'of a run without poses, too' all holds console 'ROWS 0 60' -- lines console 1
fi
open='document.querySelector("tr.hit").click(); const drawn = document.querySelector(".flat")?.getBoundingClientRect();'
look $page "$open"' const table = document.getElementById("table"); setTimeout(() => console.log("WIDE", table.scrollWidth, table.parentElement.clientWidth), 1500)'
check 'no column of the table is cut at 1280 px' awk -F 'WIDE ' '{ split($2, w, /[ "]/); exit !(w[1] > 0 && w[1] <= w[2]) }' console
check 'where the atoms of poses and pocket are' all holds $page '"atoms":[["' -- holds $page '"pocket":{"atoms":[["'
look $page "$open"' const view = document.querySelector("canvas.space"), inks = () => { const d = view.getContext("2d").getImageData(0, 0, view.width, view.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] + d[i + 1] + d[i + 2] < 600; return n; }; setTimeout(() => { const before = view.toDataURL(); console.log("INKED", inks() > 2000); view.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" })); console.log("TURNED", view.toDataURL() !== before); }, 500)'
check 'the pose in its pocket, which turns' all holds console 'INKED true' -- holds console 'TURNED true' -- lines console 2
# What is drawn in space: the ligand's sticks are the widest lines; texts are written once each.
spy='const pen = CanvasRenderingContext2D.prototype, stroke = pen.stroke, lineTo = pen.lineTo, moveTo = pen.moveTo, fillText = pen.fillText; let from, to, sticks = [], texts = []; pen.moveTo = function (x, y) { from = [x, y]; moveTo.call(this, x, y); }; pen.lineTo = function (x, y) { to = [x, y]; lineTo.call(this, x, y); }; pen.stroke = function () { sticks.push([this.lineWidth, from, to]); stroke.call(this); }; pen.fillText = function (text, x, y) { texts.push([text, x, y - 4, this.measureText(text).width / 2]); fillText.call(this, text, x, y); };'
covers='setTimeout(() => { const widest = Math.max(...sticks.map((stick) => stick[0])), residues = texts.filter(([text]) => /^[A-Z]{3} /.test(text)); const on = residues.filter(([, x, y, half]) => sticks.filter(([width]) => width === widest).some(([, a, b]) => [0, 0.25, 0.5, 0.75, 1].some((part) => Math.max(Math.abs(a[0] * part + b[0] * (1 - part) - x) - half, Math.abs(a[1] * part + b[1] * (1 - part) - y) - 6) < 0))); console.log("COVER", residues.length > 4, on.length); }, 500)'
look $page "$spy $open $covers"
check 'no name of a residue lies on the ligand in space' holds console 'COVER true 0'
narrow $page "$spy $open $covers"
check 'nor at 400 px' holds console 'COVER true 0'
# Two residues whose bonds end where the other one's side chain begins: the weak one's line is thin.
edited $page '
hit["atoms"] = [["N", x, y, 0] for x in (-4, -2, 0, 2, 4) for y in (1, -1)]
hit["bonds"] = [[a, a + 2] for a in range(8)]
hit["paths"] = hit["places"] = None
hit["interactions"] = [[0, "ASP A:1", "OD1", "N1", 3.0, 170, 1, 1], [0, "THR A:2", "OG1", "N2", 3.0, 170, 1, 0]]
d["pocket"] = {"residues": {"1": "ASP A:1", "2": "THR A:2"}, "bonds": [[0, 1], [2, 3]], "atoms": [
    ["C", -9, -1.2, -2, 1, "CB"], ["O", -7, 1.2, 0, 1, "OD1"], ["C", -9, 1.2, 2, 2, "CB"], ["O", -7, -1.2, 0, 2, "OG1"]]}' >crossed.html
ends='const dashed = {}; const stroked = pen.stroke; pen.stroke = function () { if (this.getLineDash().length) dashed[this.lineWidth < 2 ? "ASP A:1" : "THR A:2"] = from; stroked.call(this); };'
look crossed.html "$spy $ends $open"' setTimeout(() => { const off = ([, x, y, half], [u, v]) => Math.hypot(Math.max(0, Math.abs(x - u) - half), y - v), names = texts.filter(([text]) => dashed[text]); console.log("STAND", names.length, names.every((name) => Object.entries(dashed).every(([other, end]) => other === name[0] || off(name, dashed[name[0]]) < off(name, end)))); }, 500)'
check 'names stand at the ends of their own bonds' holds console 'STAND 2 true'
look $page 'URL.createObjectURL = (blob) => { blob.text().then((text) => console.log("SAVED", text.startsWith("<svg"), new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length, /class=/.test(text))); return "#"; }; document.querySelector("figcaption .save").click()'
check 'a figure is saved as SVG, with its style' all holds console 'SAVED true 0 false' -- lines console 1
if grep -q '"paths":' $page; then
    look $page "$open"' const boxes = [...document.querySelectorAll(".flat rect")].map((box) => box.getBoundingClientRect()); console.log("TOUCH", boxes.length > 3, boxes.filter((a, i) => boxes.slice(i + 1).some((b) => Math.min(a.right - b.left, b.right - a.left, a.bottom - b.top, b.bottom - a.top) > 0)).length)'
    check 'no label of the drawing lies on another' holds console 'TOUCH true 0'
    # Thirty residues of long names about one ligand, which no pocket has.
    sed 's/"pocket":{"atoms"/"none":{"atoms"/' $page >flat.html
    many='const hit = document.querySelector("tr.hit").hit, held = [...hit.interactions]; for (let i = 0; i < 30; i++) for (const item of held) { const copy = [...item]; copy[1] = `HIS AB:${1000 + i}`; hit.interactions.push(copy); }'
    apart='const inside = (a, b) => Math.min(a.right - b.left, b.right - a.left, a.bottom - b.top, b.bottom - a.top) > 0, flat = document.querySelector(".flat"), whole = flat.getBoundingClientRect(), boxes = [...flat.querySelectorAll("rect")].map((box) => box.getBoundingClientRect()); console.log("APART", boxes.length > 30, boxes.filter((a, i) => boxes.slice(i + 1).some((b) => inside(a, b))).length, boxes.filter((a) => a.left < whole.left || a.right > whole.right || a.top < whole.top || a.bottom > whole.bottom).length, [...flat.querySelectorAll("rect")].filter((box) => box.nextSibling.getBoundingClientRect().width > box.getBoundingClientRect().width - 4).length)'
    look flat.html "$many $open $apart"
    check 'many residues: labels apart, inside, as wide as their names' holds console 'APART true 0 0 0'
    narrow flat.html "$many $open $apart"
    check 'at 400 px, too' holds console 'APART true 0 0 0'
    width=500 look $page "$open"' console.log("RIGHT", drawn.right <= innerWidth)'
    check 'the drawing of a hit fits a phone' holds console 'RIGHT true'
fi
for made in $page modes/report.html; do
    narrow $made "$open"' const out = [...document.querySelectorAll("body *:not(svg *)")].filter((e) => e.getBoundingClientRect().right > innerWidth); console.log("OUT", innerWidth, out.length, out.slice(0, 3).map((e) => e.outerHTML.slice(0, 60)).join(" "))'
    check "$made: all of it, with an opened hit, fits 400 px" holds console 'OUT 400 0 '
done
narrow modes/report.html 'console.log("HEADS", [...document.querySelectorAll("#table th")].filter((head) => head.offsetWidth).map((head) => head.textContent).join(" "))'
check 'with the columns that order' holds console 'HEADS #'
check 'the mode and the score among them' grep -q 'HEADS # .*mode score"' console
look poses/report.html 'console.log("PARTS", document.querySelector("tr.hit .name").innerHTML)'
check 'names break behind marks alone' holds console 'PARTS LIG0<wbr>'
if command -v pdftotext >/dev/null; then
    timeout 600 chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir="$work/chromium" --virtual-time-budget=3000 \
        --print-to-pdf=poses.pdf "file://$work/poses/report.html" 2>/dev/null
    check 'on paper each page of the table has its head' [ "$(pdftotext -layout -f 2 -l 3 poses.pdf - | grep -c 'ligand.*score')" -eq 2 ]
else
    skip 'on paper' 'pdftotext is not installed'
fi
# A receptor file says what it was made from.
"$BERTH" prep receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --out site.brec >/dev/null 2>&1
mkdir brec && cp run/scores.csv run/poses.sdf brec/
sed 's|"receptor": "[^"]*mol2"|"receptor": "site.brec"|' told.json >brec/poses.run.json
env BERTH_PYTHON=/bin/false "$BERTH" report brec >/dev/null 2>&1
look brec/report.html 'console.log("TOLD", document.querySelector(".methods").textContent, document.title)'
check 'the receptor by the file that it was made from' all holds console ' 1hpv_receptor.mol2 (site.brec) ' -- \
    holds console 'berth: 1hpv_receptor.mol2'
# words DIR: how the run is told, on standard output; each sentence once in the file sentences.
words() {
    run env BERTH_PYTHON=/bin/false "$BERTH" report "$1" --methods -
    sed 's/ References: .*//; s/\([a-z0-9)]\)\. \([A-Z]\)/\1.\n\2/g' stdout >>sentences
}
mkdir told && cp run/scores.csv told/
cat >told/run.json <<'END'
{
  "identity": {
    "berth": "0.1.0",
    "scoring": "vina",
    "center": "9.9204857142857161 16.231 8.8",
    "size": "12.5345 11.790000000000001 15.6915",
    "seed": "7",
    "poses": "1",
    "generations": "1",
    "temperature": "2 0.100000001",
    "mapped": "96 10 16 4 40",
    "hop_temperature": "0.100000001",
    "refine": "4",
    "refine_torsions": "yes",
    "functions": "vina vinardo"
  },
  "files": {
    "prepared_receptor": "1hpv.pdb: 1602 atoms | ligand: 478 200, 35 heavy atoms | kept: 198 residues of protein or nucleic acid | histidines: 2 with the hydrogen on ND1 (where nothing says otherwise), 0 on NE2, 0 with both; to change that, call them HID, HIE or HIP in the file",
    "prepared_receptor_b": "b.pdb: 9 atoms | ligand: C, as perceived: if that is wrong, give the SMILES (ligand_smiles) | left out, waters: 1 HOH"
  },
  "ligands": 112
}
END
words told
look told/report.html 'console.log("TOLD", document.querySelector(".methods").textContent.includes(JSON.parse(document.getElementById("data").textContent).methods)); console.log("FACTS", document.getElementById("facts").textContent)'
check 'the run in words, with the figures of the search that was made' all exited 0 -- \
    holds stdout '96 poses × 10 generations, seed 7.' -- holds stdout 'vinardo: R. Quiroga' -- holds console 'TOLD true' -- \
    holds console 'hop temperature0.1' -- sh -c '! grep -q -e 0.100000001 -e "poses1" -e "generations1[^0]" console'
# tell NAME: the run's description on standard input, in words.
tell() {
    mkdir "$1" && head -n "${rows:-99}" run/scores.csv >"$1/scores.csv" && cat >"$1/run.json"
    words "$1"
}
rows=2
tell bonded <<'END'
{
  "identity": {
    "berth": "0.1.0",
    "scoring": "vina",
    "center": "1 2 3",
    "size": "30 30 30",
    "seed": "1",
    "mapped": "256 16 32 4 40",
    "maps": "0.375 0 13 10 100",
    "refine": "12",
    "refine_torsions": "yes",
    "functions": "vina vinardo plp bude",
    "pool": "vina,vinardo",
    "rank_poses": "vina + vinardo + strain + receptor_strain",
    "rank_ligands": "score",
    "covalent": "CYS A:25 SG"
  },
  "files": {
    "prepare": "prep ligands (0 inputs, 00) --builder fragments --ph 6.5 --protomers 2 --stereo 1 --conformers 1 --drop_duplicates; RDKit 2022.09.3",
    "template": "/bound/ligand.mol2",
    "restraint_1": "donor A:27:O",
    "restraint_1_receptor": "required 3.3 1.000 2.000 3.000"
  },
  "ligands": 1,
  "conformers": 1
}
END
check 'a ligand that is bonded, with restraints, of a pool' all exited 0 -- holds stdout 'CYS A:25' -- holds stdout ' ligand.mol2.'
rows=
tell moving <<'END'
{
  "identity": {
    "berth": "0.1.0",
    "scoring": "plp",
    "center": "1 2 3",
    "size": "30 30 30",
    "seed": "1",
    "poses": "4096",
    "generations": "8",
    "refine": "8",
    "refine_torsions": "no",
    "relax": "1",
    "strain_weight": "0.5",
    "rank_poses": "plp + receptor_strain",
    "metal_sites": "1 3 0.3",
    "side_chains": "A:25,B:25"
  },
  "ligands": 2
}
END
check 'side chains that move, a rigid search, modes that are relaxed' all exited 0 -- holds stdout 'A:25, B:25' -- \
    holds stdout '4,096 poses × 8 generations'
echo amprenavir >actives.txt
look $page 'console.log("ACTIVES", document.querySelectorAll("#sizes .active").length)'
check 'actives are marked' holds console 'ACTIVES 1'
# The active, the triangle, is higher than the middle where it is the better one of the two.
look $page 'const dots = [...document.querySelectorAll("#sizes .dot")].map((dot) => +dot.getAttribute("cy")), active = +document.querySelector("#sizes .active").getAttribute("d").split(/[ l]/)[1] + 5, best = JSON.parse(document.getElementById("data").textContent).hits.map((hit) => new Map(hit.figures)).filter((tags) => tags.get("mode") === "1").map((tags) => +tags.get("score")); console.log("TOP", new Set(best).size, (best[0] < best[1]) === (active < (dots[0] + dots[1]) / 2), document.getElementById("sizes-text").textContent)'
check 'the best stand at the top' holds console 'TOP 2 true '
mkdir own forms
awk -F, -v OFS=, 'NR == 1 { print $0, "state_of"; next } { print $0, "one" }' run/scores.csv >forms/scores.csv
cp run/scores.csv own/
sed 's|"vina"|"/mine/own.score"|; s/"scoring": /&/' bonded/run.json >own/run.json
sed 's/"ligands": 1/"ligands": 2/' bonded/run.json >forms/run.json
for name in own forms; do
    words $name
    cp stdout $name/methods
done
look forms/report.html 'console.log("FIRST", document.getElementById("summary").textContent)'
check "a function of the user's own is not called Vina's" all holds own/methods '(own.score)' -- \
    holds own/methods 'vinardo: R. Quiroga' -- sh -c '! grep -q "O. Trott" own/methods'
check 'forms of molecules' holds forms/methods '2 forms of 1 molecule'
check 'the first line says what searched and what ranked' holds console 'ranked by vina (poses by vina and vinardo)"'
awk 'NR == 1 { print $0 ",open_stereo" } NR > 1 { print $0 ",1" }' run/scores.csv >own/scores.csv
printf 'ordinal,ligand,reason\n7,bad,no valid SMILES\n8,twin,"x, record 2: dropped: a duplicate, a (record 1) came before: CO"\n' >own/failures.csv
words own
look own/report.html 'console.log("GIVEN", document.getElementById("summary").textContent)'
check 'what was given, failed and was dropped, and whose stereo was open' all holds stdout ' 4 molecules given 1 ' -- \
    holds stdout ' 2 molecules ' -- grep -q '2 ligands ([0-9]* conformers*) ' stdout -- holds console '2 ligands docked · 1 failed · 1 dropped'
rm own/failures.csv
sed 's/"files": {/&\n    "library": "many.blib",\n    "prepare_failed": "1",/' own/run.json >prepared.json
mv prepared.json own/run.json
printf 'ordinal,ligand,reason\n,lost,many.smi:3: no valid SMILES\n' >many.failures.csv
echo lost >>actives.txt
run "$BERTH" report own --actives actives.txt --methods -
look own/report.html 'console.log("GIVEN", document.getElementById("summary").textContent); console.log("WHICH", document.getElementById("failures").textContent.replace(/\s+/g, " "), document.getElementById("roc-text").textContent)'
check 'and which they are, as an active without a score' all holds console 'many.smi:3: no valid SMILES' -- holds console '(lost)'
check 'what failed before, when the library was prepared' all holds stdout ' 3 molecules given 1 ' -- \
    holds console '2 ligands docked · 1 failed in preparing'
sed -i 's/"identity": {/&\n    "shard": "1\/4",/' own/run.json
run env BERTH_PYTHON=/bin/false "$BERTH" report own --methods -
look own/report.html 'console.log("GIVEN", document.getElementById("summary").textContent)'
check 'which says nothing of a shard' all holds console '2 ligands docked · none failed' -- sh -c '! grep -q given stdout'
# header RANK: the first line of that run where ligands are ranked so.
header() {
    sed -i "s|\"rank_ligands\": .*|\"rank_ligands\": \"$1\",|" forms/run.json
    env BERTH_PYTHON=/bin/false "$BERTH" report forms >/dev/null 2>&1
    look forms/report.html 'console.log("FIRST", document.getElementById("summary").textContent)'
}
sed -i 's|"pool": "vina,vinardo",|&\n    "learned": "cnn_score",|' forms/run.json
header '(vina + vinardo + 0.2*strain) / (1 + 0.03*rotors) / heavy_atoms^0.25'
check 'the functions alone whose columns rank' holds console 'ranked by vina and vinardo"'
header 'plp / (1 + 0.03*rotors) - 4*cnn_score'
check 'and what a model says, where it does' holds console 'ranked by plp and cnn_score (poses by vina and vinardo)"'
look modes/report.html 'console.log("DAGGERS", document.querySelectorAll("tr.hit").length, document.getElementById("legend").textContent.includes("known active"))'
check 'none is marked without actives' holds console 'DAGGERS 4 false'
echo LIG1 >lig1.txt
"$BERTH" report modes --actives lig1.txt --out marked.html >/dev/null 2>&1
look marked.html 'console.log("DAGGERS", [...document.querySelectorAll("tr.hit .name")].map((cell) => cell.textContent).join(" "), document.getElementById("legend").textContent, "ROC", document.getElementById("roc-text").textContent)'
check 'known actives are marked in the table, and measures have intervals' all holds console 'DAGGERS LIG1 †' -- \
    holds console ' † ' -- holds console '2,000 resamples' -- \
    holds console ' EF0.5'
look poses/report.html 'console.log("SAID", document.getElementById("hits-shown").textContent)'
check 'and of many poses, which says what is shown' all holds console ' 500 of 1,200 ligands' -- lines console 1
mkdir cut && cp modes/poses.sdf cut && sed '/,2,/d' modes/scores.csv >cut/scores.csv
env BERTH_PYTHON=/bin/false PATH=/nowhere "$BERTH" report cut --top 2 >/dev/null 2>&1
look cut/report.html 'console.log("SAID", document.getElementById("hits-shown").textContent.split(";")[0], "COUNT", document.getElementById("count").textContent)'
check 'poses that outnumber the ligands of a table hide none of these' holds console 'COUNT 2 of 2 poses'
look modes/report.html 'const at = [...document.querySelectorAll("#table thead th")].findIndex((head) => head.textContent === "mode"); console.log("ORDER", [...document.querySelectorAll("tr.hit")].map((row) => row.querySelector(".name").textContent + ":" + row.children[at].textContent).join(" "), "SAID", document.getElementById("hits-shown").textContent)'
check 'of a docking, in the order of its poses' all holds console 'ORDER LIG1:1 LIG1:2 LIG0:1 LIG0:2 ' -- lines console 1
look redock/report.html 'console.log("CELLS", document.querySelectorAll("#redock td").length, [...document.querySelectorAll("#success path.curve")].map((line) => line.getAttribute("d").split("V").length - 1).join(" "))'
check 'and of redocking, with its curves: one of two top poses within 5 Å, both best ones' all holds console 'CELLS 10 1 0 2 0' -- lines console 1
look surface/report.html 'console.log("CELLS", document.querySelectorAll("#pockets td").length, document.querySelectorAll("#agreed td").length, document.getElementById("surface").hidden, document.getElementById("surface-text").textContent); console.log("SAID", document.getElementById("pockets-shown").textContent, document.getElementById("agreed-shown").textContent.length)'
check 'and of pockets, of which the first are shown' all holds console 'CELLS 4000 3 false ' -- \
    holds console ' 1,000 of 1,500 rows' -- lines console 2
awk '!seen[$0]++' sentences >stderr
check 'each sentence of how runs are told' said methods
finish
