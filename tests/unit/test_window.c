/* The window of a stream as the devices' threads see it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dock/stream/stream.h"

enum { ROOM = 5 };

/* What a device asks for, and gets. */
struct asking {
    struct berth_docking_stream stream;
    struct berth_packed_conformer conformers[ROOM];
    void *tags[ROOM];
    double share;  /* of the last ones; 0: all */
    size_t least;  /* of them, nevertheless */
    size_t losses; /* that it knows of */
    bool wait, end;
    size_t count;
};

static void *ask(void *context)
{
    struct asking *asking = context;
    const struct berth_docking_load load = {.conformers = asking->conformers,
                                            .tags = asking->tags,
                                            .room = ROOM,
                                            .share = asking->share > 0 ? asking->share : 1,
                                            .least = asking->least ? asking->least : 1,
                                            .losses = asking->losses};
    asking->end = false;
    asking->count = asking->stream.take(asking->stream.context, &load, asking->wait, &asking->end);
    return NULL;
}

static struct berth_window *make_window(void)
{
    static struct berth_device pair[2];
    const struct berth_devices devices = {.devices = pair, .count = 2};
    struct berth_window *window;
    struct berth_error error;
    assert_int_equal(berth_window_create(&devices, ROOM, &window, &error), BERTH_OK);
    return window;
}

/* A ligand that is packed once, or for each of several receptors, whose number is its rotors, and
 * docked with so many seeds. */
static void add_packed(struct berth_window *window, size_t conformers, size_t receptors,
                       size_t seeds)
{
    struct berth_stream_ligand *ligand = calloc(1, sizeof *ligand);
    ligand->packed = calloc(receptors, sizeof *ligand->packed);
    ligand->packed_count = receptors;
    for (size_t v = 0; v < receptors; v++) {
        ligand->packed[v].conformers = calloc(conformers, sizeof *ligand->packed[v].conformers);
        for (size_t c = 0; c < conformers; c++) {
            ligand->packed[v].conformers[c].rotors = (double)v;
        }
    }
    ligand->result.conformer_count = conformers;
    ligand->seeds = seeds;
    assert_true(berth_window_add(window, ligand));
}

static void add_ligand(struct berth_window *window, size_t conformers)
{
    add_packed(window, conformers, 1, 1);
}

static void gives_all_and_says_when_it_ends(void **state)
{
    (void)state;
    struct berth_window *window = make_window();
    struct asking asking = {.stream = berth_window_stream(window)};
    add_ligand(window, 3);
    ask(&asking); /* less than a batch, and more may come */
    assert_int_equal(asking.count, 0);
    assert_false(asking.end);
    add_ligand(window, 4);
    ask(&asking);
    assert_int_equal(asking.count, 5);
    assert_false(asking.end);
    for (size_t i = 0; i < asking.count; i++) { /* of the ligand, which share its search */
        assert_int_equal(asking.conformers[i].device.conformers, i < 3 ? 3 : 4);
    }
    berth_window_read(window);
    asking.wait = true;
    ask(&asking);
    assert_int_equal(asking.count, 2);
    assert_true(asking.end);
    ask(&asking);
    assert_int_equal(asking.count, 0);
    assert_true(asking.end);
    berth_window_destroy(window);
}

/* Beside the side chains of several receptors a conformer leads from one's to the next one's. */
static void leads_from_receptor_to_receptor(void **state)
{
    (void)state;
    struct berth_window *window = make_window();
    struct asking asking = {.stream = berth_window_stream(window)};
    add_packed(window, 2, 3, 1);
    add_ligand(window, 3);
    ask(&asking);
    assert_int_equal(asking.count, 5);
    for (size_t i = 0; i < asking.count; i++) {
        const struct berth_packed_conformer *at = &asking.conformers[i];
        for (int v = 0; v < (i < 2 ? 3 : 1); v++, at = at->next) {
            assert_true(at->rotors == v);
            assert_int_equal(at->device.conformers, i < 2 ? 2 : 3);
        }
        assert_null(at);
    }
    berth_window_destroy(window);
}

/* With several seeds each conformer comes once for each, which raises its random numbers' seed. */
static void gives_each_as_often_as_there_are_seeds(void **state)
{
    (void)state;
    struct berth_window *window = make_window();
    struct asking asking = {.stream = berth_window_stream(window)};
    add_packed(window, 2, 2, 2);
    add_ligand(window, 1);
    ask(&asking);
    assert_int_equal(asking.count, 5);
    for (size_t i = 0; i < asking.count; i++) {
        const struct berth_packed_conformer *conformer = &asking.conformers[i];
        assert_int_equal(conformer->device.again, i < 4 ? i / 2 : 0);
        assert_int_equal(conformer->device.conformers, i < 4 ? 2 : 1);
        assert_true(!conformer->next == (i == 4));
    }
    berth_window_destroy(window);
}

/* The last ones are shared, but not into crumbs, and before the end nothing is. */
static void shares_the_last_ones(void **state)
{
    (void)state;
    struct berth_window *window = make_window();
    struct asking asking = {.stream = berth_window_stream(window), .share = 0.25, .least = 3};
    static const size_t COUNTS[] = {4, 3, 3, 3, 2};
    add_ligand(window, 20);
    ask(&asking);
    assert_int_equal(asking.count, ROOM);
    berth_window_read(window);
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        ask(&asking);
        assert_int_equal(asking.count, COUNTS[i]);
    }
    assert_true(asking.end);
    berth_window_destroy(window);
}

/* A device that waits must come back for what a failed one left, however long the reader sleeps. */
static void wakes_who_waits_when_a_device_is_lost(void **state)
{
    (void)state;
    struct berth_window *window = make_window();
    struct asking asking = {.stream = berth_window_stream(window), .wait = true};
    const struct berth_error why = {.message = "one of these devices is lost, says the test"};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, &asking), 0);
    asking.stream.lose(window, 1, &why); /* before it sleeps or after: both must do */
    pthread_join(thread, NULL);
    assert_int_equal(asking.count, 0);
    assert_false(asking.end);
    assert_int_equal(window->lost[1], 1);
    /* Once it knows, it waits as ever. */
    asking.losses = 1;
    assert_int_equal(pthread_create(&thread, NULL, ask, &asking), 0);
    add_ligand(window, 9);
    pthread_join(thread, NULL);
    assert_int_equal(asking.count, 5);
    assert_false(asking.end);
    berth_window_destroy(window);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_all_and_says_when_it_ends),
                                       cmocka_unit_test(leads_from_receptor_to_receptor),
                                       cmocka_unit_test(gives_each_as_often_as_there_are_seeds),
                                       cmocka_unit_test(shares_the_last_ones),
                                       cmocka_unit_test(wakes_who_waits_when_a_device_is_lost)};
    return cmocka_run_group_tests_name("the window of a screen", tests, NULL, NULL);
}
