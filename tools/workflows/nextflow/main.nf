#!/usr/bin/env nextflow
// Prepares receptor and molecules, docks them in shards, merges the results and writes a report:
//     nextflow run tools/workflows/nextflow --receptor protein.pdb --known ligand.mol2 --molecules molecules.smi
// `berth` has to be in the PATH, or in a container (-with-docker, -with-apptainer).  -resume keeps what was finished, and
// begins a shard that was stopped again: use many.
// Molecules that fail are no fault of a task (exit code 2): they are rows of failures.csv and library.failures.csv.
nextflow.enable.dsl = 2

process RECEPTOR {
    input:
    path structure
    path known // none where the options say where the site is

    output:
    path 'site.brec'

    script:
    def site = known ? "--autobox_ligand ${known}" : ''
    """
    berth prep receptor ${structure} ${site} --out site.brec ${params.receptor_options}
    """
}

process PREPARE {
    tag "${shard}/${params.shards}"

    input:
    val shard
    path molecules

    output:
    tuple val(shard), path("${shard}.blib"), path("${shard}.failures.csv")

    script:
    """
    berth prep ligands ${molecules} --shard ${shard}/${params.shards} --out ${shard}.blib --jobs ${task.cpus} \\
        ${params.prep_options} || [ \$? -eq 2 ]
    """
}

process LIBRARY {
    publishDir params.out, mode: 'copy'

    input:
    path libraries
    path failures

    output:
    path 'library.blib', emit: library
    path 'library.failures.csv'

    script:
    """
    berth lib merge ${libraries} --out library.blib
    awk 'NR == 1 || FNR > 1' ${failures} >library.failures.csv
    """
}

process SCREEN {
    tag "${shard}/${params.shards}"

    input:
    val shard
    path site
    path library

    output:
    path "${shard}-of-${params.shards}"

    script:
    """
    berth screen --receptor ${site} --library ${library} --shard ${shard}/${params.shards} \\
        --out ${shard}-of-${params.shards} --cpu ${task.cpus} ${params.screen_options} || [ \$? -eq 2 ]
    """
}

process MERGE {
    publishDir params.out, mode: 'copy', saveAs: { file -> file - 'screen/' }

    input:
    path shards
    path library

    output:
    path 'screen/*'

    script:
    """
    berth merge ${shards} --library ${library} --out screen || [ \$? -eq 2 ]
    """
}

process REPORT {
    publishDir params.out, mode: 'copy'

    input:
    path results
    path site

    output:
    path 'report.html'

    script:
    """
    berth report . --receptor ${site} --out report.html
    """
}

workflow {
    if (!params.receptor || !params.molecules) {
        error 'Give a receptor and molecules: --receptor protein.pdb --known ligand.mol2 --molecules molecules.smi'
    }
    shards = Channel.of(1..params.shards)
    site = RECEPTOR(file(params.receptor), params.known ? file(params.known) : [])
    prepared = PREPARE(shards, file(params.molecules)).toSortedList { a, b -> a[0] <=> b[0] } // the order of the molecules
    library = LIBRARY(prepared.map { rows -> rows.collect { row -> row[1] } },
                      prepared.map { rows -> rows.collect { row -> row[2] } }).library
    docked = SCREEN(shards, site, library)
    REPORT(MERGE(docked.collect(), library), site)
}
