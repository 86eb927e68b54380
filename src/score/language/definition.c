/* What a definition says of a pair of types and of a pose's energies, once it has been read. */
#include "score/language/definition.h"

#include <stdlib.h>
#include <string.h>

double berth_definition_value(const struct berth_definition *definition, int symbol, size_t first,
                              size_t second)
{
    if (symbol < BERTH_SYMBOL_PAIR(0)) {
        const size_t parameter = (size_t)(symbol - BERTH_SYMBOL_PARAMETER(0, 0)) / 2;
        const size_t type = (symbol - BERTH_SYMBOL_PARAMETER(0, 0)) % 2 ? second : first;
        return parameter < definition->parameter_count
                   ? definition->values[type * definition->parameter_count + parameter]
                   : 0;
    }
    const size_t parameter = (size_t)(symbol - BERTH_SYMBOL_PAIR(0));
    const size_t pair = first * definition->type_count + second;
    return parameter < definition->pair_parameter_count
               ? definition->pair_values[pair * definition->pair_parameter_count + parameter]
               : 0;
}

double berth_definition_total(const struct berth_definition *definition,
                              const double symbols[BERTH_TOTAL_SYMBOLS])
{
    double values[BERTH_NODES_MAX];
    berth_evaluate(&definition->total_graph, symbols, false, definition->total_graph.count, values);
    double total = values[definition->total_node];
    for (int k = 0; k < BERTH_PART_COUNT; k++) {
        total += definition->added[k] ? symbols[BERTH_TOTAL_PARTS + k] : 0;
    }
    return total;
}

void berth_definition_clear(struct berth_definition *definition)
{
    if (!definition) {
        return;
    }
    free(definition->file);
    free(definition->name);
    free(definition->source);
    free(definition->types);
    free(definition->values);
    free(definition->pair_values);
    memset(definition, 0, sizeof *definition);
}
