#!/bin/sh
# Writes a document anew with what scoring functions say of themselves: between the lines
#     <!-- function FILE -->   and   <!-- end -->
# stand the function's source, unit and cutoff, its expressions and the table of its types; between
#     <!-- file FILE -->       and   <!-- end -->
# the file as it is.  FILE is as seen from the project's folder.
# Usage: sh tools/scoring_tables.sh <docs/scoring.md >new.md   (in the project's folder)
set -eu

awk '
# The fields of a statement that takes the rest of its line.
function rest(text) {
    sub(/^[a-z]+ +/, "", text)
    sub(/ *#.*/, "", text)
    return text
}

function show_file(path,    line) {
    print "```text"
    while ((getline line < path) > 0) print line
    close(path)
    print "```"
}

function show_function(path,    line, word, statement, count, i, row, rows, code, above, cells, heads, head, unit,
                       cutoff, source) {
    rows = code = head = above = statement = ""
    while ((getline line < path) > 0) {
        split(line, word, " ")
        if (line ~ /^[^ #]/) statement = word[1]
        if (statement == "source" && line ~ /^source/) source = rest(line)
        else if (statement == "unit" && line ~ /^unit/) unit = rest(line)
        else if (statement == "cutoff" && line ~ /^cutoff/) cutoff = rest(line)
        else if (statement == "parameters") {
            count = split(line, cells, " ")
            if (line ~ /^parameters/) {
                head = "| type |"
                heads = "| --- |"
                for (i = 2; i <= count; i++) {
                    head = head " " cells[i] " |"
                    heads = heads " ---: |"
                }
            } else if (line ~ /^ +[^ #]/) {
                row = "|"
                for (i = 1; i <= count; i++) row = row " " cells[i] " |"
                rows = rows row "\n"
            }
        }
        # Comments and blank lines belong to what stands below them.
        if (line ~ /^#/ || line == "") above = above line "\n"
        else {
            if (statement ~ /^(atom|let|term|soften|intra|total)$/) code = code above line "\n"
            above = ""
        }
    }
    close(path)
    sub(/^\n+/, "", code)
    print source "; " unit ", up to " cutoff " Å."
    printf "\n```text\n%s```\n", code
    if (head != "") printf "\n%s\n%s\n%s", head, heads, rows
}

/^<!-- end -->$/ { skips = 0 }
!skips { print }
/^<!-- (function|file) .* -->$/ {
    skips = 1
    print ""
    if ($2 == "function") show_function($3); else show_file($3)
    print ""
}
'
