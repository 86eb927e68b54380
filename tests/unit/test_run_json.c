/* What is read of run.json by its members' names, also of one that is damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/run_json.h"

static const char RUN[] = "{\n  \"identity\": {\n    \"side_chains\": \"A:1\",\n"
                          "    \"seed\": \"7\",\n    \"side_chains_b\": \"B:\\u00412\"\n  },\n"
                          "  \"ligands\": 12,\n  \"devices\": [\n    {\"name\": \"one\"},\n"
                          "    {\"name\": \"two\"},\n    {\"name\": \"one\"}\n  ]\n}\n";

/* The text, on the heap: each reading ends within it. */
static void parse(const char *text, size_t size, struct berth_run_card *card)
{
    berth_run_card_start(card);
    card->json.data = malloc(size);
    assert_non_null(card->json.data);
    memcpy(card->json.data, text, size);
    card->json.count = size;
    berth_run_json_parse(card);
}

static void members(void **state)
{
    (void)state;
    struct berth_run_card card;
    parse(RUN, sizeof RUN, &card);
    const struct berth_run_named *moved = card.identity.side_chains;
    assert_string_equal(berth_run_named_find(moved, BERTH_RECEPTORS_MAX, ""), "A:1");
    assert_string_equal(berth_run_named_find(moved, BERTH_RECEPTORS_MAX, "b"), "B:A2");
    assert_string_equal(berth_run_named_find(moved, BERTH_RECEPTORS_MAX, "c"), "");
    assert_string_equal(card.identity.seed, "7");
    assert_true(card.result.ligands == 12 && isnan(card.result.failed));
    assert_int_equal(card.device_count, 3);
    assert_string_equal(card.devices[1].name, "two");
    assert_string_equal(card.devices[2].name, "one");
    berth_run_card_clear(&card);
}

static void survives_damage(void **state)
{
    (void)state;
    static const char SYMBOLS[] = "\"{}[]:,\n \\ux";
    const unsigned seed = (unsigned)time(NULL);
    struct berth_run_card card;
    print_message("# seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < 20000; i++) {
        const size_t size = (size_t)rand() % sizeof RUN + 1;
        char text[sizeof RUN];
        memcpy(text, RUN, size);
        for (int k = rand() % 4; k > 0; k--) {
            text[(size_t)rand() % size] = SYMBOLS[(size_t)rand() % (sizeof SYMBOLS - 1)];
        }
        text[size - 1] = '\0';
        parse(text, size, &card);
        berth_run_card_clear(&card);
    }
    static const char CUT[] = "{\n  \"identity\": {\n    \"scoring\n  }";
    parse(CUT, sizeof CUT, &card);
    assert_string_equal(card.identity.scoring, "");
    berth_run_card_clear(&card);
    /* An escape that is cut off ends with its text. */
    static const char ESCAPE[] =
        "{\n  \"identity\": {\n    \"scoring\": \"\\u4\",\n    \"variant\": \"c\"\n  }";
    parse(ESCAPE, sizeof ESCAPE, &card);
    assert_string_equal(card.identity.scoring, "u4");
    assert_string_equal(card.identity.variant, "c");
    berth_run_card_clear(&card);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members),
                                       cmocka_unit_test(survives_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
