/* The kernels as CUDA: what is written otherwise, and that NVRTC compiles every kernel of every
 * built-in scoring function, without a GPU.  It needs NVRTC (make setup gets it from PyPI). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/nvrtc.h"
#include "engine/density.h"
#include "engine/variant.h"
#include "instruments/ceiling.h"
#include "support/slice.h"

/* The text behind kernels/cuda.h. */
static void expect_translated(const char *source, const char *wanted)
{
    char *text = berth_cuda_translate(source);
    assert_non_null(text);
    assert_true(strlen(text) > strlen(wanted));
    assert_string_equal(text + strlen(text) - strlen(wanted), wanted);
    free(text);
}

static void source_is_translated(void **state)
{
    (void)state;
    expect_translated("\na = (float3)(x, (float4)(1));", "\na = float3(x, float4(1));");
    expect_translated("\nb = (uint2)(1, 2) + (uint)(3) + (vector)(4);",
                      "\nb = uint2(1, 2) + (uint)(3) + (vector)(4);");
    expect_translated("\nc = (struct hop){.what = (float2)(0)};",
                      "\nc = berth_compound<struct hop>{.what = float2(0)};");
    expect_translated("\nd = e[f].xyz; g.xyzw", "\nd = e[f].xyz(); g.xyzw");
    expect_translated("\nh = clamp(fma(a, b, c), 0, 1) + fma(a, b, c) + clamp(a, 0, 1);",
                      "\nh = clamp(berth_fma(a, b, c), 0, 1) + fma(a, b, c) + clamp(a, 0, 1);");
    expect_translated("\nc = (struct hop)d; f((struct hop *)e);",
                      "\nc = (struct hop)d; f((struct hop *)e);");
    expect_translated("\nkernel A(n) void k(global int *a, local float *restrict_me,\n"
                      "local struct s *b, int nonlocal)\n{ local float *c = b; }\nint f() {}",
                      "\nkernel A(n) void k(global int *a, local float *restrict_me,\n"
                      "local struct s *b, int nonlocal)\n{"
                      " restrict_me = berth_local_argument(restrict_me);"
                      " b = berth_local_argument(b); local float *c = b; }\nint f() {}");
}

/* Finds NVRTC for some driver; false where there is none.  That of `make setup` is looked for, too.
 */
static bool find_nvrtc(char path[PATH_MAX])
{
    static const int MAJORS[] = {13, 12};
    bool found = berth_nvrtc_find(13, path);
    for (size_t i = 0; !found && i < sizeof MAJORS / sizeof *MAJORS; i++) {
        char pattern[64];
        glob_t files;
        snprintf(pattern, sizeof pattern, "build-nvrtc/nvidia/*/lib/libnvrtc.so.%d", MAJORS[i]);
        if (glob(pattern, 0, NULL, &files) == 0) {
            snprintf(path, PATH_MAX, "%s", files.gl_pathv[0]);
            globfree(&files);
            found = true;
        }
    }
    return found;
}

/* Skips the test where there is none: make setup gets one from PyPI. */
static void need_nvrtc(char path[PATH_MAX])
{
    if (!find_nvrtc(path)) {
        print_message("# NVRTC is not installed: skipped\n");
        skip();
    }
}

/* Expects that one or the other program has each kernel of the source; ptx: what NVRTC gave. */
static void expect_kernels(const char *source, unsigned char *const ptx[2])
{
    size_t count = 0;
    for (const char *at = strstr(source, "\nkernel "); at; at = strstr(at + 1, "\nkernel ")) {
        const char *name = strstr(at, "void") + 4;
        char entry[128];
        name += strspn(name, " \n");
        snprintf(entry, sizeof entry, ".entry %.*s(", (int)strcspn(name, "("), name);
        if (!strstr((const char *)ptx[0], entry) && !strstr((const char *)ptx[1], entry)) {
            fail_msg("no %s)", entry);
        }
        count++;
    }
    assert_true(count >= 3);
}

/* Compiles for a GPU that is newer than all that NVRTC knows, so that it stops at PTX, which takes
 * half as long.  The caller frees what it gives. */
static unsigned char *compile_one(const char *translated, const char *options, const char *extra)
{
    struct berth_nvrtc_result result;
    char path[PATH_MAX], all[2 * BERTH_OPTIONS_TEXT];
    snprintf(all, sizeof all, "%s %s", options, extra);
    assert_true(find_nvrtc(path));
    const int code = berth_nvrtc_compile(path, translated, all, 9999, &result);
    if (code) {
        fail_msg("%d: %.3000s", code, result.log ? result.log : "");
    }
    assert_string_equal(result.log + strspn(result.log, "\n"), "");
    free(result.log);
    return result.binary;
}

/* Compiles the source's programs: of exact energies, on maps, and for large ligands. */
static void expect_compiles(const char *source, const char *options)
{
    char *translated = berth_cuda_translate(source);
    assert_non_null(translated);
    unsigned char *const ptx[2] = {compile_one(translated, options, ""),
                                   compile_one(translated, options, BERTH_ON_MAPS)};
    expect_kernels(source, ptx);
    free(compile_one(translated, options, BERTH_LARGE));
    free(ptx[0]);
    free(ptx[1]);
    free(translated);
}

