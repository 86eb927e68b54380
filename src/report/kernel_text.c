#include "report/kernel_text.h"

#include <stdlib.h>
#include <string.h>

/* Prints the options' macros as definitions, so that what is printed stands by itself. */
static void print_definitions(const char *options, FILE *file)
{
    for (const char *at = strstr(options, "-D"); at; at = strstr(at, " -D")) {
        at += strspn(at, " -") + 1;
        const size_t name = strcspn(at, "= "), all = strcspn(at, " ");
        const int has_value = all > name;
        fprintf(file, "#define %.*s %.*s\n", (int)name, at, has_value ? (int)(all - name - 1) : 1,
                has_value ? at + name + 1 : "1");
    }
}

enum berth_status berth_kernel_text_print(const struct berth_device *device,
                                          const struct berth_scoring *scoring, const char *tunables,
                                          FILE *file, struct berth_error *error)
{
    struct berth_variant set = berth_variant_unset();
    char options[BERTH_OPTIONS_TEXT], text[BERTH_VARIANT_TEXT];
    enum berth_status status = tunables ? berth_variant_parse(tunables, &set, error) : BERTH_OK;
    const struct berth_variant variant = berth_variant_with(device, &set);
    BERTH_THEN(berth_variant_options(&variant, device, NULL, options, error));
    char *source = status ? NULL : berth_variant_source(scoring);
    if (!status && !source) {
        status = berth_out_of_memory(error, NULL);
    }
    if (!status) {
        berth_variant_print(&variant, text);
        fprintf(file, "/* device %zu: %s, driver %s\n * variant: %s\n * options: %s */\n",
                device->index, device->name, device->driver, text, options);
        print_definitions(options, file);
        fputs(source, file);
    }
    free(source);
    return status;
}
