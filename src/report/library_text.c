#include "report/library_text.h"

#include <inttypes.h>

#include "base/text.h"

static double per(uint64_t bytes, uint64_t count)
{
    return count ? (double)bytes / (double)count : 0;
}

void berth_library_print(FILE *file, const char *path, const struct berth_library_reader *reader)
{
    const struct berth_library_info info = berth_library_info(reader);
    berth_text_print(file, "library      %s", path);
    fprintf(file, "format       version %d\n", info.version);
    berth_text_print(file, "forcefield   %s, %zu types, hash %016" PRIx64, info.forcefield,
                     info.type_count, info.forcefield_hash);
    berth_text_print(file, "made by      %s", info.note);
    fprintf(file, "ligands      %" PRIu64 "\n", info.ligands);
    fprintf(file, "conformers   %" PRIu64 " (%.1f a ligand)\n", info.conformers,
            per(info.conformers, info.ligands));
    fprintf(file, "blocks       %" PRIu64 "\n", info.blocks);
    fprintf(file, "docking      %" PRIu64 " bytes, %.1f a conformer\n", info.docking_bytes,
            per(info.docking_bytes, info.conformers));
    fprintf(file, "write-out    %" PRIu64 " bytes, %.1f a conformer\n", info.write_out_bytes,
            per(info.write_out_bytes, info.conformers));
    fprintf(file, "file         %" PRIu64 " bytes\n", info.file_bytes);
}
