/* How to search: the settings of searches, and their levels. */
#ifndef BERTH_ENGINE_LEVELS_H
#define BERTH_ENGINE_LEVELS_H

#include "engine/maps.h"
#include "engine/refine.h"

/* How to search on maps; berth_mapped_defaults fills it. */
struct berth_mapped_settings {
    size_t poses;       /* of a ligand's conformers, which share them as BERTH_POSES_OF
                           (kernels/shared.h) says; 0: there is no search on maps */
    size_t parents;     /* poses of a generation that live on (see BERTH_PARENTS_OF); the others
                           give way to children */
    float fresh;        /* share of those that begin anew */
    size_t generations; /* generation zero included */
    bool closes;        /* in the last one poses go on from the lowest that they have been, and
                           nowhere uphill, by longer descents */
    size_t hops;        /* descents of each pose with 6 torsions in a generation: see mapped.cl */
    size_t evaluations; /* of each descent, at most */
    float temperature;  /* of the Metropolis rule, as a share of the energy */
    float distinct;     /* Å: RMSD below which two poses are one */
    float start;        /* Å: poses begin so near to their conformer's start (struct
                           berth_device_conformer) along each axis; 0: anywhere in the site */
    struct berth_map_settings maps;
};

struct berth_mapped_settings berth_mapped_defaults(void);

/* Whether function f is among those that search, and how many there are; pool: as in struct
 * berth_search_settings. */
bool berth_pool_has(unsigned pool, size_t f);
size_t berth_pool_count(unsigned pool);

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
    unsigned pool; /* bit f: the run's function f searches (engine/pool.h); 0: the first alone */
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

/* Conformers in a batch that suit the device: settings->batch where it is set. */
size_t berth_search_fit(const struct berth_search_settings *settings,
                        const struct berth_device *device);

#endif
