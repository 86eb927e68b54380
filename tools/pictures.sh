#!/bin/sh
# Makes the documents' pictures of the report, docs/report.png and docs/hit.png, from the demo's screen
# ($BUILD/demo/screen, which tools/demo_library.sh makes), with Chromium, and writes to docs/pictures.txt
# what they were made from; tests/cli/test_docs.sh compares with what `tools/pictures.sh --sum` prints.
set -eu
BUILD=${BUILD:-build}
sum() { cat data/page/* data/demo/drugs.smi data/demo/1hpv_*.mol2 tools/pictures.sh | sha256sum | cut -d ' ' -f 1; }
if [ "${1:-}" = --sum ]; then
    sum
    exit
fi
browser=$(command -v chromium || command -v chromium-browser) || {
    echo "pictures.sh: there is no chromium; \`make setup-compare\` installs it" >&2
    exit 1
}
[ -s "$BUILD/demo/screen/report.html" ] || sh tools/demo_library.sh
"$BUILD/berth" report "$BUILD/demo/screen" --actives "$BUILD/demo/inhibitors.txt" --out "$BUILD/demo/pictures.html"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# take NAME HEIGHT SCRIPT: of the page, with the best hit opened and then SCRIPT; the page lets no other script run.
take() {
    sed -e 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' "$BUILD/demo/pictures.html" >"$work/page.html"
    cat >>"$work/page.html" <<END
<script>
addEventListener("load", () => setTimeout(() => {
  document.querySelector("#table tbody tr").click();
  document.activeElement.blur();
  $3
  scrollTo(0, 0);
}, 50));
</script>
END
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=4000 \
        --window-size="1280,$2" --screenshot="$PWD/docs/$1.png" "file://$work/page.html" 2>/dev/null
}
take report 1340 ''
# shellcheck disable=SC2016 # JavaScript's
take hit 1080 'document.body.replaceChildren(document.querySelector("#table"));
  document.querySelectorAll("#table > tbody > tr").forEach((row, i) => { row.hidden = i !== 1; });
  document.querySelector("#table thead").hidden = true;'
sum >docs/pictures.txt
ls -l docs/*.png
