/* libFuzzer: the reader of models over any bytes. */
#include <string.h>

#include "format/model.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct berth_model model;
    struct berth_error error;
    const enum berth_status status = berth_model_parse("fuzz", bytes, size, &model, &error);
    demand(!status || (status == BERTH_E_FORMAT && *error.message));
    for (size_t i = 0; !status && i < model.kind_count; i++) {
        const struct berth_model_kind *kind = &model.kinds[i];
        demand(kind->channel < model.channels && kind->radius > 0);
        demand(!*kind->type == (kind->element != 0));
    }
    demand(status || (model.points % model.average == 0 && model.channels <= BERTH_MODEL_CHANNELS &&
                      model.output_count && model.output_count <= BERTH_LEARNED_MAX &&
                      model.receptor_kinds && model.receptor_kinds < model.kind_count));
    return 0;
}
