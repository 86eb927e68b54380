#!/bin/sh
# berth model import, and berth score --rescore: values against a network and densities that are computed otherwise.
. tests/cli/lib.sh

runtime=$root/build-python
ligand=demo/1hpv_ligand.mol2 receptor=demo/1hpv_receptor.mol2
python3 "$root/tests/learned/reference.py" weights old.pt new.pt
with_runtime() { (unset BERTH_ONNXRUNTIME && VIRTUAL_ENV=$runtime && export VIRTUAL_ENV && "$@"); }
without_runtime() { (BERTH_ONNXRUNTIME=$work/none.so && export BERTH_ONNXRUNTIME && "$@"); }
rescore() { "$BERTH" score --receptor $receptor "$@"; }

run "$BERTH" model import old.pt --out old.model
check "weights in torch's old format" all exited 0 -- silent -- stdout_is_empty -- holds old.model 'network  old.onnx'
run "$BERTH" model import new.pt --out new.model
check 'the same from TorchScript' all exited 0 -- same old.onnx new.onnx
check 'a text that people can read' all grep -qx 'receptor C_H:aromatic 1.9' old.model -- \
    test "$(grep -c '^receptor\|^ligand' old.model)" = 28
check 'files that others may read' test "$(stat -c %a old.onnx)" = 644

head -c 2000 old.pt >cut.pt
cp "$BERTH" program.pt
python3 - <<'END'
import pickle, zipfile
class Evil:
    def __reduce__(self):
        return eval, ("open('evil', 'w')",)
with zipfile.ZipFile("evil.pt", "w") as archive:
    archive.writestr("a/data.pkl", pickle.dumps(Evil()))
with zipfile.ZipFile("other.pt", "w") as archive:
    archive.writestr("a/data.pkl", pickle.dumps({"unit1_conv.weight": 3}))
END
for file in cut program evil other missing; do
    run "$BERTH" model import $file.pt --out $file.model
    check "weights that are none: $file" all exited 1 -- holds stderr "$file.pt: " -- lines stderr 1 -- \
        test ! -e $file.model -- test ! -e $file.onnx
done
check 'pickles run no code' test ! -e evil
run "$BERTH" model import old.pt --out old.onnx
check 'a name that no model has' all exited 1 -- said 'a name that no model has'
run without_runtime rescore --ligand $ligand --rescore old.model --out none.csv
check 'no ONNX Runtime' all exited 1 -- holds stderr BERTH_ONNXRUNTIME -- test ! -e none.csv
sed 's/^points.*/points many/' old.model >bad.model
run rescore --ligand $ligand --rescore bad.model --out none.csv
check 'a model that is none' all exited 1 -- said 'a model that is none' bad.model

if ! with_runtime "$runtime/bin/python" -c 'import numpy, onnxruntime' 2>/dev/null; then
    skip 'values of networks' 'ONNX Runtime (make setup-compare) is not installed'
    finish
fi
cat $ligand demo/1hpv_ligand_turned.mol2 >poses.mol2
run with_runtime rescore --ligand poses.mol2 --rescore old.model --out scores.csv
check 'poses with what a network says of them' all exited 0 -- lines scores.csv 3 -- \
    grep -q ',total,cnn_score,cnn_affinity$' scores.csv
run rescore --ligand poses.mol2 --out plain.csv
cut -d, -f1-10 scores.csv >without.csv
check 'energies are as without it' same without.csv plain.csv
run with_runtime rescore --cpu 1 --ligand poses.mol2 --rescore old.model --out one.csv
check 'the same with one thread' same scores.csv one.csv

sed '/^channels/d' old.model >unnumbered.model
run with_runtime rescore --ligand $ligand --rescore unnumbered.model --out none.csv
check 'a network that is not given the input for channels' all exited 1 -- holds stderr 'old.onnx: '
sed 's/^channels.*/channels affinity/' old.model >input.model
run with_runtime rescore --ligand $ligand --rescore input.model --out none.csv
check 'an input that the network does not have' all exited 1 -- holds stderr 'old.onnx: '
sed 's/^average.*/average 4/' old.model >size.model
run with_runtime rescore --ligand $ligand --rescore size.model --out none.csv
check 'a grid that the network does not take' all exited 1 -- holds stderr 'old.onnx: '
sed 's/^output *cnn_affinity.*/output cnn_affinity affinity 1/' old.model >output.model
run with_runtime rescore --ligand $ligand --rescore output.model --out none.csv
check 'a value that the network does not have' all exited 1 -- said 'a value that the network does not have' affinity
sed 's/^network.*/network none.onnx/' old.model >none.model
run with_runtime rescore --ligand $ligand --rescore none.model --out none.csv
check 'a network that is not there' all exited 1 -- holds stderr none.onnx
head -c 5000 old.onnx >none.onnx
run with_runtime rescore --ligand $ligand --rescore none.model --out none.csv
check 'a network that is cut off' all exited 1 -- holds stderr none.onnx

slice docking 'values against the description'
check 'its values are those of the description' "$runtime/bin/python" "$root/tests/learned/reference.py" compare \
    $receptor poses.mol2 scores.csv
run without_runtime "$BERTH" doctor
check 'the doctor says what is absent' grep -q 'absent *ONNX Runtime' stdout
run with_runtime "$BERTH" doctor
check 'the doctor finds ONNX Runtime' grep -q 'ok *ONNX Runtime *1\.' stdout
finish
