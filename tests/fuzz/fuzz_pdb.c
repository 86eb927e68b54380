/* libFuzzer: the reader of PDB and PDBQT files. */
#include "structure.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_text_reader *text;
    struct berth_structure structure = {0};
    struct berth_error error;
    if (berth_text_reader_create_memory("fuzz", bytes, size, &text, &error)) {
        return 0;
    }
    enum berth_status status = berth_pdb_read(text, size % 2, &structure, &error);
    fuzz_structure(&structure, status, &error);
    berth_text_reader_destroy(text);
    return 0;
}
