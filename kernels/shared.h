/* Structures that the host and the kernels share.  This file is C11 and OpenCL C 1.2 at once; both
 * sides assert the sizes, so that they cannot drift apart. */
#ifndef BERTH_KERNELS_SHARED_H
#define BERTH_KERNELS_SHARED_H

#ifdef __OPENCL_VERSION__
typedef uint berth_uint32;
typedef int berth_int32;
#define BERTH_ASSERT_SIZE(type, bytes)                                                             \
    typedef char berth_size_of_##type[sizeof(struct type) == (bytes) ? 1 : -1]
#else
#include <stdint.h>
typedef uint32_t berth_uint32;
typedef int32_t berth_int32;
#define BERTH_ASSERT_SIZE(type, bytes)                                                             \
    _Static_assert(sizeof(struct type) == (bytes), "the kernels have another layout")
#endif

/* Selection: keys that a work-group sorts at a time, which is a bin at least; how many of them go
 * on; new poses in each further sort of a bin, beside the best so far; and lists that are merged
 * into one. */
#define BERTH_SORT  1024
#define BERTH_KEEP  256
#define BERTH_PIECE (BERTH_SORT - BERTH_KEEP)
#define BERTH_MERGE (BERTH_SORT / BERTH_KEEP)

/* Torsions of a ligand that turn, at most. */
#define BERTH_TORSIONS 48

/* Atoms of a large ligand (BERTH_LARGE) that are worked on at a time: what local memory has room
 * for, and sums in single precision keep their digits over. */
#ifndef BERTH_LIGAND_TILE
#define BERTH_LIGAND_TILE 256
#endif

/* Words of Philox's fourth counter: draws of one pose in one generation. */
#define BERTH_DRAWS_PER_GENERATION 8

/* An atom of a conformer, relative to its heavy-atom centroid. */
struct berth_device_atom {
    float x, y, z;    /* Å */
    berth_int32 type; /* column of the pair table */
};
BERTH_ASSERT_SIZE(berth_device_atom, 16);

/* An atom of the receptor, relative to the site's centre; the kernels read it as a float4.  Its
 * type is that of its run. */
struct berth_device_site_atom {
    float x, y, z; /* Å */
    float square;  /* x² + y² + z², Å² */
};
BERTH_ASSERT_SIZE(berth_device_site_atom, 16);

/* Receptor atoms begin .. end - 1 (counted from the tile's first atom) that have one type. */
struct berth_device_run {
    berth_int32 begin, end;
    berth_int32 type; /* row of the pair table */
    berth_int32 unused;
};
BERTH_ASSERT_SIZE(berth_device_run, 16);

/* Receptor atoms that are worked on together: some that fit local memory, or a neighbour list. */
struct berth_device_tile {
    berth_int32 atom_begin, atom_end;
    berth_int32 run_begin, run_end;
};
BERTH_ASSERT_SIZE(berth_device_tile, 16);

/* Neighbour lists for ligand atoms of some kinds in the cells of a grid: the list of a kind and
 * cell has every receptor atom that such an atom may interact with at up to `spread` Å from
 * anywhere in the cell. */
struct berth_device_level {
    float x, y, z;          /* the grid's lowest corner, Å */
    float per_edge;         /* cells per Å */
    berth_int32 nx, ny, nz; /* cells */
    berth_int32 first;      /* tile of the first kind's first cell; x runs fastest, kinds slowest */
    float spread;           /* Å */
    berth_int32 covers;     /* 1: all of the receptor's atoms lie in the grid */
    berth_int32 unused[2];
};
BERTH_ASSERT_SIZE(berth_device_level, 48);

/* Levels of neighbour lists, fine to coarse, at most; and kinds of ligand atoms (those that
 * other atoms reach from afar, and others; lists for the former do for both). */
#define BERTH_LEVELS 3
#define BERTH_KINDS  2

/* Tiles that lists have before those of the levels: all receptor atoms; and those that conformers
 * up to the site's margin can interact with. */
