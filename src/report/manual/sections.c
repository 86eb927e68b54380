#include <string.h>

#include "report/manual/writers.h"

/* What else a page is to say. */
enum { DEVICE = 1, PREPARES = 2, SOME_FAIL = 4, REPORTS = 8 };

struct extra {
    const char *name;
    unsigned has;
    const char *examples, *files, *related;
};

static const char DEVICE_VARIABLES[] =
    "BERTH_CACHE_DIR\tfolder of compiled kernels and of what `berth tune` stores; empty: none\n"
    "XDG_CACHE_HOME\tparent of that folder where BERTH_CACHE_DIR is not set; else ~/.cache\n"
    "OCL_ICD_VENDORS\twhere OpenCL drivers are registered, else /etc/OpenCL/vendors\n"
    "POCL_CACHE_DIR\tPoCL's own cache folder\n"
    "LD_LIBRARY_PATH, CUDA_PATH, CUDA_HOME\twhere NVRTC is looked for";
static const char PREPARE_VARIABLES[] =
    "PATH\twhere obabel is looked for, and each python3, of which the first that has RDKit counts\n"
    "VIRTUAL_ENV\ta virtual environment, whose python3 is tried before those\n"
    "BERTH_PYTHON\tthe Python with RDKit; no other is tried then";

static const char EXIT_STATUS[] =
    "0\tall done\n1\tusage error or fatal: a message says what failed and what to do";
static const char EXIT_STATUS_SOME[] =
    "0\tall done\n1\tusage error or fatal: a message says what failed and what to do\n"
    "2\tfinished, but some molecules failed: the file of failures has a row for each";
static const char EXIT_STATUS_WORKS[] = "0\tall is well, or what is missing is not needed to dock\n"
                                        "1\twhat is needed is missing, or computes wrongly";

static const char CACHE[] = "~/.cache/berth\tcompiled kernels and tunables (see BERTH_CACHE_DIR)";

