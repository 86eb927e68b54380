#include "device/drivers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CL/cl.h>

#include "base/own.h"
#include "base/text.h"

enum { PLATFORMS_MAX = 32, REASON = 1536 };

static const char POCL[] = "Portable Computing Language";
static const char NO_SYS[] =
    "/sys does not show the processors, as in a chroot or container that lacks it, and PoCL would "
    "end the program: mount -t sysfs sysfs /sys (bwrap: --ro-bind /sys /sys)";
static const char VENDORS[] = "/etc/OpenCL/vendors";

static const struct {
    cl_int code;
    const char *name;
} NAMES[] = {
    {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_PLATFORM, "CL_INVALID_PLATFORM"},
    {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
    {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"}};

pthread_mutex_t *berth_drivers_lock(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    return &lock;
}

const char *berth_opencl_error_name(int code)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (NAMES[i].code == code) {
            return NAMES[i].name;
        }
    }
    return "OpenCL error";
}

/* Lists the platforms and gives their number. */
static cl_uint list_platforms(cl_platform_id platforms[PLATFORMS_MAX])
{
    cl_uint count = 0;
    if (clGetPlatformIDs(PLATFORMS_MAX, platforms, &count) != CL_SUCCESS) {
        return 0;
    }
    return count < PLATFORMS_MAX ? count : PLATFORMS_MAX;
}

/* The platform's name; true where it is PoCL. */
static bool name_platform(cl_platform_id platform, char name[128])
{
    memset(name, 0, 128);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, 127, name, NULL);
    return strcmp(name, POCL) == 0;
}

void berth_drivers_pocl_folder(char *path)
{
    const char *own = getenv("POCL_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own) {
        snprintf(path, PATH_MAX, "%s", own);
    } else if (xdg && *xdg) {
        snprintf(path, PATH_MAX, "%s/pocl/kcache", xdg);
    } else if (home) {
        snprintf(path, PATH_MAX, "%s/.cache/pocl/kcache", home);
    } else {
        snprintf(path, PATH_MAX, "/tmp/pocl/kcache");
    }
}

static enum berth_status check_writable(const char *path, struct berth_error *error)
{
    return access(path, W_OK | X_OK) == 0
               ? BERTH_OK
               : berth_fail(error, BERTH_E_IO, "%s: cannot write to it: %s", path, strerror(errno));
}

/* A folder for this user alone, the same one in every run; false where it cannot be had. */
static bool make_private_folder(char path[PATH_MAX])
{
    const char *temporary = getenv("TMPDIR");
    snprintf(path, PATH_MAX, "%s/berth-pocl-%lu",
             temporary && *temporary == '/' ? temporary : "/tmp", (unsigned long)geteuid());
    return !berth_directory_make_own(path, NULL) && !check_writable(path, NULL);
}

enum berth_status berth_drivers_check_pocl(struct berth_error *error)
{
    char path[PATH_MAX];
    if (berth_drivers_lack_sys()) {
        return berth_fail(error, BERTH_E_DEVICE, "%s", NO_SYS);
    }
    berth_drivers_pocl_folder(path);
    struct berth_error why;
    return berth_directory_make_own(path, &why)
               ? berth_fail(error, BERTH_E_IO,
                            "it cannot use its cache folder, %s: set POCL_CACHE_DIR, or HOME, to a "
                            "folder that you, and nobody else, may write to",
                            why.message)
               : BERTH_OK;
}

static bool has_pocl(void)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    char name[128];
    const cl_uint count = list_platforms(platforms);
    cl_uint i = 0;
    while (i < count && !name_platform(platforms[i], name)) {
        i++;
    }
    return i < count;
}

bool berth_drivers_lack_sys(void)
{
    /* where hwloc, of which PoCL learns what there is, looks for them */
    glob_t found;
    const bool none = glob("/sys/devices/system/cpu/cpu[0-9]*/topology", 0, NULL, &found) &&
                      glob("/sys/bus/cpu/devices/cpu[0-9]*/topology", 0, NULL, &found);
    if (!none) {
        globfree(&found);
    }
    return none;
}

void berth_drivers_limit_threads(long long count)
{
    static const char *const NAMES_OF_IT[] = {"POCL_CPU_MAX_CU_COUNT", "POCL_MAX_PTHREAD_COUNT"};
    char text[32];
    snprintf(text, sizeof text, "%lld", count);
    pthread_mutex_lock(berth_drivers_lock());
    for (size_t i = 0; count > 0 && i < sizeof NAMES_OF_IT / sizeof *NAMES_OF_IT; i++) {
        setenv(NAMES_OF_IT[i], text, 1); /* as newer and older versions call it */
    }
    pthread_mutex_unlock(berth_drivers_lock());
}

