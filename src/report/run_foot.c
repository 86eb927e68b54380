#include "report/run_foot.h"

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

void berth_profile_print(FILE *file, const struct berth_profile *profile, double busy)
{
    const double all = berth_profile_seconds(profile);
    fprintf(file, "%-16s %8s %12s %7s\n", "kernel", "launches", "device s", "share");
    for (size_t i = 0; i < profile->kernel_count; i++) {
        const struct berth_kernel_time *time = &profile->kernels[i];
        const double seconds = 1e-9 * (double)time->nanoseconds;
        fprintf(file, "%-16s %8zu %12.6f %6.2f%%\n", time->kernel, time->launches, seconds,
                100 * seconds / all);
    }
    fprintf(file,
            "busy %.2f %% of the time between the first kernel's start and the last one's end\n",
            100 * busy);
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