static const struct extra EXTRAS[] = {
    {"", DEVICE | PREPARES | SOME_FAIL,
     "berth prep receptor complex.pdb --ligand_id LIG --out site.brec --reference known.mol2\n"
     "berth prep ligands molecules.smi --out library.blib\n"
     "berth screen --receptor site.brec --library library.blib --out results --top 1000\n"
     "berth show results",
     CACHE, "dock,screen,prep receptor,prep ligands,doctor"},
    {"prep", PREPARES, NULL, NULL, "prep ligands,prep receptor,"},
    {"prep ligands", PREPARES | SOME_FAIL,
     "# a library of what a file of SMILES has, prepared once\n"
     "berth prep ligands molecules.smi --out library.blib\n"
     "# for rigid searches: up to 20 conformers of each\n"
     "berth prep ligands molecules.sdf --conformers 20 --out conformers.blib",
     "LIBRARY.blib\tthe library\n"
     "LIBRARY.failures.csv\ta row for each molecule that could not be prepared, with the reason",
     "prep receptor,lib,screen,"},
    {"prep receptor", PREPARES,
     "# cut the ligand out of a complex; the site lies about it\n"
     "berth prep receptor complex.pdb --ligand_id LIG --out site.brec --reference known.mol2\n"
     "# no ligand in it: look for pockets\n"
     "berth prep receptor protein.pdb --site scan --out pocket.brec",
     "SITE.brec\tthe receptor with its site\n"
     "SITE_sites.csv\tthe pockets that `--site scan` found",
     "prep ligands,dock,screen,"},
    {"lib", 0, NULL, NULL, "lib info,lib ls,lib get,lib verify,lib merge,prep ligands,"},
    {"lib info", 0, "berth lib info library.blib", NULL, "lib,prep ligands,"},
    {"lib ls", 0, "berth lib ls library.blib --out library.csv", NULL, "lib,lib get,"},
    {"lib get", 0, "berth lib get library.blib aspirin --out aspirin.sdf", NULL, "lib,lib ls,"},
    {"lib verify", 0, "berth lib verify library.blib", NULL, "lib,"},
    {"lib merge", 0, "berth lib merge library.blib conformers.blib --out all.blib", NULL, "lib,"},
    {"dock", DEVICE | PREPARES | SOME_FAIL,
     "# a prepared receptor and a library: poses and a table of scores\n"
     "berth dock --receptor site.brec --ligand library.blib --out poses.sdf --scores scores.csv\n"
     "# files as they are, about a known ligand\n"
     "berth dock --receptor protein.pdb --ligand molecules.smi --autobox_ligand known.mol2 "
     "--out poses.sdf",
     "POSES.sdf\tthe poses with all atoms, bonds and scores\n"
     "POSES.failures.csv\ta row for each ligand that could not be docked, with the reason\n"
     "~/.cache/berth\tcompiled kernels and tunables (see BERTH_CACHE_DIR)",
     "prep receptor,prep ligands,screen,score,report,"},
    {"screen", DEVICE | SOME_FAIL,
     "berth screen --receptor site.brec --library library.blib --out results --top 1000\n"
     "# go on after a crash, a power cut or Ctrl-C\n"
     "berth screen --receptor site.brec --library library.blib --out results --top 1000 --resume",
     "DIR/scores.csv\ta row for each ligand\nDIR/hits.sdf\tthe poses of the best\n"
     "DIR/failures.csv\tligands that failed, with the reasons\n"
     "DIR/run.json\twhat was run, where and how fast\n"
     "DIR/journal\twhat `--resume` goes on from",
     "prep ligands,prep receptor,merge,show,report,eval screen,"},
    {"merge", SOME_FAIL, NULL,
     "DIR/scores.csv, DIR/hits.sdf, DIR/failures.csv, DIR/run.json\tas of one screen",
     "screen,show,"},
    {"show", 0,
     "berth show results --filter 'energy < -1 and heavy_atoms < 40' --top 10\n"
     "berth show results --out best.csv",
     NULL, "screen,report,"},
    {"score", DEVICE | PREPARES | SOME_FAIL,
     "berth score --receptor site.brec --ligand known.mol2 --out energies.csv\n"
     "berth score --receptor site.brec --ligand known.mol2 --minimize --out minimised.csv",
     NULL, "dock,interactions,"},
    {"report", DEVICE | REPORTS, "berth report results --out page.html",
     "DIR/report.html\tthe page, which needs no network and no other file", "screen,dock,show,"},
    {"interactions", PREPARES | SOME_FAIL,
     "berth interactions --receptor site.brec --poses known.mol2 --out interactions.csv", NULL,
     "report,dock,"},
    {"eval", 0, NULL, NULL, "eval redock,eval poses,eval screen,"},
    {"eval redock", DEVICE | PREPARES | SOME_FAIL, "berth eval redock set --out redock", NULL,
     "eval,dock,"},
    {"eval poses", PREPARES | SOME_FAIL,
     "berth eval poses --receptor protein.pdb --poses poses.sdf --out valid.csv", NULL,
     "eval,interactions,"},
    {"eval screen", 0, "berth eval screen results --actives known.txt --out enrichment", NULL,
     "eval,screen,"},
    {"devices", DEVICE, "berth devices -v", CACHE, "doctor,selftest,"},
    {"doctor", DEVICE | PREPARES, "berth doctor", CACHE, "devices,selftest,"},
    {"selftest", DEVICE, "berth selftest --small", NULL, "devices,doctor,show-kernel,"},
    {"bench", DEVICE, NULL, CACHE, "devices,tune,"},
    {"tune", DEVICE, NULL, CACHE, "devices,bench,"},
    {"show-kernel", DEVICE, "berth show-kernel --scoring vina", NULL, "devices,selftest,"},
    {"manual", 0, "berth manual prep ligands >berth-prep-ligands.1", NULL, "completion,"},
    {"completion", 0, "berth completion bash >berth.bash", NULL, "manual,"}};

struct berth_sections berth_sections_of(const char *name)
{
    static const struct extra NONE = {"", 0, NULL, NULL, ""};
    const struct extra *extra = &NONE;
    for (size_t i = 0; i < sizeof EXTRAS / sizeof *EXTRAS; i++) {
        if (strcmp(EXTRAS[i].name, name) == 0) {
            extra = &EXTRAS[i];
        }
    }
    struct berth_sections sections = {.examples = extra->examples,
                                      .files = extra->files,
                                      .exit_status = strcmp(name, "doctor") == 0 ? EXIT_STATUS_WORKS
                                                     : extra->has & SOME_FAIL    ? EXIT_STATUS_SOME
                                                                                 : EXIT_STATUS,
                                      .related = extra->related};
    size_t count = 0;
    if (extra->has & DEVICE) {
        sections.environment[count++] = DEVICE_VARIABLES;
    }
    if (extra->has & (PREPARES | REPORTS)) {
        sections.environment[count] = PREPARE_VARIABLES;
    }
    return sections;
}
