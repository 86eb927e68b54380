/* A client of the installed library (tests/cli/test_install.sh): the energy of a Mol2 file's first
 * molecule as it stands, and the best that a small search about it finds. */
#include <stdio.h>
#include <stdlib.h>

#include <berth.h>

static void need(enum berth_status status, const struct berth_error *error)
{
    if (status) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct berth_error error;
    struct berth_forcefield forcefield;
    struct berth_molecule molecules[2] = {{0}, {0}}; /* receptor, ligand */
    struct berth_heavy_atoms heavy[2];
    struct berth_devices devices;
    struct berth_rescore *rescore;
    struct berth_docking *docking;
    struct berth_packed_conformer packed;
    struct berth_terms terms;
    struct berth_search_settings search = berth_search_defaults();
    struct berth_found found;
    if (argc != 3) {
        return 1;
    }
    need(berth_bhff_read(NULL, NULL, &forcefield, &error), &error);
    for (int i = 0; i < 2; i++) {
        need(berth_mol2_read_one(argv[1 + i], false, &molecules[i], &error), &error);
        need(berth_forcefield_assign(&forcefield, &molecules[i], NULL, &heavy[i], &error), &error);
    }
    struct berth_target target = {&forcefield, &heavy[0], {{0}, {4, 4, 4}}};
    berth_heavy_centroid(&molecules[1], target.site.center);
    need(berth_devices_list(&devices, &error), &error);
    need(berth_devices_choose(&devices, NULL, &error), &error);
    need(berth_pack_conformer(&heavy[1], berth_ligand_key("client"), 1, &packed, &error), &error);

    need(berth_rescore_create(&devices.devices[0], &target, &rescore, &error), &error);
    need(berth_rescore_run(rescore, &packed, 1, &terms, &error), &error);
    printf("%s %.2f\n", molecules[1].title, terms.steric + terms.electrostatic + terms.desolvation);

    search.poses = 4096;
    const struct berth_docking_setup setup = {.target = target,
                                              .search = search,
                                              .devices = devices.devices,
                                              .device_count = devices.count,
                                              .variant = berth_variant_unset()};
    need(berth_found_create(&search, 1, &found, &error), &error);
    need(berth_docking_create(&setup, &docking, &error), &error);
    need(berth_docking_run(docking, &packed, 1, &found, &error), &error);
    printf("docked %.2f\n", berth_pose_energy(&found.poses[0]));

    berth_found_clear(&found);
    berth_docking_destroy(docking);
    berth_rescore_destroy(rescore);
    berth_packed_conformer_clear(&packed);
    berth_devices_clear(&devices);
    for (int i = 0; i < 2; i++) {
        berth_heavy_atoms_clear(&heavy[i]);
        berth_molecule_clear(&molecules[i]);
    }
    berth_forcefield_clear(&forcefield);
    return 0;
}