static void make_options(const char *tunables, char options[BERTH_OPTIONS_TEXT])
{
    const struct berth_device device = {.kind = BERTH_DEVICE_GPU,
                                        .name = "a GPU",
                                        .platform = "CUDA (NVIDIA)",
                                        .work_group_size = 1024,
                                        .local_memory = 49152,
                                        .local_memory_is_fast = true,
                                        .vector_width = 1};
    struct berth_variant variant = berth_variant_default(&device);
    struct berth_error error;
    assert_int_equal(berth_variant_parse(tunables, &variant, &error), BERTH_OK);
    if (berth_variant_options(&variant, &device, "-Werror", options, &error)) {
        fail_msg("%s", error.message);
    }
}

static void compile(const char *name, const char *tunables)
{
    const struct berth_scoring_choice choice = {.scoring = name};
    struct berth_scoring scoring;
    struct berth_error error;
    char options[BERTH_OPTIONS_TEXT], path[PATH_MAX];
    need_nvrtc(path);
    make_options(tunables, options);
    if (berth_scoring_read(&choice, NULL, &scoring, &error)) {
        fail_msg("%s", error.message);
    }
    char *source = berth_variant_source(&scoring);
    expect_compiles(source, options);
    free(source);
    berth_scoring_clear(&scoring);
}

static void kernels_of_bude_compile(void **state)
{
    (void)state;
    compile("bude", "");
}

static void kernels_of_plp_compile(void **state)
{
    (void)state;
    slice("functions");
    compile("plp", "square_root=1 saturate=0");
}

static void kernels_of_vina_compile(void **state)
{
    (void)state;
    slice("functions");
    compile("vina", "square_root=0 lists=0 tile=512 wgsize=64");
}

static void kernels_of_vinardo_compile(void **state)
{
    (void)state;
    slice("functions");
    compile("vinardo", "expanded=0 ppwi=1 refine_wgsize=64");
}

static void kernels_with_a_torsional_term_compile(void **state)
{
    (void)state;
    slice("functions");
    compile("tests/fixtures/scoring/torsional.score", "");
}

static void ceilings_compile(void **state)
{
    char options[BERTH_OPTIONS_TEXT], path[PATH_MAX];
    (void)state;
    need_nvrtc(path);
    make_options("", options);
    char *source = berth_ceiling_source();
    assert_non_null(source);
    expect_compiles(source, options);
    free(source);
}

static void densities_compile(void **state)
{
    char path[PATH_MAX];
    (void)state;
    need_nvrtc(path);
    char *source = berth_density_source();
    assert_non_null(source);
    char *translated = berth_cuda_translate(source);
    unsigned char *ptx = compile_one(translated, "-DAVERAGE=4", "");
    assert_non_null(strstr((const char *)ptx, ".entry densities("));
    free(ptx);
    free(translated);
    free(source);
}

/* What the loops of the energy kernel are made of takes no more instructions than by OpenCL. */
static void clamps_and_absolute_values_are_free(void **state)
{
    static const char SOURCE[] = "\nkernel void k(global float *a)\n{\n"
                                 "a[0] = clamp(fma(a[1], a[2], a[3]), 0.0f, 1.0f);\n"
                                 "a[4] = native_sqrt(fabs(a[5]));\n}\n";
    char path[PATH_MAX];
    (void)state;
    need_nvrtc(path);
    char *translated = berth_cuda_translate(SOURCE);
    unsigned char *ptx = compile_one(translated, "-cl-denorms-are-zero", "");
    const char *text = (const char *)ptx;
    assert_non_null(strstr(text, "fma.rn.ftz.sat.f32"));
    assert_null(strstr(text, "max."));
    assert_non_null(strstr(text, "abs.f32"));
    assert_null(strstr(text, "abs.ftz"));
    free(ptx);
    free(translated);
}

/* The log says where: in the kernels' own lines. */
static void a_refused_program_has_a_log(void **state)
{
    struct berth_nvrtc_result result;
    char path[PATH_MAX];
    (void)state;
    need_nvrtc(path);
    char *translated = berth_cuda_translate("#line 7 \"mine.cl\"\nkernel void k() { banana; }\n");
    assert_int_equal(berth_nvrtc_compile(path, translated, "", 90, &result), -6);
    assert_non_null(strstr(result.log, "mine.cl(7): error: identifier \"banana\" is undefined"));
    assert_null(result.binary);
    free(result.log);
    free(translated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(source_is_translated),
                                       cmocka_unit_test(kernels_of_bude_compile),
                                       cmocka_unit_test(kernels_of_plp_compile),
                                       cmocka_unit_test(kernels_of_vina_compile),
                                       cmocka_unit_test(kernels_of_vinardo_compile),
                                       cmocka_unit_test(kernels_with_a_torsional_term_compile),
                                       cmocka_unit_test(ceilings_compile),
                                       cmocka_unit_test(densities_compile),
                                       cmocka_unit_test(clamps_and_absolute_values_are_free),
                                       cmocka_unit_test(a_refused_program_has_a_log)};
    return cmocka_run_group_tests_name("cuda", tests, NULL, NULL);
}
