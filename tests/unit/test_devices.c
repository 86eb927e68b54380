/* The devices of CUDA and of OpenCL as one list, and choosing from it: made-up devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"

enum { ROOM = 8 };

struct list {
    struct berth_devices devices;
    struct berth_device room[ROOM];
};

static void add(struct list *list, const struct berth_backend *backend, enum berth_device_kind kind,
                const char *name, const char *address)
{
    struct berth_device *device = &list->room[list->devices.count];
    for (size_t i = 0; i < list->devices.count; i++) {
        device->number += list->room[i].backend == backend;
    }
    device->backend = backend;
    device->kind = kind;
    device->compute_units = 1;
    snprintf(device->name, sizeof device->name, "%s", name);
    snprintf(device->platform, sizeof device->platform, "%s platform", backend->name);
    snprintf(device->address, sizeof device->address, "%s", address);
    list->devices.devices = list->room;
    list->devices.count++;
}

/* Two GPUs, of which OpenCL lists the second first and knows of neither's CUDA; PoCL's CPU; and a
 * GPU that CUDA does not have. */
static void fill(struct list *list)
{
    struct berth_error error;
    memset(list, 0, sizeof *list);
    add(list, &berth_cuda, BERTH_DEVICE_GPU, "H200", "0000:01:00");
    add(list, &berth_cuda, BERTH_DEVICE_GPU, "H200", "0000:02:00");
    add(list, &berth_opencl, BERTH_DEVICE_CPU, "a CPU", "");
    add(list, &berth_opencl, BERTH_DEVICE_GPU, "H200", "0000:02:00");
    add(list, &berth_opencl, BERTH_DEVICE_GPU, "Radeon", "0000:03:00");
    add(list, &berth_opencl, BERTH_DEVICE_GPU, "H200", "0000:01:00");
    assert_int_equal(berth_devices_join(&list->devices, 2, &error), BERTH_OK);
}

static void is(const struct list *list, size_t place, const char *way, size_t index)
{
    char name[BERTH_DEVICE_NAME];
    berth_device_name(&list->room[place], name);
    assert_string_equal(name, way);
    assert_int_equal(list->room[place].index, index);
}

static void a_gpu_that_both_reach_counts_once(void **state)
{
    struct list list;
    (void)state;
    fill(&list);
    assert_int_equal(list.devices.count, 4);
    assert_int_equal(list.devices.others, 2);
    is(&list, 0, "cuda:0", 0);
    is(&list, 1, "cuda:1", 1);
    is(&list, 2, "opencl:0", 2);
    is(&list, 3, "opencl:2", 3);
    is(&list, 4, "opencl:1", 1);
    is(&list, 5, "opencl:3", 0);
    assert_int_equal(berth_devices_default(&list.devices), 0);
}

/* A driver that does not say where a GPU is names it. */
static void a_gpu_without_an_address_is_known_by_its_name(void **state)
{
    struct berth_error error;
    struct list list;
    (void)state;
    memset(&list, 0, sizeof list);
    add(&list, &berth_cuda, BERTH_DEVICE_GPU, "H200", "0000:01:00");
    add(&list, &berth_opencl, BERTH_DEVICE_GPU, "H200", "");
    add(&list, &berth_opencl, BERTH_DEVICE_GPU, "Radeon", "");
    add(&list, &berth_opencl, BERTH_DEVICE_CPU, "H200", "");
    assert_int_equal(berth_devices_join(&list.devices, 1, &error), BERTH_OK);
    assert_int_equal(list.devices.count, 3);
    is(&list, 1, "opencl:1", 1);
    is(&list, 2, "opencl:2", 2);
    is(&list, 3, "opencl:0", 0);
}

/* Without CUDA nothing is left out, though two drivers may list one GPU. */
static void without_cuda_the_list_stays(void **state)
{
    struct berth_error error;
    struct list list;
    (void)state;
    memset(&list, 0, sizeof list);
    add(&list, &berth_opencl, BERTH_DEVICE_GPU, "H200", "0000:01:00");
    add(&list, &berth_opencl, BERTH_DEVICE_GPU, "H200", "0000:01:00");
    assert_int_equal(berth_devices_join(&list.devices, 0, &error), BERTH_OK);
    assert_int_equal(list.devices.count, 2);
    assert_int_equal(list.devices.others, 0);
    is(&list, 1, "opencl:1", 1);
}

/* Expects that text asks for the devices of these names, with spaces between. */
static void expect(const char *text, const char *names)
{
    struct list list;
    struct berth_error error;
    char found[256] = "", name[BERTH_DEVICE_NAME];
    fill(&list);
    if (berth_devices_choose(&list.devices, text, &error)) {
        fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < list.devices.count; i++) {
        berth_device_name(&list.room[i], name);
        strcat(strcat(found, i ? " " : ""), name);
    }
    assert_string_equal(found, names);
}

static void expect_refused(const char *text, const char *fact)
{
    struct list list;
    struct berth_error error;
    fill(&list);
    assert_int_equal(berth_devices_choose(&list.devices, text, &error), BERTH_E_USAGE);
    assert_non_null(strstr(error.message, fact));
}

static void devices_are_chosen(void **state)
{
    (void)state;
    expect(NULL, "cuda:0");
    expect("all", "cuda:0 cuda:1 opencl:0 opencl:2");
    expect("1", "cuda:1");
    expect("h200", "cuda:0 cuda:1");
    expect("2,0", "opencl:0 cuda:0");
    expect("gpu", "cuda:0 cuda:1 opencl:2");
    expect("CPU", "opencl:0");
    expect("cuda:1", "cuda:1");
    expect("opencl:3", "opencl:3");
    expect("opencl:1,cuda:0", "opencl:1 cuda:0");
    expect("opencl platform", "opencl:0 opencl:2");
    expect_refused("cuda:1,opencl:1", "device 1 ");
    expect_refused("opencl:4", " 0 (H200), 1 (H200), 2 (a CPU), 3 (Radeon)");
    expect_refused("cuda:", " 'cuda:'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_that_both_reach_counts_once),
        cmocka_unit_test(a_gpu_without_an_address_is_known_by_its_name),
        cmocka_unit_test(without_cuda_the_list_stays),
        cmocka_unit_test(devices_are_chosen),
    };
    return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
