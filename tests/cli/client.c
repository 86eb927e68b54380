/* A client of the installed library (tests/cli/test_install.sh): the energy of each of a Mol2
 * file's molecules as it stands, minimised, and the best that a small search about it finds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <berth.h>

static void need(enum berth_status status, const struct berth_error *error)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", berth_status_text(status), error->message);
        exit(1);
    }
}

/* What it was, the name, the energy, and how far the poses' first atom lies from the site. */
enum { TERMS = 5 }; /* of AutoDock Vina's function, the default */

static bool print(void *context, const struct berth_docked_ligand *ligand)
{
    const struct berth_docked_pose *best = ligand->poses[0];
    double sum = 0;
    for (size_t i = 0; i < TERMS; i++) {
        sum += best->terms[i];
    }
    printf("%s %s %.2f %zu atoms, %zu poses%s\n", (const char *)context, ligand->name, best->energy,
           ligand->atom_count, ligand->pose_count,
           fabs(sum - best->energy) > 1e-3 || !isfinite(best->positions[0][0]) ||
                   ligand->elements[0] < 1
               ? ", which make no sense"
               : "");
    return false;
}

int main(int argc, char **argv)
{
    struct berth_error error;
    berth_receptor *receptor;
    berth_devices *devices;
    berth_docking *docking;
    berth_options *score, *dock;
    struct berth_ligand_calls calls = {.ligand = print, .context = "stands"};
    if (argc != 3) {
        return 1;
    }
    need(berth_devices_find(NULL, NULL, &devices, &error), &error);
    need(berth_receptor_load(argv[1], NULL, NULL, &receptor, &error), &error);
    need(berth_score_file(receptor, devices, argv[2], NULL, &calls, NULL, &error), &error);
    calls.context = "minimised";
    need(berth_options_create("score", &score, &error), &error);
    need(berth_options_set(score, "minimize", "true", &error), &error);
    need(berth_score_file(receptor, devices, argv[2], score, &calls, NULL, &error), &error);
    berth_options_free(score);

    const berth_receptor *const receptors[] = {receptor};
    if (berth_docking_open(receptors, 1, devices, NULL, NULL, &docking, &error) != BERTH_E_USAGE) {
        return 1; /* there is no site yet */
    }
    printf("%s\n", error.message);
    need(berth_receptor_site_about(receptor, argv[2], 2, NULL, &error), &error);
    need(berth_options_create("dock", &dock, &error), &error);
    need(berth_options_set(dock, "search", "rigid_fast", &error), &error);
    need(berth_options_set(dock, "refine", "0", &error), &error);
    calls.context = "docked";
    need(berth_docking_open(receptors, 1, devices, dock, NULL, &docking, &error), &error);
    berth_options_free(dock);
    need(berth_docking_file(docking, argv[2], &calls, &error), &error);
    berth_docking_free(docking);
    berth_receptor_free(receptor);
    berth_devices_free(devices);
    return 0;
}
