# fix_mol2_types.awk: gives a Mol2 file written by Open Babel the SYBYL types that BUDE's files use.
#
#   awk [-v pdb=clean.pdb] [-v title=NAME] -f fix_mol2_types.awk open_babel.mol2 > typed.mol2
#
# The forcefield knows atoms by type alone, so the types must follow the convention it was made with.
# That convention is the one seen in BUDE's 1GCZ receptor and ligands:
#   - amino acids: the table below, by residue and atom name (Open Babel's own types vary with how
#     well it perceived the bonds);
#   - everything else: Open Babel's types, corrected by the rules in fix_by_graph().
# With `pdb` (the file that Open Babel read) residues and atom names are taken from there, matched by
# coordinates, because Open Babel renames them when it protonates; chains go to @<TRIPOS>SUBSTRUCTURE,
# and substructure ids are unique in the file. Coordinates, bonds and order are Open Babel's.

BEGIN {
    # "residue atoms type": '*' is any amino acid. Carbons of amino acids not listed are C.3.
    # HEM, VO4 and VIB (thiamine) are beyond Open Babel without their hydrogens or, for VO4, its metal.
    table = "* N N.am; * C C.2; * O O.2;" \
        "ARG CZ C.2; ARG NE,NH1,NH2 N.pl3;" \
        "ASN CG C.2; ASN OD1 O.2; ASN ND2 N.am;" \
        "ASP CG C.2; ASP OD1,OD2 O.co2;" \
        "CYS SG S.3;" \
        "GLN CD C.2; GLN OE1 O.2; GLN NE2 N.am;" \
        "GLU CD C.2; GLU OE1,OE2 O.co2;" \
        "HIS CG,CD2,CE1 C.2;" \
        "LYS NZ N.4;" \
        "MET SD S.3;" \
        "PHE CG,CD1,CD2,CE1,CE2,CZ C.ar;" \
        "SER OG O.3h;" \
        "THR OG1 O.3h;" \
        "TRP CG,CD1 C.2; TRP NE1 N.pl3; TRP CD2,CE2,CE3,CZ2,CZ3,CH2 C.ar;" \
        "TYR CG,CD1,CD2,CE1,CE2,CZ C.ar; TYR OH O.3h;" \
        "HEM NA,NB,NC,ND N.2; HEM FE Fe.2; HEM O1A,O2A,O1D,O2D O.co2; HEM CAB,CBB,CAC,CBC,CGA,CGD C.2;" \
        "HEM CHA,CHB,CHC,CHD,C1A,C2A,C3A,C4A,C1B,C2B,C3B,C4B,C1C,C2C,C3C,C4C,C1D,C2D,C3D,C4D C.2;" \
        "HEM CMA,CMB,CMC,CMD,CAA,CBA,CAD,CBD C.3;" \
        "VO4 O1,O2,O3,O4 O.co2;" \
        "VIB C2,C4,C5 C.2; VIB N3,N4A N.pl3; VIB S1 S.3; VIB C2A,C4A,C5A,C6A C.ar; VIB N1A,N3A N.ar"
    load_table(table)
    count = split("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL", w, " ")
    for (i = 1; i <= count; i++) amino[w[i]] = 1
    if (pdb != "") load_pdb(pdb)
    n = 0; bonds = 0; section = ""
}

function load_table(text,    rows, cells, names, i, j, nrows, nnames) {
    nrows = split(text, rows, ";")
    for (i = 1; i <= nrows; i++) {
        split(rows[i], cells, " ")
        nnames = split(cells[2], names, ",")
        for (j = 1; j <= nnames; j++) known[cells[1], names[j]] = cells[3]
    }
}

function trim(s) { gsub(/[ \r]/, "", s); return s }
function place(x, y, z) { return sprintf("%.3f %.3f %.3f", x, y, z) }

function load_pdb(file,    line, key) {
    while ((getline line < file) > 0) {
        if (line !~ /^(ATOM|HETATM)/) continue
        key = place(substr(line, 31, 8), substr(line, 39, 8), substr(line, 47, 8))
        pdb_name[key] = trim(substr(line, 13, 4))
        pdb_res[key] = trim(substr(line, 18, 3))
        pdb_chain[key] = substr(line, 22, 1)
        pdb_number[key] = trim(substr(line, 23, 5))
        in_pdb[pdb_chain[key], pdb_number[key], pdb_name[key]] = 1
    }
    close(file)
}

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

