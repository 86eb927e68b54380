#!/bin/sh
# Writes a document anew with what scoring functions say of themselves: between the lines
#     <!-- function FILE WORDS -->   and   <!-- end -->
# stand the function's source, unit and cutoff, and its statements WORDS; between
#     <!-- file FILE -->       and   <!-- end -->
# the file without its comments.  FILE is as seen from the project's folder.
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
    while ((getline line < path) > 0) if (line !~ /^#/) print line
    close(path)
    print "```"
}

# path: of a function; words: of statements, with commas between.
function show_function(path, words,    line, word, statement, code, unit, cutoff, source) {
    code = statement = ""
    while ((getline line < path) > 0) {
        split(line, word, " ")
        if (line ~ /^[^ #]/) statement = word[1]
        if (statement == "source" && line ~ /^source/) source = rest(line)
        else if (statement == "unit" && line ~ /^unit/) unit = rest(line)
        else if (statement == "cutoff" && line ~ /^cutoff/) cutoff = rest(line)
        else if (line ~ /[^ ]/ && line !~ /^#/ && ("," words ",") ~ ("," statement ",")) {
            sub(/ *#.*/, "", line)
            code = code line "\n"
        }
    }
    close(path)
    print source "; " unit ", up to " cutoff " Å."
    printf "\n```text\n%s```\n", code
}

/^<!-- end -->$/ { skips = 0 }
!skips { print }
/^<!-- (function|file) .* -->$/ {
    skips = 1
    print ""
    if ($2 == "function") show_function($3, $4); else show_file($3)
    print ""
}
'
