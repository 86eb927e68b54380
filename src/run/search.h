/* How the options of a run say to search. */
#ifndef BERTH_RUN_SEARCH_H
#define BERTH_RUN_SEARCH_H

#include "base/error.h"
#include "chem/site.h"
#include "dock/restraints/restraints.h"
#include "engine/search.h"
#include "options/options.h"

/* Poses on maps for each unit of exhaustiveness, so that Vina's default, 8, is balanced; and of a
 * population on a surface. */
enum { BERTH_EXHAUSTIVENESS_POSES = 32, BERTH_EXHAUSTIVENESS_SURFACE = 4 };

/* The level that the options name, with the numbers that they have instead of its own.  surface: of
 * many small populations (see berth_surface_level).  Errors: BERTH_E_USAGE (no such level;
 * exhaustiveness of a rigid one, or beside poses). */
enum berth_status berth_search_options_level(const struct berth_options *options, bool surface,
                                             struct berth_search_level *level,
                                             struct berth_error *error);

/* Of which metals open sites are to draw donors, as the options say; no search but one on maps
 * knows of any.  Errors: BERTH_E_USAGE (neither auto nor on nor off). */
enum berth_status berth_search_options_metals(const struct berth_options *options,
                                              const struct berth_search_level *level,
                                              enum berth_metal_sites *metals,
                                              struct berth_error *error);

/* What ranks: the ranking that the options name, or, where they name neither that nor functions nor
 * a weight of strain, and the search is one that several functions can judge (on maps, refined, of
 * one site), the one by default; NULL: the score. */
const char *berth_search_options_ranking(const struct berth_options *options);

/* Which of the functions search (see struct berth_search_settings): those whose names the options
 * list or, where they list none, the ranking's text, or NULL.  Errors: BERTH_E_USAGE (a name that
 * is none of the functions'). */
enum berth_status berth_search_options_pool(const struct berth_options *options,
                                            const char *ranking,
                                            const struct berth_judges *functions, unsigned *pool,
                                            struct berth_error *error);

/* The settings for that level; modes are at least min_rmsd (Å) apart.  pool: see struct
 * berth_search_settings; it is looked at where poses are refined, or the options name one. */
struct berth_search_settings berth_search_options_settings(const struct berth_options *options,
                                                           const struct berth_search_level *level,
                                                           double min_rmsd, unsigned pool);

/* Where the site bounds atoms: the maps end at its faces, so that their wall drives atoms back.
 * Errors: BERTH_E_USAGE (a search without maps). */
enum berth_status berth_search_options_bound(const struct berth_site *site,
                                             struct berth_search_settings *settings,
                                             struct berth_error *error);

/* The template that the options name; setup->path NULL: none.  Errors: BERTH_E_USAGE (a core of
 * none; no_core is neither free nor refuse). */
enum berth_status berth_search_options_template(const struct berth_options *options,
                                                struct berth_template_setup *setup,
                                                struct berth_error *error);

#endif