# Names and residues as they were before Open Babel; a hydrogen belongs where its heavy atom does.
function restore_residues(    i, key, parent) {
    for (i = 1; i <= n; i++) {
        if (!is_heavy(i)) continue
        key = place(x[i], y[i], z[i])
        if (!(key in pdb_name)) { print "fix_mol2_types.awk: atom " i " at " key " is not in " pdb > "/dev/stderr"; exit 1 }
        name[i] = pdb_name[key]; residue[i] = pdb_res[key]; chain[i] = pdb_chain[key]; number[i] = pdb_number[key]
    }
    for (i = 1; i <= n; i++) {
        if (is_heavy(i)) continue
        parent = neighbour[i, 1]
        residue[i] = residue[parent]; chain[i] = chain[parent]; number[i] = number[parent]
    }
    for (i = 1; i <= n; i++) number_residue(i)
}

function number_residue(i,    key) {
    key = chain[i] SUBSEP number[i] SUBSEP residue[i]
    if (!(key in id_of)) {
        id_of[key] = ++nsubs
        sub_root[nsubs] = i; sub_chain[nsubs] = (chain[i] == " ") ? "****" : chain[i]; sub_residue[nsubs] = residue[i]
        sub_label[nsubs] = residue[i] number[i]
        if (!(chain[i] in chain_start)) chain_start[chain[i]] = nsubs
    }
    sub_id[i] = id_of[key]
    sub_name[i] = residue[i] number[i]
    if (name[i] == "OXT" || name[i] == "OT2") ends_chain[sub_id[i]] = 1
}

# Returns "" for what the table does not know.
function table_type(i,    t) {
    if ((residue[i], name[i]) in known) return known[residue[i], name[i]]
    if (!(residue[i] in amino)) return ""
    if (residue[i] == "HIS" && name[i] == "ND1") return ring_nitrogen(i, "HD1")
    if (residue[i] == "HIS" && name[i] == "NE2") return ring_nitrogen(i, "HE2")
    if (ends_chain[sub_id[i]] && name[i] ~ /^(O|OXT|O1|OT1|OT2)$/) return "O.co2"
    if (name[i] == "N" && starts_chain(i)) return "N.4"
    if (("*", name[i]) in known) return known["*", name[i]]
    return (name[i] ~ /^C/) ? "C.3" : ""
}

# clean_pdb.awk chose which nitrogen of His bears the hydrogen.
function ring_nitrogen(i, hydrogen) { return ((chain[i], number[i], hydrogen) in in_pdb) ? "N.pl3" : "N.2" }

# The first residue of a chain is a charged terminus. A residue after a gap in the model is not: the
# chain goes on there, only unseen.
function starts_chain(i,    k, j) {
    if (chain_start[chain[i]] != sub_id[i]) return 0
    for (k = 1; k <= degree[i]; k++) {
        j = neighbour[i, k]
        if (is_heavy(j) && sub_id[j] != sub_id[i]) return 0
    }
    return 1
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

function fix_types(    i, t) {
    for (i = 1; i <= n; i++) {
        new_type[i] = type[i]
        if (!is_heavy(i)) continue
        t = (pdb != "") ? table_type(i) : ""
        new_type[i] = (t != "") ? t : fix_by_graph(i)
    }
    for (i = 1; i <= n; i++) type[i] = new_type[i]
}

function write_molecule(    i) {
    print "@<TRIPOS>MOLECULE"
    print (title != "") ? title : molecule[1]
    printf " %d %d %d 0 0\n", n, bonds, nsubs
    print (pdb != "") ? "PROTEIN" : molecule[3]
    print molecule[4]
    print ""
}

function write_atoms(    i) {
    print "@<TRIPOS>ATOM"
    for (i = 1; i <= n; i++)
        printf "%7d %-6s %10s %10s %10s %-5s %5d %-8s %9s\n", i, name[i], x[i], y[i], z[i], type[i], sub_id[i], sub_name[i], charge[i]
}

function write_substructures(    i) {
    if (!nsubs) return
    print "@<TRIPOS>SUBSTRUCTURE"
    for (i = 1; i <= nsubs; i++)
        printf "%6d %-8s %6d RESIDUE 1 %s %s\n", i, sub_label[i], sub_root[i], sub_chain[i], sub_residue[i]
}

END {
    if (pdb != "") restore_residues()
    fix_types()
    write_molecule()
    for (s = 2; s <= nsections; s++) {
        if (order[s] == "@<TRIPOS>ATOM") write_atoms()
        else if (order[s] == "@<TRIPOS>BOND") { print order[s]; for (i = 1; i <= bonds; i++) print bond_text[i] }
        else if (order[s] != "@<TRIPOS>SUBSTRUCTURE") { printf "%s\n%s", order[s], other[order[s]] }
    }
    write_substructures()
}