#define BERTH_LIST_ALL  0
#define BERTH_LIST_SITE 1

/* A receptor's tables. */
struct berth_device_site {
    berth_int32 tile_count;
    berth_int32 pair_columns;
    berth_int32 level_count;
    float margin; /* Å: radius of the largest conformer that BERTH_LIST_SITE is for */
    struct berth_device_level levels[BERTH_LEVELS];
};
BERTH_ASSERT_SIZE(berth_device_site, 16 + 48 * BERTH_LEVELS);

/* What the kernels are told of a pair of types, as floats: the constants of the scoring function's
 * code (src/score/language/program.h), then these.  On the device it is a struct, whose size is
 * that of vectors of four. */
#define BERTH_PAIR_BODY                  0 /* the loop body: bits of the parts that the pair has */
#define BERTH_PAIR_REACH                 1 /* Å: every term is 0 from here on */
#define BERTH_PAIR_KIND                  2 /* of the ligand atom, for its neighbour lists */
#define BERTH_PAIR_WORDS(constant_count) (((constant_count) + 3 + 3) / 4 * 4)
#if defined(__OPENCL_VERSION__) && defined(BERTH_PAIR_CONSTANTS)
struct __attribute__((aligned(16))) berth_device_pair {
    float constants[BERTH_PAIR_CONSTANTS];
    float parts, reach, kind;
};
BERTH_ASSERT_SIZE(berth_device_pair, 4 * BERTH_PAIR_WORDS(BERTH_PAIR_CONSTANTS));
#endif

/* Terms of a scoring function, at most. */
#define BERTH_DEVICE_TERMS 8

/* A conformer of the batch. */
struct berth_device_conformer {
    berth_int32 atom_begin, atom_count; /* its heavy atoms in the batch's atoms */
    berth_uint32 ligand, number;        /* who it is, for the random numbers */
    float inertia[6]; /* tr(G) 1 - G of the heavy atoms' mean G = <x xᵀ>, Å²: xx yy zz xy xz yz */
    float radius;     /* Å: of its farthest heavy atom from their centroid */
    berth_int32 flexible;            /* where the batch's words say its torsions; -1: it has none */
    berth_int32 restrained;          /* and its restraints; -1: it has none */
    berth_int32 sized;               /* of conformer number k: which one is number k by size */
    float start_x, start_y, start_z; /* Å: where its poses begin, relative to the site's centre: see
                                        struct berth_device_mapped */
    berth_int32 conformers;          /* of its ligand, itself included */
    berth_uint32 again;              /* by so much the run's seed is raised for it */
};
BERTH_ASSERT_SIZE(berth_device_conformer, 76);

/* A place that restraints draw atoms to, or keep them away from; relative to the site's centre. */
struct berth_device_place {
    float x, y, z, radius; /* Å */
    float weight;          /* the function's unit */
    berth_int32 rule;      /* bits: BERTH_PLACE_AVOIDED, BERTH_PLACE_BOUNDED */
    berth_int32 unused[2];
};
BERTH_ASSERT_SIZE(berth_device_place, 32);
#define BERTH_PLACE_AVOIDED 1 /* it keeps them away */
#define BERTH_PLACE_BOUNDED 2 /* its energy stays below the weight */

/* A ligand's restraints, as words: how many hold an atom each, how many there are, and where their
 * starts are (0: there are none); where the pulls of each begin and end; and the pulls, two words
 * each: the point of the ligand, and the place with the restraint.  A point is an atom
 * (BERTH_POINT_WORD with count 1), or the middle of several, which the words from `first` on are.
 * A restraint has the energy of its nearest pull.
 *
 * Starts: W, the number of ways that poses start in, and D, that of dihedrals; for each way the
 * places of what is held, or -1: anywhere; for each dihedral four of what is held, the axis in the
 * middle. */
