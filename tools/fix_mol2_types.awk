# fix_mol2_types.awk: gives a ligand that Open Babel wrote as Mol2 the SYBYL types that BUDE's files use.
#
#   awk [-v title=NAME] -f fix_mol2_types.awk open_babel.mol2 > typed.mol2
#
# Open Babel's types, corrected in fix_by_graph() by some of the rules of src/chem/type_rules.c, for the demo's data.
# Coordinates, bonds and order are Open Babel's.

/^@<TRIPOS>/ { section = $1; header = 0; order[++nsections] = section; next }
section == "@<TRIPOS>MOLECULE" { molecule[++header] = $0; next }
section == "@<TRIPOS>ATOM" && NF >= 9 {
    n++
    name[n] = $2; x[n] = $3; y[n] = $4; z[n] = $5; type[n] = $6; sub_id[n] = $7; sub_name[n] = $8; charge[n] = $9
    next
}
section == "@<TRIPOS>BOND" && NF >= 4 {
    bond_text[++bonds] = $0
    link($2, $3, $4); link($3, $2, $4)
    next
}
section != "" { other[section] = other[section] $0 "\n" }

function link(a, b, kind) { neighbour[a, ++degree[a]] = b; if (kind == "ar") ring_bond[a, b] = 1; if (kind == "ar") aromatic[a] = 1 }
function is_heavy(i) { return type[i] !~ /^H/ }
function element(i,    e) { e = type[i]; sub(/\..*/, "", e); return e }

# Bonds to heavy atoms; a metal near by is no bond.
function heavy_degree(i,    k, d) {
    d = 0
    for (k = 1; k <= degree[i]; k++) d += is_heavy(neighbour[i, k]) && element(neighbour[i, k]) !~ /^(Zn|Mg|Ca|Fe|Mn|Na|K)$/
    return d
}

# Is there a ring of `size` atoms, all bonds aromatic, through `start`?
function in_ring(start, size,    path) { path[start] = 1; return walk_ring(start, start, size, path) }
function walk_ring(start, at, left, path,    k, j, found) {
    for (k = 1; k <= degree[at]; k++) {
        j = neighbour[at, k]
        if (!((at, j) in ring_bond)) continue
        if (left == 1) { if (j == start) return 1; continue }
        if (j in path) continue
        path[j] = 1
        found = walk_ring(start, j, left - 1, path)
        delete path[j]
        if (found) return 1
    }
    return 0
}

# Rings of five have localised types in BUDE's files (furazan, oxadiazole, pyrazole, thiophene, indole).
function five_ring_type(i,    e) {
    e = element(i)
    if (e == "C") return "C.2"
    if (e == "N") return (degree[i] == 3) ? "N.pl3" : "N.2"
    return e ".3"
}

# Counts bonds from `i` to oxygens that have no other heavy neighbour.
function terminal_oxygens(i,    k, j, count) {
    count = 0
    for (k = 1; k <= degree[i]; k++) {
        j = neighbour[i, k]
        if (element(j) == "O" && heavy_degree(j) == 1) count++
    }
    return count
}

function has_neighbour(i, pattern,    k) {
    for (k = 1; k <= degree[i]; k++) if (type[neighbour[i, k]] ~ pattern) return 1
    return 0
}

function next_to_carbonyl(i,    k, j) {
    for (k = 1; k <= degree[i]; k++) {
        j = neighbour[i, k]
        if (element(j) == "C" && terminal_oxygens(j)) return 1
    }
    return 0
}

# An oxygen at the end of a phosphate, sulfate or sulfonate shares the charge at pH 7.4, whichever of
# them Open Babel drew with the double bond or the proton.
function is_acid_oxygen(i,    k, j) {
    if (heavy_degree(i) != 1) return 0
    for (k = 1; k <= degree[i]; k++) {
        j = neighbour[i, k]
        if (element(j) == "P") return terminal_oxygens(j) > 1
        if (element(j) == "S") return terminal_oxygens(j) > 2
    }
    return 0
}

function fix_by_graph(i,    t) {
    t = type[i]
    if (t == "Fe") return "Fe.2"
    if (aromatic[i] && in_ring(i, 5) && !in_ring(i, 6)) return five_ring_type(i)
    if (t == "N.ar" && degree[i] == 3) return next_to_carbonyl(i) ? "N.am" : "N.pl3"   # lactam: its lone pair is in the ring
    if (element(i) == "O" && is_acid_oxygen(i)) return "O.co2"
    if (t == "O.2" && degree[i] == 2) return "O.3"                                     # an ether is no carbonyl
    if ((t == "N.3" || t == "N.am") && has_neighbour(i, "^S.[Oo]2$")) return "N.pl3"   # sulfonamide, as BUDE's ligands have it
    return t
}

function fix_types(    i) {
    for (i = 1; i <= n; i++) {
        new_type[i] = type[i]
        if (!is_heavy(i)) continue
        new_type[i] = fix_by_graph(i)
    }
    for (i = 1; i <= n; i++) type[i] = new_type[i]
}

function write_molecule(    i) {
    print "@<TRIPOS>MOLECULE"
    print (title != "") ? title : molecule[1]
    printf " %d %d 0 0 0\n", n, bonds
    print molecule[3]
    print molecule[4]
    print ""
}

function write_atoms(    i) {
    print "@<TRIPOS>ATOM"
    for (i = 1; i <= n; i++)
        printf "%7d %-6s %10s %10s %10s %-5s %5d %-8s %9s\n", i, name[i], x[i], y[i], z[i], type[i], sub_id[i], sub_name[i], charge[i]
}

END {
    fix_types()
    write_molecule()
    for (s = 2; s <= nsections; s++) {
        if (order[s] == "@<TRIPOS>ATOM") write_atoms()
        else if (order[s] == "@<TRIPOS>BOND") { print order[s]; for (i = 1; i <= bonds; i++) print bond_text[i] }
        else { printf "%s\n%s", order[s], other[order[s]] }
    }
}
