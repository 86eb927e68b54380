# clean_pdb.awk: a PDB or AutoDock PDBQT receptor -> a plain PDB that Open Babel reads well.
#
#   awk [-v pdbqt=1] -f clean_pdb.awk receptor.pdb > clean.pdb
#
# Keeps heavy atoms (alternate location ' ' or 'A'), drops waters, writes the element column, undoes
# the residue names that AutoDockTools cuts or invents. Hydrogens are left to Open Babel, with one
# exception: without a hydrogen on the ring nitrogen, Open Babel 3.1.1 cannot make the imidazole of
# His and the indole of Trp aromatic ("Failed to kekulize") and spoils their bonds. So those get
# exactly one, placed in the plane of the ring. Which nitrogen of His: the one that bears it in the
# input; else ND1, as BUDE's own receptors have it. Never the one that holds a metal.

BEGIN {
    count = split("HSD HIS HSE HIS HID HIS HIE HIS HIP HIS AP- ASP LY+ LYS ZN1 ZN CA9 CA MG7 MG MG9 MG EME HEM", w, " ")
    for (i = 1; i <= count; i += 2) alias[w[i]] = w[i + 1]
    count = split("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL", w, " ")
    for (i = 1; i <= count; i++) amino[w[i]] = 1
    count = split("A C HD H HS H OA O OS O NA N NS N SA S", w, " ")
    for (i = 1; i <= count; i += 2) autodock[w[i]] = w[i + 1]
    metal = " ZN MG CA FE MN NA K CO NI CU "
    n = 0
}

function trim(s) { gsub(/[ \r]/, "", s); return s }

# Amino acids hold no element of two letters, so there the atom's name decides: the type columns of
# some files call an alpha carbon Ca (calcium) or a truncated amide nitrogen OA.
function element(line, res, name,    e) {
    e = pdbqt ? trim(substr(line, 78, 2)) : trim(substr(line, 77, 2))
    if (pdbqt && (e in autodock)) e = autodock[e]
    if (e !~ /^[A-Za-z]+$/ || !pdbqt && length(line) < 78) e = trim(substr(line, 13, 2))
    e = toupper(e)
    if (e == "H" || name ~ /^[0-9]*H/ && (res in amino)) return "H"
    sub(/^[0-9]+/, "", name)
    return (res in amino) ? substr(name, 1, 1) : e
}

/^(ATOM|HETATM)/ {
    alt = substr($0, 17, 1)
    raw = substr($0, 18, 3)
    name = trim(substr($0, 13, 4))
    res = trim(raw); if (res in alias) res = alias[res]
    if ((alt != " " && alt != "A") || res == "HOH" || res == "WAT") next
    n++
    atom[n] = substr($0, 13, 4); resname[n] = res
    el[n] = element($0, res, name)
    chain[n] = substr($0, 22, 1); number[n] = substr($0, 23, 5)
    x[n] = substr($0, 31, 8) + 0; y[n] = substr($0, 39, 8) + 0; z[n] = substr($0, 47, 8) + 0
    at[chain[n], number[n], name] = n
}

function distance(a, b) { return sqrt((x[a] - x[b])^2 + (y[a] - y[b])^2 + (z[a] - z[b])^2) }

function bears_hydrogen(a,    i) {
    for (i = 1; i <= n; i++)
        if (el[i] == "H" && distance(a, i) < 1.3) return 1
    return 0
}

function holds_metal(a,    i) {
    for (i = 1; i <= n; i++)
        if (index(metal, " " el[i] " ") && distance(a, i) < 2.8) return 1
    return 0
}

function write_atom(serial, name, i, px, py, pz, e) {
    printf "ATOM  %5d %4s %3s %1s%5s   %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", \
        serial % 100000, name, resname[i], chain[i], number[i], px, py, pz, e
}

# On the bisector of the ring's angle at the nitrogen, pointing away from its two neighbours.
function write_ring_hydrogen(nitrogen, left, right, name,    dx, dy, dz, d) {
    if (!nitrogen || !left || !right) return
    dx = x[nitrogen] - (x[left] + x[right]) / 2
    dy = y[nitrogen] - (y[left] + y[right]) / 2
    dz = z[nitrogen] - (z[left] + z[right]) / 2
    d = sqrt(dx * dx + dy * dy + dz * dz) / 1.01
    write_atom(++serial, name, nitrogen, x[nitrogen] + dx / d, y[nitrogen] + dy / d, z[nitrogen] + dz / d, "H")
}

function write_his_hydrogen(key, nd1,    ne2, epsilon) {
    ne2 = at[key "NE2"]
    epsilon = ne2 && bears_hydrogen(ne2)
    if (holds_metal(nd1)) epsilon = 1
    if (ne2 && holds_metal(ne2)) epsilon = 0
    if (epsilon) write_ring_hydrogen(ne2, at[key "CE1"], at[key "CD2"], " HE2")
    else write_ring_hydrogen(nd1, at[key "CG"], at[key "CE1"], " HD1")
}

END {
    serial = 0
    for (i = 1; i <= n; i++) {
        if (el[i] == "H") continue
        write_atom(++serial, atom[i], i, x[i], y[i], z[i], el[i])
        key = chain[i] SUBSEP number[i] SUBSEP
        if (resname[i] == "HIS" && trim(atom[i]) == "ND1") write_his_hydrogen(key, i)
        if (resname[i] == "TRP" && trim(atom[i]) == "NE1") write_ring_hydrogen(i, at[key "CD1"], at[key "CE2"], " HE1")
    }
    print "END"
}