#define BERTH_RESTRAINED_HEADS            3
#define BERTH_START_HEADS                 2
#define BERTH_PULL_WORDS                  2
#define BERTH_POINT_WORD(first, count)    ((first) | (count) << 20)
#define BERTH_PULL_WORD(place, restraint) ((place) | (restraint) << 16)
#define BERTH_PULL_PLACE(word)            ((word)&0xFFFF)
#define BERTH_PULL_RESTRAINT(word)        ((word) >> 16)

/* What moves, as words.  The A heavy atoms of a conformer are those of the body with a free root,
 * which the pose's translation and rotation move, and behind them those of bodies with a fixed
 * root, which stand in the receptor's frame and have torsions alone.  The last of these are still:
 * parts of the receptor that nothing moves, of which pairs and axes may be; they have no energy
 * with the rest of the receptor.
 *
 * With T torsions, Y types and P pairs these are the words, in this order (berth_packed_flexible in
 * engine/pack.h makes them):
 *
 *   where                     words   what
 *   0                             1   T
 *   BERTH_FLEXIBLE_FREE           1   the atoms of the body with a free root
 *   BERTH_FLEXIBLE_MOVING         1   the atoms that are not still
 *   BERTH_FLEXIBLE_HELD           1   1: the free body's root is held, as that of a ligand that is
 *                                     bonded to the receptor: its atoms stand in the receptor's
 *                                     frame, too, and its poses' translation and rotation are those
 *                                     that it was given in
 *   BERTH_FLEXIBLE_AXES          2T   of each torsion: the first and the second atom of its axis
 *   BERTH_FLEXIBLE_MOVED          A   of each atom: the torsions 0 to 31 that move it, a bit each,
 *                                     those nearest the root first
 *                                 A   the same of torsions 32 to 47
 *   BERTH_FLEXIBLE_ORDER          A   the atoms by type
 *   BERTH_FLEXIBLE_BRANCHES       A   the atoms by branch, the free body's first: those that a
 *                                     torsion moves lie together
 *   BERTH_FLEXIBLE_ENDS          2T   of each torsion: where these begin and end there
 *   BERTH_FLEXIBLE_FAR  A ceil(A/32)  of each atom: those that are far from it, and so take part in
 *                                     the strain, a bit each
 *   BERTH_FLEXIBLE_PAIRS          2   P, the number of pairs of these; Y, the ligand's types
 *                                 Y   the types
 *                                 P   BERTH_PAIR_WORD of each pair; neighbours have no atom in
 *                                     common
 *   BERTH_FLEXIBLE_WORDS          T   with a torsional term: BERTH_TORSIONAL_HEAD of each torsion
 *                               ...   and BERTH_DIHEDRAL_WORD of each dihedral
 */
#define BERTH_FLEXIBLE_FREE                      1
#define BERTH_FLEXIBLE_MOVING                    2
#define BERTH_FLEXIBLE_HELD                      3
#define BERTH_FLEXIBLE_AXES                      4
#define BERTH_FLEXIBLE_MOVED(torsions)           (BERTH_FLEXIBLE_AXES + 2 * (torsions))
#define BERTH_FLEXIBLE_ORDER(torsions, atoms)    (BERTH_FLEXIBLE_MOVED(torsions) + 2 * (atoms))
#define BERTH_FLEXIBLE_BRANCHES(torsions, atoms) (BERTH_FLEXIBLE_ORDER(torsions, atoms) + (atoms))
#define BERTH_FLEXIBLE_ENDS(torsions, atoms)     (BERTH_FLEXIBLE_BRANCHES(torsions, atoms) + (atoms))
#define BERTH_FLEXIBLE_FAR(torsions, atoms)      (BERTH_FLEXIBLE_ENDS(torsions, atoms) + 2 * (torsions))
#define BERTH_FLEXIBLE_FAR_ROW(atoms)            (((atoms) + 31) / 32)
#define BERTH_FLEXIBLE_PAIRS(torsions, atoms)                                                      \
    (BERTH_FLEXIBLE_FAR(torsions, atoms) + (atoms)*BERTH_FLEXIBLE_FAR_ROW(atoms))
