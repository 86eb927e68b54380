#!/bin/sh
# Checks what the compiler does not: who includes whom, who may print, and how long things are.
#
#   base, chem, score, format, prep, pose, device, engine, dock, surface, options, run, screen, protein, check, eval, report, api, cli: none includes
#   one that stands behind it here, and device includes base alone
#   OpenCL's headers in src/device/opencl alone; exit() and standard output in src/cli alone
#   no FILE in src/eval and src/report, but for report/manual: what people read on a terminal is src/cli's
#   files of at most 1,000 lines (berth.h, all of a library, 1,200), functions of 80, 8 parameters (14 for a kernel, whose
#   buffers are parameters)
#   waits by a clock in src/base/clock.c and locks of files in src/base/lock.c alone
#   a header's guard says its path: BERTH_CHEM_BONDS_H in src/chem/bonds.h
#
# Usage: sh tools/check_layers.sh [folder]   (the project's; here by default)
# Prints file:line: reason for each fault; exit code 1 where there is one.
set -eu
cd "${1:-.}"

find include src kernels -type f \( -name '*.[ch]' -o -name '*.cl' \) | LC_ALL=C sort | LC_ALL=C xargs awk '
BEGIN {
    # The layers, from the lowest up; "kernels" are the headers shared with the device.
    split("kernels base chem score format prep pose device engine dock surface options run screen protein check eval report api cli", layers, " ")
    for (i in layers) rank[layers[i]] = i + 0
    faults = 0
}

function fault(line, text) {
    print file ":" line ": " text
    faults++
}

function finish_file() {
    most = file ~ /include\/berth\.h$/ ? 1200 : 1000
    if (file != "" && length_of_file > most)
        fault(length_of_file, "the file has " length_of_file " lines; " most " are allowed")
}

# The line without comments, and with strings and characters emptied.
function code_of(text,    result, end) {
    result = ""
    while (text != "") {
        if (in_comment) {
            end = index(text, "*/")
            if (!end) return result
            in_comment = 0
            text = substr(text, end + 2)
        } else if (match(text, /"|\047|\/\*|\/\//)) {
            result = result substr(text, 1, RSTART - 1)
            text = substr(text, RSTART)
            if (substr(text, 1, 2) == "/*") {
                in_comment = 1
                text = substr(text, 3)
            } else if (substr(text, 1, 2) == "//") {
                return result
            } else if (match(text, /^("([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047)/)) {
                result = result "0"
                text = substr(text, RLENGTH + 1)
            } else {
                return result
            }
        } else {
            return result text
        }
    }
    return result
}

function check_guard(line,    wanted) {
    wanted = toupper(substr(file, 5, length(file) - 6))
    gsub(/\//, "_", wanted)
    if (line != "#ifndef BERTH_" wanted "_H")
        fault(FNR, "the guard is BERTH_" wanted "_H")
}

function check_include(line,    name, target) {
    name = line
    sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", name)
    sub(/[">].*/, "", name)
    if (name ~ /^(CL|OpenCL)\// && file !~ /^src\/device\/opencl\//)
        fault(FNR, "only src/device/opencl includes " name)
    if (line !~ /include[ \t]*"/ || layer == "") return
    target = index(name, "/") ? substr(name, 1, index(name, "/") - 1) : "kernels"
    if (!(target in rank) || rank[target] > rank[layer] ||
        (layer == "device" && target !~ /^(kernels|base|device)$/))
        fault(FNR, layer " does not include " name)
}

# Number of parameters in the signature, at whose first "(" they start.
function parameters(text,    depth, count, i, c, any) {
    depth = 0; count = 0; any = 0
    for (i = index(text, "("); i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(") depth++
        else if (c == ")" && --depth == 0) break
        else if (c == "," && depth == 1) count++
        else if (c != " ") any = 1
    }
    return any ? count + 1 : 0
}

function check_function(code,    most) {
    if (code ~ /^\{/) {
        opened = FNR
        most = signature ~ /(^| )(__)?kernel / ? 14 : 8
        gsub(/__attribute__ *\(\([^)]*(\([^)]*\))?[^)]*\)\)/, "", signature)
        if (index(signature, "(") && parameters(signature) > most)
            fault(FNR, "a function of " parameters(signature) " parameters; " most " are allowed")
    } else if (code ~ /^\}/) {
        if (opened && FNR - opened + 1 > 80)
            fault(opened, "a function of " FNR - opened + 1 " lines; 80 are allowed")
        opened = 0
        signature = ""
    } else if (!opened) {
        signature = code ~ /^[ \t]*(#.*)?$/ || code ~ /;[ \t]*$/ ? "" : signature " " code
    }
}

FNR == 1 {
    finish_file()
    file = FILENAME
    in_comment = 0; opened = 0; signature = ""
    guarded = file !~ /^src\/.*\.h$/
    split(file, parts, "/")
    layer = parts[1] == "kernels" ? "kernels" : parts[3] == "" ? "" : parts[2]
    if (layer != "" && !(layer in rank))
        fault(1, "src/" layer " is no layer of the design")
}

{
    length_of_file = FNR
    if (!in_comment && $0 ~ /^[ \t]*#[ \t]*include/) {
        check_include($0)
        next
    }
    code = code_of($0)
    if (!guarded && /^#ifndef/) {
        check_guard($0)
        guarded = 1
    }
    check_function(code)
    if (file != "src/base/clock.c" && code ~ /pthread_cond_timedwait|CLOCK_REALTIME/)
        fault(FNR, "only src/base/clock.c has waits by a clock, which must go forward alone")
    if (file != "src/base/lock.c" && code ~ /F_(OFD_)?(SET|GET)LK|(^|[^a-z_])(flock|lockf) *\(/)
        fault(FNR, "only src/base/lock.c locks files, by what was opened")
    if (layer != "cli" && layer != "kernels" && layer != "") {
        if (code ~ /(^|[^A-Za-z0-9_])(exit|abort|printf|vprintf|puts|putchar|perror)[ \t]*\(/)
            fault(FNR, "only src/cli exits or prints")
        if (code ~ /(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_]|$)/)
            fault(FNR, "only src/cli writes to standard output and error")
        if (layer ~ /^(eval|report)$/ && file !~ /^src\/report\/manual\// &&
            code ~ /(^|[^A-Za-z0-9_])(FILE|fprintf|fputs|fputc)([^A-Za-z0-9_]|$)/)
            fault(FNR, "only src/cli prints text; " layer " writes files by format/output.h")
    }
}

END {
    finish_file()
    exit faults > 0
}
'
