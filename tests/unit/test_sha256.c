/* SHA-256 against the examples of FIPS 180-4, and however its input is divided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/sha256.h"

/* The digest in hexadecimal digits. */
static void end_as_text(struct berth_sha256 *hash, char text[2 * BERTH_SHA256_SIZE + 1])
{
    unsigned char digest[BERTH_SHA256_SIZE];
    berth_sha256_end(hash, digest);
    for (int i = 0; i < BERTH_SHA256_SIZE; i++) {
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
}

static void the_standards_examples(void **state)
{
    (void)state;
    static const char *const EXAMPLES[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
         "lmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
        struct berth_sha256 hash;
        char text[2 * BERTH_SHA256_SIZE + 1];
        berth_sha256_start(&hash);
        berth_sha256_add(&hash, EXAMPLES[i][0], strlen(EXAMPLES[i][0]));
        end_as_text(&hash, text);
        assert_string_equal(text, EXAMPLES[i][1]);
    }
}

static void a_million_letters(void **state)
{
    (void)state;
    struct berth_sha256 hash;
    char letters[1000], text[2 * BERTH_SHA256_SIZE + 1];
    memset(letters, 'a', sizeof letters);
    berth_sha256_start(&hash);
    for (int i = 0; i < 1000; i++) {
        berth_sha256_add(&hash, letters, sizeof letters);
    }
    end_as_text(&hash, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void division_does_not_matter(void **state)
{
    (void)state;
    enum { SIZE = 200 }; /* past three blocks: every length of the padding */
    char bytes[SIZE], one[2 * BERTH_SHA256_SIZE + 1], two[2 * BERTH_SHA256_SIZE + 1];
    for (int i = 0; i < SIZE; i++) {
        bytes[i] = (char)(i * 7);
    }
    for (size_t size = 0; size <= SIZE; size++) {
        struct berth_sha256 hash;
        berth_sha256_start(&hash);
        berth_sha256_add(&hash, bytes, size);
        end_as_text(&hash, one);
        berth_sha256_start(&hash);
        for (size_t i = 0; i < size; i++) {
            berth_sha256_add(&hash, bytes + i, 1);
        }
        end_as_text(&hash, two);
        assert_string_equal(one, two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_standards_examples),
                                       cmocka_unit_test(a_million_letters),
                                       cmocka_unit_test(division_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
