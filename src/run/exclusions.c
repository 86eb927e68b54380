#include "run/exclusions.h"

#include <stdio.h>
#include <string.h>

#define ONE_FUNCTION "a whole surface is searched and ranked by one function"
#define HELD_NOWHERE "a whole surface is searched without any"
#define NOT_KEPT                                                                                   \
    "poses are not relaxed with restraints, templates and sites of metals (metal_sites off), "     \
    "which would not be kept"

enum {
    DOCK = BERTH_RUN_DOCK,
    SCREENS = BERTH_RUN_SCREEN | BERTH_RUN_CAMPAIGN,
    DOCKS = DOCK | SCREENS | BERTH_RUN_REDOCK | BERTH_RUN_SERVE,
    ANY = ~0U >> 1
};

static const struct berth_exclusion ROWS[] = {
    {DOCK, "site", "rank", ONE_FUNCTION, false},
    {DOCK, "site", "rescore", ONE_FUNCTION, false},
    {DOCK, "site", "receptor", "a whole surface is one receptor's", false},
    {DOCK, "restraints", "site", HELD_NOWHERE, false},
    {DOCK, "template", "site", HELD_NOWHERE, false},
    {DOCK, "flexible_residues flexible_within", "site",
     "side chains move in a box, and not with site surface", false},
    {DOCK, "center_x center_y center_z size_x size_y size_z autobox_ligand", "site",
     "a whole surface is searched: leave the box out", false},
    {DOCK, "seeds", "site", "a whole surface is searched with one", false},
    {DOCK, "min_rmsd", "site", "a whole surface gives one pose of each pocket", false},
    {DOCKS, "covalent", "receptor", "it goes without several receptors", false},
    {DOCKS, "covalent", "flexible_residues flexible_within", "it goes without flexible side chains",
     false},
    {DOCKS, "covalent", "template", "it goes without a template", false},
    {DOCKS, "covalent", "rescore", "it goes without a model that rescores", false},
    {DOCK, "covalent", "site", "it goes without a whole surface", false},
    {DOCKS, "rescore", "flexible_residues flexible_within",
     "a model sees the receptor as it was given, so no side chain may move", false},
    {DOCK, "relax", "site", "poses are not relaxed with a whole surface", false},
    {DOCKS, "relax", "covalent",
     "poses are not relaxed with ligands that are bonded to the receptor", false},
    {DOCKS, "relax", "flexible_residues flexible_within",
     "poses are not relaxed with side chains that move", false},
    {DOCKS, "relax", "restraints", NOT_KEPT, false},
    {DOCKS, "relax", "template", NOT_KEPT, false},
    {DOCKS, "relax", "metal_sites", NOT_KEPT, false},
    {BERTH_RUN_SCORE, "relax", "minimize", "it moves all that minimize does, and more: ask for one",
     false},
    {ANY, "overwrite", "resume", "it removes the run that resume goes on with", false},
    {SCREENS, "shard", "stages",
     "a stage docks the best of all shards: screen the first stage in shards, merge them, and dock "
     "the hits again",
     false},
    {BERTH_RUN_RECEPTOR, "displaceable_waters", "site", "a scan for sites goes without any", false},
    {BERTH_RUN_RECEPTOR, "view", "site", "shows one site, and a scan finds several", false},
    {DOCK,
     "search exhaustiveness poses generations parents refine hops refine_torsions "
     "refine_evaluations out_also out_each tags separate failures max_clash strain_weight batch "
     "check "
     "profile ph keep_protonation protomers min_population stereo any_stereo ligand_id "
     "ligand_smiles allow_occupied box flexible_residues flexible_within flexible_most "
     "full_flex_output covalent restraints template db seeds",
     "protein", "says nothing with protein, whose search is set by rotation_spacing and starts",
     false},
    {DOCKS | BERTH_RUN_LIGANDS, "ph", "keep_protonation",
     "keep_protonation leaves molecules as they are, at any pH: give one of the two", false},
    {BERTH_RUN_RECEPTOR, "ph", "protonate", "it is of protonate, which places hydrogens", true},
    {BERTH_RUN_RECEPTOR, "sites", "site", "it is of a scan (site scan)", true},
    {DOCK | SCREENS | BERTH_RUN_SERVE, "flexible_most", "flexible_within",
     "it is of flexible_within, which finds side chains", true},
    {DOCKS, "core core_tolerance core_weight min_core no_core", "template", "of which template?",
     true},
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

/* True where the run is asked for what an option says, or does it unasked. */
static bool is_asked(const struct berth_choices *choices, const char *option)
{
    return strcmp(option, "receptor") == 0      ? choices->receptors
           : strcmp(option, "rank") == 0        ? choices->options->rank || choices->functions
           : strcmp(option, "metal_sites") == 0 ? choices->metals
                                                : berth_options_has(choices->options, option);
}

/* Writes the first of the options, with blanks between, that is asked for; false: none is. */
static bool find_asked(const struct berth_choices *choices, const char *options, char option[32])
{
    while (*options) {
        const size_t length = strcspn(options, " ");
        snprintf(option, 32, "%.*s", (int)length, options);
        if (is_asked(choices, option)) {
            return true;
        }
        options += length + strspn(options + length, " ");
    }
    return false;
}

enum berth_status berth_choices_check(const struct berth_choices *choices,
                                      struct berth_error *error)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct berth_exclusion *row = &ROWS[i];
        char refused[32], beside[32];
        if (row->runs & choices->options->run &&
            find_asked(choices, row->beside, beside) != row->lone &&
            find_asked(choices, row->refused, refused)) {
            return berth_fail_option(error, BERTH_E_USAGE,
                                     berth_options_name(choices->options, refused), "%s: %s",
                                     refused, row->why);
        }
    }
    return BERTH_OK;
}

struct berth_exclusion berth_exclusion_at(size_t number)
{
    return number < ROW_COUNT ? ROWS[number] : (struct berth_exclusion){.why = NULL};
}
