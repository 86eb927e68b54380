#include "report/protein_text.h"

static void print_modes(FILE *file, const struct berth_protein_run *run)
{
    fprintf(file,
            "\n mode     energy  contacts  residues    buried%s\n%16s  < 5 \xc3\x85               "
            "\xc3\x85\xc2\xb2%s\n",
            run->rmsds ? "    rmsd" : "", run->receptor.scoring.unit,
            run->rmsds ? "       \xc3\x85" : "");
    fprintf(file, "%s\n",
            run->rmsds ? "----------------------------------------------------------"
                       : "--------------------------------------------------");
    for (size_t i = 0; i < run->result.count; i++) {
        const struct berth_protein_mode *mode = &run->result.modes[i];
        fprintf(file, "%5zu %10.2f %9zu %5zu %3zu %9.0f", i + 1, mode->energy,
                mode->interface.contacts, mode->interface.receptor_residues,
                mode->interface.ligand_residues, mode->interface.buried);
        if (run->rmsds) {
            fprintf(file, " %7.2f", run->rmsds[i]);
        }
        fprintf(file, "\n");
    }
}

void berth_protein_text_print(FILE *file, const struct berth_protein_run *run, double seconds)
{
    const struct berth_protein_result *result = &run->result;
    const double pairs = (double)run->receptor.heavy.count * (double)run->ligand.heavy.count;
    fprintf(file, "receptor %zu heavy atoms, ligand %zu, scoring %s\n", run->receptor.heavy.count,
            run->ligand.heavy.count, run->receptor.scoring.name);
    print_modes(file, run);
    fprintf(file,
            "\n%zu rotations x %zu places on maps; %zu poses refined, %zu energies with gradients "
            "of %.4g pairs of atoms; %.2f s\n",
            result->rotations, result->places, result->refined, result->evaluations, pairs,
            seconds);
}
