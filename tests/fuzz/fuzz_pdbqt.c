/* libFuzzer: writing any molecule (molecule.h) as PDBQT, and cutting that again. */
#include <string.h>

#include "format/pdb/pdb.h"
#include "format/pdbqt/pdbqt.h"
#include "format/pieces.h"
#include "molecule.h"

static void check(const struct berth_molecule *molecule, const void *text, size_t size)
{
    struct berth_bytes bytes = {0};
    struct berth_pieces pieces = {0};
    struct berth_structure structure = {0};
    struct berth_text_reader *reader;
    berth_bytes_put(&bytes, text, size);
    demand(!berth_pieces_find("pdbqt", &bytes, &pieces, NULL) && pieces.count == 1);
    demand(!pieces.items[0].bad);
    demand(!berth_text_reader_create_memory("fuzz", text, size, &reader, NULL));
    demand(!berth_pdb_read(reader, true, &structure, NULL));
    demand(structure.count >= berth_heavy_count(molecule) &&
           structure.count <= molecule->atom_count);
    berth_structure_clear(&structure);
    berth_text_reader_destroy(reader);
    berth_pieces_clear(&pieces);
    berth_bytes_clear(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_molecule molecule;
    struct berth_output *output;
    char *text = NULL;
    size_t written = 0;
    struct berth_error error;
    fuzz_molecule(bytes, size, &molecule);
    const struct berth_tag tags[] = {{"score", "-7.5"}, {"mode", "3"}, {"note", "a\nb"}};
    const struct berth_tagged_molecule tagged = {
        .molecule = &molecule, .title = "x\ty", .tags = tags, .tag_count = 3};
    demand(!berth_output_create_memory(&text, &written, &output, NULL));
    const enum berth_status status = berth_pdbqt_write(output, &tagged, &error);
    demand(!status || (status == BERTH_E_FORMAT && *error.message)); /* too many bonds */
    demand(berth_output_finish(output, status, NULL) == status);
    if (!status && berth_heavy_count(&molecule)) {
        check(&molecule, text, written);
    }
    free(text);
    berth_molecule_clear(&molecule);
    return 0;
}
