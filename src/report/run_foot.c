#include "report/run_foot.h"

#include "report/bench_text.h"

void berth_run_foot_interactions(FILE *file, double per_second)
{
    if (per_second > 0) {
        fprintf(file, ", %.3g interactions/s", per_second);
    }
    fprintf(file, "\n");
}

void berth_run_foot_left_out(FILE *file, unsigned long long poses)
{
    if (poses) {
        fprintf(file, "%llu pose%s left out by --max_clash\n", poses, poses == 1 ? "" : "s");
    }
}

enum berth_status berth_run_foot_profile(FILE *file, struct berth_docking *docking,
                                         struct berth_error *error)
{
    struct berth_profile profile;
    double busy;
    const enum berth_status status = berth_docking_profile(docking, &profile, &busy, error);
    if (!status) {
        berth_profile_print(file, &profile, busy);
    }
    return status;
}

void berth_run_foot_docking(FILE *file, const struct berth_file_docking *docking,
                            const struct berth_pose_files *files, double seconds)
{
    const struct berth_window *window = docking->stream.window;
    const size_t ligands = files->ligands, conformers = berth_window_docked(window);
    fprintf(file, "%zu ligand%s, %zu conformer%s, %zu failed; %.2f s", ligands,
            ligands == 1 ? "" : "s", conformers, conformers == 1 ? "" : "s", files->failures.count,
            seconds);
    berth_run_foot_interactions(file, window->atoms * berth_file_docking_pairs_per_atom(docking) /
                                          seconds);
    berth_run_foot_left_out(file, docking->stream.left_out);
}
