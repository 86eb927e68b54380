/* Evolutionary Monte Carlo on one device, and refinement of what it finds.
 *
 * Generation zero, energies, the Metropolis rule, selection, evolution and refinement all run on
 * the device: a batch of conformers goes there in two transfers, or three where their torsions
 * turn, the best poses come back in three, or in two when refined, and nothing crosses the bus in
 * between.
 */
#ifndef BERTH_ENGINE_SEARCH_H
#define BERTH_ENGINE_SEARCH_H

#include "engine/mapped.h"
#include "score/pose.h"

/* How to search; berth_search_published fills it. */
struct berth_search_settings {
    uint64_t seed;
    size_t poses;       /* of a conformer in one generation */
    size_t generations; /* generation zero included */
    size_t parents;     /* at most BERTH_KEEP */
    size_t batch;       /* conformers in a launch; 0: what suits the device */
    bool in_turn;       /* batches run one after the other, so that kernels' times are their own */
    float exchange;     /* share of children with another parent's translation */
    /* Å, rad and kJ/mol: these shrink geometrically from generation to generation. */
    float shift_first, shift_last, turn_first, turn_last, temperature_first, temperature_last;
    /* Å: RMSD below which parents are duplicates, likewise; and poses of the last generation. */
    float distinct_first, distinct_last, distinct_modes;
    float niche;         /* Å: RMSD within which a parent may have only so many ... */
    size_t niche_places; /* ... better ones */
    /* Weight of the steric term in generation zero; it grows to 1 within soft_generations.  Soft
     * atoms let poses next to a good one survive until they have found it. */
    float steric_first;
    size_t soft_generations;
    /* The best parents of the last generation are refined, and nothing else is kept: at most
     * `parents` of them.  Off (0 poses) by default. */
    struct berth_refine_settings refine;
    /* A search on maps takes the place of the rigid one where it has poses; what it finds is
     * refined.  Large ligands (berth_is_large) are searched by a rigid one all the same. */
    struct berth_mapped_settings mapped;
    size_t pool; /* functions that search in turn (engine/pool.h); 0 and 1 alike: one */
    /* NULL, or looked at between generations: see berth_check_stop.  What was started stays on its
     * way. */
    const atomic_bool *stop;
};

enum { BERTH_POSES_MAX = 1 << 26, BERTH_GENERATIONS_MAX = 10000 };

/* The published search: 65,536 poses in 8 generations, nothing refined. */
struct berth_search_settings berth_search_published(void);

/* A step of the ladders of searches, from fastest to thorough, and the published one. */
struct berth_search_level {
    const char *name;
    bool maps; /* torsions are searched, on maps; or conformers stay as they are */
    size_t poses, generations, parents;
    size_t refine;      /* poses that are refined in the end; 0: none */
    size_t evaluations; /* of each descent of the refinement, at most */
    size_t hops;        /* of each of them; on maps, of each pose in a generation */
    bool closes;        /* on maps: see struct berth_mapped_settings */
};

/* All of them, fastest to thorough: a further one is a row here.  bench/RESULTS.md has what each
 * finds, and what it costs; `rigid_balanced` spends a quarter of the published evaluations.
 *   LEVEL(name, maps, poses, generations, parents, refine, evaluations, hops, closes) */
#define BERTH_SEARCH_LEVEL_LIST(LEVEL)                                                             \
    LEVEL(fastest, true, 48, 5, 16, 4, 60, 4, false)                                               \
    LEVEL(fast, true, 96, 10, 16, 4, 60, 4, false)                                                 \
    LEVEL(balanced, true, 256, 16, 32, 18, 100, 4, true)                                           \
    LEVEL(thorough, true, 512, 32, 64, 48, 200, 4, true)                                           \
    LEVEL(rigid_fast, false, 4096, 8, 64, 8, 400, 0, false)                                        \
    LEVEL(rigid_balanced, false, 16384, 7, 128, 16, 340, 2, false)                                 \
    LEVEL(rigid_thorough, false, 65536, 8, 256, 32, 400, 2, false)                                 \
    LEVEL(published, false, 65536, 8, 256, 0, 400, 0, false)

/* Their names as a text, with a blank behind each. */
#define BERTH_SEARCH_LEVEL_WORD(name, ...) #name " "
#define BERTH_SEARCH_LEVEL_WORDS           BERTH_SEARCH_LEVEL_LIST(BERTH_SEARCH_LEVEL_WORD)

/* The last has no name. */
extern const struct berth_search_level BERTH_SEARCH_LEVELS[];