#define BERTH_FLEXIBLE_WORDS(torsions, atoms, types, pairs)                                        \
    (BERTH_FLEXIBLE_PAIRS(torsions, atoms) + 2 + (types) + (pairs))

/* A pair's atoms (below 1024), and its place among the pairs of the ligand's types.  A list can do
 * with BERTH_PAIR_TYPES types. */
#define BERTH_PAIR_WORD(first, second, place) ((first) | (second) << 10 | (place) << 20)
#define BERTH_PAIR_TYPES                      64

/* Dihedrals of a torsion, at most: of four neighbours of either atom of its axis. */
#define BERTH_DIHEDRALS 16

/* A torsion's dihedrals: the first one's number, how many there are, and the row of the torsional
 * term; and a dihedral: a neighbour of the axis's first atom, and one of its second (below 1024).
 */
#define BERTH_TORSIONAL_HEAD(begin, count, row) ((begin) | (count) << 12 | (row) << 20)
#define BERTH_DIHEDRAL_WORD(first, second)      ((first) | (second) << 10)

/* Local memory (4-byte words) that the pairs of a ligand of `types` types take, for so many words
 * of a pair of types. */
#define BERTH_PAIR_MEMORY(atoms, pairs, types, words)                                              \
    (4 * (atoms) + (pairs) + (types) * (types) * (words))

/* In a search on maps pairs inside a ligand lie on curves (src/score/curves.h) where vectors are so
 * wide: the lanes are poses of one ligand, and a curve lies in AVX-512's registers, to be picked
 * from there.  Elsewhere energies are worked out: a GPU's lanes are pairs, which would each read a
 * curve of their own (6 % slower), and AVX2 has too small registers (nothing gained).
 *
 * Curves end at a scaled square of BERTH_CURVE_END; a piece begins at each eighth of the way from a
 * power of two to the next, so that the bits of a single say in which one it lies, whose place
 * BERTH_CURVE_PLACE gives.  float [types][types][4][pieces]. */
#define BERTH_ON_CURVES(width)          ((width) == 16)
#define BERTH_CURVE_END                 64.0f
#define BERTH_CURVE_PER_OCTAVE          8
#define BERTH_CURVE_PLACE(bits, pieces) ((bits) >> 20 & ((pieces)-1))

/* The parts of a pose's energy beside the scoring function's terms, one list from the kernels to
 * the files: what kernels add up, rows of the search on maps, records of refinement, poses, the
 * journal's records, columns and tags follow from it.
 *   PART(NAME, name, column, relative, added)
 * name: what a scoring function's total calls it.  column: of tables and tags.  relative: 1 where
 * it is told relative to what it is in the conformer as given.  added: 1 where it is added to a
 * total that does not name it. */
#define BERTH_POSE_PARTS(PART)                                                                     \
    /* the ligand's atoms with each other */                                                       \
    PART(INTRA, intra, strain, 1, 0)                                                               \
    /* what fixed bodies add */                                                                    \
    PART(RECEPTOR, side_chains, receptor_strain, 1, 1)                                             \
    /* the last: see kernels/lanes.cl */                                                           \
    PART(RESTRAINT, restraints, restraint, 0, 0)

#define BERTH_NUMBER_OF_PART(part, name, column, relative, added) BERTH_PART_##part,
enum { BERTH_POSE_PARTS(BERTH_NUMBER_OF_PART) BERTH_PART_COUNT };

/* Parts of every pose in a journal: all but RECEPTOR, since the receptor of a screen stands, and
 * RESTRAINT, which stands with the restraints where there are any. */
#define BERTH_PARTS_IN_JOURNAL (BERTH_PART_COUNT - 2)

/* A pose that is refined in place, and its energy. */
struct berth_device_refined {
    float transform[6]; /* Euler angles (rad), translation (Å) */
    float terms[BERTH_DEVICE_TERMS];
    float parts[BERTH_PART_COUNT];
    float conformer[BERTH_PART_COUNT]; /* what relative parts begin at; else 0 */
    berth_int32
        evaluations; /* spent; of a conformer's first pose also by the search; -1: no pose */
    float angles[BERTH_TORSIONS]; /* rad */
};
BERTH_ASSERT_SIZE(berth_device_refined,
                  28 + 8 * BERTH_PART_COUNT + 4 * BERTH_DEVICE_TERMS + 4 * BERTH_TORSIONS);

