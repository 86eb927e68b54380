#include "cli/text_library.h"

#include <inttypes.h>

#include "cli/common.h"

static double per(uint64_t bytes, uint64_t count)
{
    return count ? (double)bytes / (double)count : 0;
}

void cli_print_library(const char *path, const struct berth_library_reader *reader)
{
    const struct berth_library_info info = berth_library_info(reader);
    cli_print("library      %s", path);
    printf("format       version %d\n", info.version);
    cli_print("forcefield   %s, %zu types, hash %016" PRIx64, info.forcefield, info.type_count,
              info.forcefield_hash);
    cli_print("made by      %s", info.note);
    printf("ligands      %" PRIu64 "\n", info.ligands);
    printf("conformers   %" PRIu64 " (%.1f a ligand)\n", info.conformers,
           per(info.conformers, info.ligands));
    printf("blocks       %" PRIu64 "\n", info.blocks);
    printf("docking      %" PRIu64 " bytes, %.1f a conformer\n", info.docking_bytes,
           per(info.docking_bytes, info.conformers));
    printf("write-out    %" PRIu64 " bytes, %.1f a conformer\n", info.write_out_bytes,
           per(info.write_out_bytes, info.conformers));
    printf("file         %" PRIu64 " bytes\n", info.file_bytes);
}