/* The level of that name, or NULL. */
const struct berth_search_level *berth_search_level_find(const char *name);

/* The names of all levels, or of those on maps alone: "fast, balanced or thorough". */
enum { BERTH_SEARCH_LEVEL_NAMES = 200 };
void berth_search_level_names(bool on_maps, char text[BERTH_SEARCH_LEVEL_NAMES]);

/* The settings of a level, or of one that was made of it by other numbers.  Where the poses of a
 * rigid search are refined in the end, it leaves the last tenths of an Å to that, and keeps more
 * places for different poses instead.  At most `parents` poses are refined. */
struct berth_search_settings berth_search_at(const struct berth_search_level *level);

/* Pairs of atoms whose energies a search adds up for each atom of a conformer, refinement aside, in
 * a receptor of so many; 0: it is on maps, which have no pairs. */
double berth_search_pairs_per_atom(const struct berth_search_settings *settings, size_t receptor);

/* What was found for some conformers. */
struct berth_found {
    struct berth_pose *poses; /* owned; [conformers][stride], best first: what a device found */
    size_t *counts;           /* owned; [conformers]: poses that there are; 0: the device gave no
                                 finite energy */
    size_t *evaluations;      /* owned; [conformers]: energies with gradients that were spent on
                                 them: by the search on maps, and by refinement */
    size_t stride;
};

/* Makes room for conformers searched with these settings.  The caller clears *found.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_found_create(const struct berth_search_settings *settings,
                                     size_t conformers, struct berth_found *found,
                                     struct berth_error *error);

/* Frees what it owns and zeroes it; a zeroed one is accepted. */
void berth_found_clear(struct berth_found *found);

/* Takes the records of conformer c's found->counts[c] refined poses, the best first; scores: of
 * each record, by all functions, or NULL. */
void berth_found_refined(struct berth_found *found, size_t c,
                         const struct berth_device_refined *records,
                         const double (*scores)[BERTH_FUNCTIONS_MAX]);

struct berth_search; /* opaque */

/* Prepares searches of the site on evaluator (borrowed).  first: NULL, or a search with the same
 * settings to run beside, which shares its maps, and has another queue of the device unless they
 * are to run in turn.  The caller destroys *search.  Errors: BERTH_E_USAGE (settings out of range),
 * BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY. */
enum berth_status berth_search_create(struct berth_evaluator *evaluator, const double size[3],
                                      const struct berth_search_settings *settings,
                                      const struct berth_search *first,
                                      struct berth_search **search, struct berth_error *error);

/* Conformers in a batch that suit the device: settings->batch where it is set. */
size_t berth_search_fit(const struct berth_search_settings *settings,
                        const struct berth_device *device);

/* Starts the search of count conformers (at most berth_search_fit; all large, or none), and waits
 * for nothing: another search on the same evaluator can be started behind it.  What was started
 * must be finished before the next start.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_search_start(struct berth_search *search,
                                     const struct berth_packed_conformer *conformers, size_t count,
                                     struct berth_error *error);

/* Says whether what was started has ended, without waiting.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_search_poll(const struct berth_search *search, bool *ended,
                                    struct berth_error *error);

/* Waits for what was started, and writes it to found, from conformer number `first` on.  Errors:
 * BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_RESULT (more poses than there can be). */
enum berth_status berth_search_finish(struct berth_search *search, struct berth_found *found,
                                      size_t first, struct berth_error *error);

/* Lets searches count the pairs of atoms that they meet, with an evaluator that was built with
 * -DBERTH_COUNT (borrowed).  Starting a search then waits for each generation.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_search_count_with(struct berth_search *search,
                                          struct berth_evaluator *counter,
                                          struct berth_error *error);

/* Who judges the poses that a search finds; borrowed. */
struct berth_search_judges {
    struct berth_evaluator *evaluators[BERTH_FUNCTIONS_MAX - 1]; /* [count], of one device */
    size_t count;
    /* Which of the run's functions they are, and which one searches; 0: the first. */
    size_t numbers[BERTH_FUNCTIONS_MAX - 1], own;
    bool first_reports; /* poses have the terms and parts of the first judge's energy */
};

/* Lets these functions judge what searches find from now on, whose conformers are typed by them.
 * Once for a search.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_search_judge_with(struct berth_search *search,
                                          const struct berth_search_judges *judges,
                                          struct berth_error *error);

/* The maps of a search on maps. */
struct berth_maps *berth_search_maps(const struct berth_search *search);

/* The pairs that all searches so far have met, over all poses. */
double berth_search_met(const struct berth_search *search);

void berth_search_destroy(struct berth_search *search);

#endif
