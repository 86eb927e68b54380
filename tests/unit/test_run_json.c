/* What is read of run.json by its members' names, also of one that is damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/run_json.h"

static const char RUN[] = "{\n  \"identity\": {\n    \"side_chains\": \"A:1\",\n"
                          "    \"seed\": \"7\",\n    \"side_chains_b\": \"B:\\u00412\"\n  },\n"
                          "  \"ligands\": 12,\n  \"devices\": [\n    {\"name\": \"one\"},\n"
                          "    {\"name\": \"two\"},\n    {\"name\": \"one\"}\n  ]\n}\n";

/* Appends "name=text;". */
static void note(void *context, const char *name, char *text)
{
    char *seen = context;
    const size_t used = strlen(seen);
    snprintf(seen + used, 256 - used, "%s=%s;", name, text);
}

static void members(void **state)
{
    (void)state;
    unsigned char text[sizeof RUN];
    memcpy(text, RUN, sizeof RUN);
    const struct berth_bytes json = {.data = text, .count = sizeof RUN};
    char seen[256] = "";
    berth_run_json_each(&json, "identity", "side_chains", note, seen);
    assert_string_equal(seen, "side_chains=A:1;side_chains_b=B:A2;");
    assert_int_equal(berth_run_json_number(&json, "ligands"), 12);
    assert_int_equal(berth_run_json_number(&json, "failed"), 0);
    seen[0] = '\0';
    assert_int_equal(berth_run_json_devices(&json, note, seen), 3);
    assert_string_equal(seen, "name=one;name=two;");
}

/* Each reading ends within the text, which lies at the end of what was allocated. */
static void survives_damage(void **state)
{
    (void)state;
    static const char SYMBOLS[] = "\"{}[]:,\n \\ux";
    const unsigned seed = (unsigned)time(NULL);
    print_message("# seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < 20000; i++) {
        const size_t size = (size_t)rand() % sizeof RUN + 1;
        unsigned char *text = malloc(size);
        char seen[256] = "", value[PATH_MAX];
        assert_non_null(text);
        memcpy(text, RUN, size);
        for (int k = rand() % 4; k > 0; k--) {
            text[(size_t)rand() % size] =
                (unsigned char)SYMBOLS[(size_t)rand() % (sizeof SYMBOLS - 1)];
        }
        text[size - 1] = '\0';
        const struct berth_bytes json = {.data = text, .count = size};
        berth_run_json_each(&json, "identity", "", note, seen);
        berth_run_json_devices(&json, note, seen);
        berth_run_json_find(&json, "identity", "seed", value);
        (void)berth_run_json_number(&json, "ligands");
        free(text);
    }
    static const char CUT[] = "{\n  \"identity\": {\n    \"name\n  }";
    unsigned char text[sizeof CUT];
    char seen[256] = "";
    memcpy(text, CUT, sizeof CUT);
    struct berth_bytes json = {.data = text, .count = sizeof CUT};
    berth_run_json_each(&json, "identity", "", note, seen);
    assert_string_equal(seen, "");
    /* An escape that is cut off ends with its text. */
    unsigned char escape[] = "{\n  \"identity\": {\n    \"a\": \"\\u4\",\n    \"b\": \"c\"\n  }";
    json = (struct berth_bytes){.data = escape, .count = sizeof escape};
    berth_run_json_each(&json, "identity", "", note, seen);
    assert_string_equal(seen, "a=u4;b=c;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members),
                                       cmocka_unit_test(survives_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