void berth_drivers_prepare(const struct berth_log *log)
{
    char path[PATH_MAX], other[PATH_MAX];
    struct berth_error why;
    if (!has_pocl()) {
        return;
    }
    if (berth_drivers_lack_sys()) {
        berth_warn(log, NULL, "the CPU is left out: %s", NO_SYS);
        return;
    }
    berth_drivers_pocl_folder(path);
    const enum berth_status own = berth_directory_make_own(path, &why);
    if (!own && !check_writable(path, &why)) {
        return;
    }
    if (getenv("POCL_CACHE_DIR") && check_writable(path, NULL)) {
        if (!own) { /* else PoCL is not asked, which is an error or does not matter */
            berth_warn(log, NULL, "POCL_CACHE_DIR: %s; PoCL can build no kernels", why.message);
        }
    } else if (make_private_folder(other) && setenv("POCL_CACHE_DIR", other, 1) == 0) {
        berth_warn(log, NULL,
                   "PoCL's cache folder: %s; %s takes its place (POCL_CACHE_DIR, or HOME, can name "
                   "another)",
                   why.message, other);
    } else {
        berth_warn(log, NULL, "PoCL's cache folder: %s; no other can be made", why.message);
    }
}

/* What stands between two reasons. */
static const char *gap(const char *text)
{
    return *text ? "; " : "";
}

/* Why this platform, which has no device, has none. */
static void explain_platform(cl_platform_id platform, char text[REASON])
{
    char name[128];
    struct berth_error why;
    cl_uint count = 0;
    if (name_platform(platform, name) && berth_drivers_check_pocl(&why)) {
        berth_text_append(text, REASON, "%splatform %s: %s", gap(text), name, why.message);
        return;
    }
    const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    berth_text_append(text, REASON,
                      "%splatform %s: %s (%d): is its device there, and may you use it?", gap(text),
                      name, berth_opencl_error_name(code), (int)code);
}

/* Why the library of a driver without a platform shows none; path is the file that names it. */
static void explain_library(const char *path, char text[REASON])
{
    char line[PATH_MAX] = "";
    FILE *file = fopen(path, "rb");
    if (!file || !fgets(line, sizeof line, file)) {
        berth_text_append(text, REASON, "%s%s cannot be read: %s", gap(text), path,
                          file ? "it is empty" : strerror(errno));
    }
    if (file) {
        fclose(file);
    }
    line[strcspn(line, " \t\r\n")] = '\0';
    if (!*line) {
        return;
    }
    void *library = dlopen(line, RTLD_NOW | RTLD_LOCAL);
    if (library) {
        berth_text_append(text, REASON,
                          "%s%s: %s has no platform: is its device there, and may you use it?",
                          gap(text), path, line);
        dlclose(library);
    } else {
        berth_text_append(
            text, REASON,
            "%s%s: the driver cannot be loaded (%s): mend its installation, or give the "
            "process more memory (ulimit -v)",
            gap(text), path, dlerror());
    }
}

static bool is_icd(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

/* Goes through the files that name drivers. */
static void explain_files(const char *vendors, char text[REASON])
{
    DIR *folder = opendir(vendors);
    if (!folder && is_icd(vendors)) {
        explain_library(vendors, text);
    }
    for (struct dirent *found; folder && (found = readdir(folder));) {
        char path[PATH_MAX];
        if (is_icd(found->d_name) &&
            snprintf(path, sizeof path, "%s/%s", vendors, found->d_name) < PATH_MAX) {
            explain_library(path, text);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

enum berth_status berth_drivers_missing(const struct berth_device_note *cuda,
                                        struct berth_error *error)
{
    const char *own = getenv("OCL_ICD_VENDORS"), *vendors = own && *own ? own : VENDORS;
    cl_platform_id platforms[PLATFORMS_MAX];
    const cl_uint count = list_platforms(platforms);
    char text[REASON] = "";
    for (cl_uint i = 0; i < count; i++) {
        explain_platform(platforms[i], text);
    }
    if (!count) {
        explain_files(vendors, text);
    }
    if (!*text) {
        berth_text_append(
            text, REASON,
            "%sno driver is listed in %s%s: install one, for example `apt-get install "
            "pocl-opencl-icd` for the CPU or the GPU vendor's OpenCL package",
            gap(text), vendors, vendors == own ? " (OCL_ICD_VENDORS)" : "");
    }
    if (cuda->matters) {
        berth_text_append(text, REASON, "%s%s", gap(text), cuda->text);
    }
    return berth_fail(error, BERTH_E_DEVICE, "no OpenCL device was found: %s", text);
}