/* How to refine. */
struct berth_device_refine {
    berth_uint32 seed_low, seed_high;
    berth_int32 poses;            /* of each conformer */
    berth_int32 evaluations;      /* of each descent, at most */
    berth_int32 hops;             /* descents behind the first */
    berth_int32 generation;       /* of the first hop, for the random numbers */
    float temperature;            /* of the Metropolis rule between hops, kJ/mol */
    float half_x, half_y, half_z; /* half edges of the site, Å */
    berth_int32 torsions;         /* 1: the ligands' torsions turn; 0: nothing does */
    float width;                  /* Å: kinks of the energy count as so wide at first */
    berth_int32 shakes;           /* in vain, before a descent counts as ended: see refine.cl */
    berth_int32 unused[3];
};
BERTH_ASSERT_SIZE(berth_device_refine, 64);

/* Local memory that refining and searching on maps take in a work-group of `items` work-items, for
 * planes of `stride` atoms, and `torsions`: numbers of each pose that it works on, of `parts` parts
 * of an energy, and 4-byte words of the ligand.  See kernels/flexible.cl. */
#define BERTH_REFINE_FREEDOMS(torsions) (6 + (torsions))
/* Numbers from a row of the inverse Hessian to the next: odd, so that work-items that read a column
 * meet in no bank of a GPU's local memory. */
#define BERTH_REFINE_ROW(freedoms) ((freedoms) | 1)
#define BERTH_SCRATCH_REALS(stride, torsions, items, parts)                                        \
    (12 * (stride) + 12 * (torsions) + 5 * (7 + (torsions)) +                                      \
     (5 + BERTH_REFINE_ROW(BERTH_REFINE_FREEDOMS(torsions))) * BERTH_REFINE_FREEDOMS(torsions) +   \
     (parts) * (items))
#define BERTH_SCRATCH_WORDS(stride, torsions)                                                      \
    (8 * (torsions) + BERTH_REFINE_FREEDOMS(torsions) + 4 * (stride))

/* The grid that maps are made on: a map has the energy of one kind of ligand atom with the whole
 * receptor at each point; x runs fastest.  Outside, an atom has what it would have at the nearest
 * place inside, and climbs a wall. */
struct berth_device_grid {
    float x, y, z;  /* the lowest point, relative to the site's centre, Å */
    float per_edge; /* points per Å */
    berth_int32 nx, ny, nz;
    berth_int32 points; /* of a map: nx ny nz */
    float wall;         /* the function's unit per Å outside */
    float most;         /* energies in the maps approach this, the function's unit: see maps.cl */
    berth_int32 unused[2];
};
BERTH_ASSERT_SIZE(berth_device_grid, 48);

/* How to look for starts of a large ligand: see starts.cl.  Places are relative to the grid's
 * middle, Å. */
struct berth_device_starts {
    berth_int32 atoms; /* of the ligand, that are looked at */
    berth_int32 rays;  /* along which it comes in */
    berth_int32 steps; /* places on each */
    float step;        /* between these */
    float clearance;   /* what the first one leaves between receptor and ligand */
    float unused;
    float x, y, z;                /* the middle of the box that the centre stays in */
    float half_x, half_y, half_z; /* its half edges */
};
BERTH_ASSERT_SIZE(berth_device_starts, 48);

