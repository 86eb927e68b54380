/* libFuzzer: JSON, whatever it holds; what is read of it is a tree, all of it inside the first
 * value. */
#include <stdbool.h>
#include <string.h>

#include "format/json_reader.h"
#include "fuzz.h"

/* How many values there are, counted from one to the next. */
static size_t count(const struct berth_json_value *value)
{
    size_t all = 1;
    const bool holds = value->kind == BERTH_JSON_LIST || value->kind == BERTH_JSON_OBJECT;
    demand(holds || !value->inside);
    demand((value->kind == BERTH_JSON_TEXT || value->kind == BERTH_JSON_NUMBER) == !!value->text);
    for (const struct berth_json_value *next = NULL; (next = berth_json_next(value, next));) {
        demand((value->kind == BERTH_JSON_OBJECT) == !!next->name);
        all += count(next);
    }
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_json_tree tree;
    struct berth_error error;
    const enum berth_status status = berth_json_read((const char *)bytes, size, &tree, &error);
    demand(!status || (status == BERTH_E_FORMAT && strstr(error.message, "no JSON: byte ")));
    demand(status || count(tree.values) == tree.count);
    berth_json_tree_clear(&tree);
    return 0;
}
