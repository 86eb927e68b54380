#!/bin/sh
# tools/workflows: Snakemake prepares and docks in 3 shards, all that it runs is killed midway, and the same command again
# gives what one screen gives.
# shellcheck shell=sh disable=SC2086,SC2154
. tests/cli/lib.sh
slice slurm 'a screen by Snakemake'
need_rdkit 'a screen by Snakemake'
PATH=$PATH:$root/build-python/bin
needs snakemake 'a screen by Snakemake' || finish
export XDG_CACHE_HOME="$work/cache"

# The first screen stops when a ligand is in its journal, so that it is midway however quick the machine.
mkdir bin
cat >bin/berth <<END
#!/bin/sh
{ [ "\$1" = screen ] && mkdir "$work/begun" 2>/dev/null; } || exec "$BERTH" "\$@"
"$BERTH" "\$@" &
while [ "\$1" != --out ]; do shift; done
size=
while kill -0 \$! 2>/dev/null; do
    now=\$(wc -c <"\$2/journal") 2>/dev/null || continue
    size=\${size:-\$now}
    [ "\$now" -eq "\$size" ] || break
    sleep 0.01
done
kill -STOP \$! && ps -o pgid= -p \$! | tr -d ' ' >"$work/midway"
wait \$!
END
chmod +x bin/berth
for copy in 1 2; do # shards of molecules are cut every 128: the third has none
    sed "s/\$/_$copy/" demo/drugs.smi
done >molecules.smi
echo 'C1CC no_molecule' >>molecules.smi
search='--scoring bude --search rigid_fast --poses 64 --generations 1 --refine 0 --batch 8 --checkpoint 0 --top 20'
workflow() {
    PATH=$work/bin:$PATH exec setsid snakemake -s "$root/tools/workflows/snakemake/Snakefile" --cores 2 --nocolor "$@" --config \
        receptor=pocket.mol2 known=demo/1hpv_ligand.mol2 molecules=molecules.smi out='a screen' shards=3 threads=1 \
        prep_options='--conformers 1' screen_options="$search"
}

{ (workflow) >killed.log 2>&1; : >ended; } &
while [ ! -s midway ] && [ ! -e ended ]; do sleep 0.1; done
[ ! -s midway ] || kill -KILL "-$(cat midway)" # the group of all that runs
wait
check 'it was killed midway' all [ -e midway ] -- absent 'a screen/report.html'
(workflow --unlock) >/dev/null 2>&1
run eval '(workflow --rerun-incomplete)'
check 'the same command again ends' exited 0
check 'the shard that was killed went on' grep -q ' shard.*, [1-9][0-9]* done' 'a screen/log/screen/'*.log

run "$BERTH" prep receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --out site.brec
run "$BERTH" prep ligands molecules.smi --conformers 1 --out library.blib
check 'of the molecules one fails' exited 2
run "$BERTH" screen --receptor site.brec --library library.blib --out plain $search
for file in site.brec library.blib library.failures.csv; do
    check "$file is that of one run" same $file "a screen/$file"
done
for file in scores.csv hits.sdf failures.csv; do
    check "$file is that of one screen" same plain/$file "a screen/$file"
done
check 'it has a report' [ -s 'a screen/report.html' ]
(workflow --dry-run) >left.log 2>&1; code=$?
check 'there is nothing left to do' all exited 0 -- holds left.log 'Nothing to be done'
[ "$failures" -eq 0 ] || tail -n 30 killed.log 'a screen'/log/*.log 'a screen'/log/*/*.log | sed 's/^/# /'
finish