/* How to search on maps. */
struct berth_device_mapped {
    berth_uint32 seed_low, seed_high;
    berth_int32 poses;            /* of each ligand: see BERTH_POSES_OF */
    berth_int32 row;              /* floats of a pose in memory: see BERTH_ROW_POINT */
    berth_int32 hops;             /* descents of each pose with 6 torsions in a generation */
    berth_int32 evaluations;      /* of each descent, at most */
    float temperature;            /* of the Metropolis rule, as a share of the energy */
    float half_x, half_y, half_z; /* half edges of the site, Å */
    float distinct;               /* Å: RMSD below which two poses are one */
    berth_int32 kept;             /* poses that are refined in the end: see BERTH_KEPT_OF */
    berth_int32 parents;          /* poses that live on and have children: see BERTH_PARENTS_OF */
    float fresh;                  /* share of the others that begin anew */
    float start; /* Å: poses begin so near to their conformer's start along each axis; 0: anywhere
                    in the site */
    berth_int32 last; /* number of the generation that closes the search; 0: none does */
};
BERTH_ASSERT_SIZE(berth_device_mapped, 64);

/* What a search on maps spends on a ligand its conformers share, since they differ in rings and
 * bond angles alone: the poses of a conformer's population, the parents among these poses, and how
 * many are refined in the end.  Each has a quarter at least, and no less than so many.
 * bench/history/redocking.md has what other shares find. */
#define BERTH_SHARERS_MOST 4
#define BERTH_POSES_LEAST  48
#define BERTH_KEPT_LEAST   6
#define BERTH_SHARERS(conformers)                                                                  \
    ((conformers) < BERTH_SHARERS_MOST ? (conformers) : BERTH_SHARERS_MOST)
#define BERTH_SHARE_OF(count, least, conformers)                                                   \
    ((count) / BERTH_SHARERS(conformers) > (least) ? (count) / BERTH_SHARERS(conformers)           \
     : (count) < (least)                           ? (count)                                       \
                                                   : (least))
#define BERTH_POSES_OF(poses, conformers) BERTH_SHARE_OF(poses, BERTH_POSES_LEAST, conformers)
#define BERTH_PARENTS_OF(parents, poses, conformers)                                               \
    ((conformers) == 1 || 3 * (parents) < (poses) ? (parents) : ((poses) + 2) / 3)
#define BERTH_KEPT_OF(kept, conformers) BERTH_SHARE_OF(kept, BERTH_KEPT_LEAST, conformers)
/* How many of these are distinct; the others are the lowest that are farther than BERTH_NEARBY (Å,
 * RMSD) from all before.  Maps are coarser than exact energies, and other functions may judge, too:
 * what is best by these may stand beside what is lowest on maps.  A search that no longer descents
 * close has distinct ones alone. */
#define BERTH_DISTINCT_OF(kept, closes) ((closes) ? (2 * (kept) + 2) / 3 : (kept))
#define BERTH_NEARBY                    0.75f

/* A pose of a population on maps, as floats: its energy, and the parts of it that are not with the
 * receptor; the evaluations that were spent on its place in the population; translation, rotation
 * and torsions, as in kernels/flexible.cl.  Where the energy is infinite the pose was born and not
 * evaluated yet; the next number says how. */
#define BERTH_ROW_ENERGY          0
#define BERTH_ROW_PARTS           1
#define BERTH_ROW_BORN            1
#define BERTH_ROW_SPENT           (BERTH_ROW_PARTS + BERTH_PART_COUNT)
#define BERTH_ROW_POINT           (BERTH_ROW_SPENT + 1)
#define BERTH_BORN_CHILD          0.0f
#define BERTH_BORN_ANEW           1.0f
#define BERTH_ROW_WORDS(torsions) (BERTH_ROW_POINT + 7 + (torsions))

/* A docking's constants. */
struct berth_device_search {
    berth_uint32 seed_low, seed_high;
    berth_int32 poses;            /* poses of a conformer in one generation */
    berth_int32 parents;          /* parents kept, at most BERTH_KEEP */
    float half_x, half_y, half_z; /* half edges of the site, Å */
    float exchange;               /* share of children with another parent's translation */
    berth_int32 granule;          /* poses that have one parent, at least: a power of 2 */
    berth_int32 unused[3];
};
BERTH_ASSERT_SIZE(berth_device_search, 48);

#endif
