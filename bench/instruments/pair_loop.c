/* The published pair loop, written plainly: what a good C compiler makes of it on this machine's
 * cores is the measure that `berth-bench --baseline` holds the OpenCL kernel against.
 *
 * It is BUDE's energy with its conditions (Comput. J. 2012; IJHPCA 2014; docs/scoring.md): for
 * each ligand atom and each receptor atom what depends on the pair alone is worked out once, then
 * an inner loop goes over a block of poses, which gcc turns into vectors; threads take blocks.
 * Several sizes of block are tried, and the fastest counts.
 *
 * Built by `make bench`: gcc -O3 -march=native -mprefer-vector-width=512 -ffast-math -fopenmp.
 * It is a program of its own, run by `berth-bench --baseline`, and speaks no file format:
 *   standard input   int32 receptor atoms, ligand atoms, types, poses, repeats; then the records of
 *                    struct atom [receptor], struct atom [ligand], struct type [types],
 *                    float transforms [6][poses] (three angles in rad, three translations in Å)
 *   standard output  one line "MEDIAN MINIMUM BLOCK THREADS COMPILER" (ms for all poses), then
 *                    float energies [poses], kJ/mol
 * Exit code 1, with a word on standard error, where the input is not that. */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MAX = 512, COUNT_MAX = 1 << 26 };

static const int BLOCKS[] = {16, 32, 64, 128, 256, 512};

struct atom {
    float x, y, z; /* Å */
    int32_t type;
};

struct type {
    int32_t class; /* a letter: 'F', 'D', 'E', 'P' or '-' */
    float radius, hydrophobic, hardness, nonpolar_reach, polar_reach, charge;
};

struct deck {
    int32_t receptor_count, ligand_count, type_count, pose_count, repeats;
    struct atom *receptor, *ligand;
    struct type *types;
    float *transforms; /* [6][pose_count] */
};

/* What the energy of a pair of atoms takes besides their distance. */
struct pair {
    float contact, per_contact;                                  /* Å, 1/Å */
    float hardness;                                              /* kJ/mol */
    float charge, charge_reach, per_charge_reach;                /* kJ/mol, Å, 1/Å */
    float desolvation, desolvation_reach, per_desolvation_reach; /* kJ/mol, Å, 1/Å */
};

/* The poses of a block as matrices, and the position of one ligand atom in each. */
struct block {
    float rotation[9][BLOCK_MAX], translation[3][BLOCK_MAX];
    float x[BLOCK_MAX], y[BLOCK_MAX], z[BLOCK_MAX], energy[BLOCK_MAX];
};

static struct pair pair_of(const struct type *receptor, const struct type *ligand)
{
    struct pair pair;
    pair.contact = receptor->radius + ligand->radius;
    pair.per_contact = 1 / pair.contact;
    pair.hardness = (receptor->hardness + ligand->hardness) / 2;

    const int formal = receptor->class == 'F' && ligand->class == 'F';
    const int attracts = receptor->class == 'E' || ligand->class == 'E';
    const float product = receptor->charge * ligand->charge;
    pair.charge = 22.5f * (attracts ? -fabsf(product) : product);
    pair.charge_reach = formal ? 4 : 2;
    pair.per_charge_reach = 1 / pair.charge_reach;

    const float hr = receptor->hydrophobic, hl = ligand->hydrophobic;
    pair.desolvation = 0;
    pair.desolvation_reach = 1;
    if (hr < 0 && hl < 0) {
        pair.desolvation = (hr + hl) / 2;
        pair.desolvation_reach = (receptor->nonpolar_reach + ligand->nonpolar_reach) / 2;
    } else if (hr * hl < 0) {
        pair.desolvation = (fabsf(hr) + fabsf(hl)) / 2;
        pair.desolvation_reach = hr > 0 ? receptor->polar_reach : ligand->polar_reach;
    }
    pair.per_desolvation_reach = 1 / pair.desolvation_reach;
    return pair;
}

/* Adds the energy of a receptor atom with the block's ligand atom, in each pose.  The conditions
 * are written in the way that gcc 12 makes the fastest code of (nested ones cost it half the
 * speed). */
static inline void add_pair(const struct pair *pair, const struct atom *atom, struct block *block,
                            const int size)
{
#pragma omp simd
    for (int l = 0; l < size; l++) {
        const float x = block->x[l] - atom->x, y = block->y[l] - atom->y, z = block->z[l] - atom->z;
        const float distance = sqrtf(x * x + y * y + z * z);
        const float gap = distance - pair->contact;
        const float outside = gap < 0 ? 0 : gap;
        const float steric = gap < 0 ? pair->hardness * (1 - distance * pair->per_contact) : 0;
        const float charge = outside < pair->charge_reach
                                 ? pair->charge * (1 - outside * pair->per_charge_reach)
                                 : 0;
        const float solvent = outside < pair->desolvation_reach
                                  ? pair->desolvation * (1 - outside * pair->per_desolvation_reach)
                                  : 0;
        block->energy[l] += steric + charge + solvent;
    }
}

/* The rotation Rz(c) Ry(b) Rx(a) and the translation of the poses from first on; behind the last
 * pose the last one stands again. */
static void load_block(const struct deck *deck, int first, int size, struct block *block)
{
    for (int l = 0; l < size; l++) {
        const int pose = first + l < deck->pose_count ? first + l : deck->pose_count - 1;
        const float *at = deck->transforms + pose;
        const size_t stride = (size_t)deck->pose_count;
        const float sa = sinf(at[0]), ca = cosf(at[0]);
        const float sb = sinf(at[stride]), cb = cosf(at[stride]);
        const float sc = sinf(at[2 * stride]), cc = cosf(at[2 * stride]);
        const float rotation[9] = {cb * cc,
                                   sa * sb * cc - ca * sc,
                                   ca * sb * cc + sa * sc,
                                   cb * sc,
                                   sa * sb * sc + ca * cc,
                                   ca * sb * sc - sa * cc,
                                   -sb,
                                   sa * cb,
                                   ca * cb};
        for (int k = 0; k < 9; k++) {
            block->rotation[k][l] = rotation[k];
        }
        for (size_t k = 0; k < 3; k++) {
            block->translation[k][l] = at[(3 + k) * stride];
        }
        block->energy[l] = 0;
    }
}

/* Inlined for each size of block, so that the loops over it have a constant length. */
static inline __attribute__((always_inline)) void score_block(const struct deck *deck, int first,
                                                              float *energies, const int size)
{
    struct block block;
    load_block(deck, first, size, &block);
    for (int j = 0; j < deck->ligand_count; j++) {
        const struct atom *ligand = &deck->ligand[j];
        float(*m)[BLOCK_MAX] = block.rotation;
        for (int l = 0; l < size; l++) {
            block.x[l] = m[0][l] * ligand->x + m[1][l] * ligand->y + m[2][l] * ligand->z +
                         block.translation[0][l];
            block.y[l] = m[3][l] * ligand->x + m[4][l] * ligand->y + m[5][l] * ligand->z +
                         block.translation[1][l];
            block.z[l] = m[6][l] * ligand->x + m[7][l] * ligand->y + m[8][l] * ligand->z +
                         block.translation[2][l];
        }
        for (int i = 0; i < deck->receptor_count; i++) {
            const struct atom *receptor = &deck->receptor[i];
            const struct pair pair =
                pair_of(&deck->types[receptor->type], &deck->types[ligand->type]);
            add_pair(&pair, receptor, &block, size);
        }
    }
    for (int l = 0; l < size && first + l < deck->pose_count; l++) {
        energies[first + l] = block.energy[l];
    }
}

static void score(const struct deck *deck, int size, float *energies)
{
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < deck->pose_count; first += size) {
        switch (size) {
        case 16:
            score_block(deck, first, energies, 16);
            break;
        case 32:
            score_block(deck, first, energies, 32);
            break;
        case 64:
            score_block(deck, first, energies, 64);
            break;
        case 128:
            score_block(deck, first, energies, 128);
            break;
        case 256:
            score_block(deck, first, energies, 256);
            break;
        default:
            score_block(deck, first, energies, BLOCK_MAX);
            break;
        }
    }
}

static double milliseconds_of(const struct deck *deck, int size, float *energies)
{
    const double start = omp_get_wtime();
    score(deck, size, energies);
    return 1e3 * (omp_get_wtime() - start);
}

static int fastest_block(const struct deck *deck, float *energies)
{
    int best = BLOCKS[0];
    double least = INFINITY;
    milliseconds_of(deck, best, energies); /* wakes the threads */
    for (size_t i = 0; i < sizeof BLOCKS / sizeof *BLOCKS; i++) {
        const double time = milliseconds_of(deck, BLOCKS[i], energies);
        if (time < least) {
            least = time;
            best = BLOCKS[i];
        }
    }
    return best;
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* count elements of size bytes from standard input; NULL where they are not there. */
static void *take(int32_t count, size_t size)
{
    void *items = calloc((size_t)count, size);
    if (items && fread(items, size, (size_t)count, stdin) != (size_t)count) {
        free(items);
        return NULL;
    }
    return items;
}

static int types_are_known(const struct atom *atoms, int32_t count, int32_t types)
{
    int known = 1;
    for (int32_t i = 0; i < count; i++) {
        known = known && atoms[i].type >= 0 && atoms[i].type < types;
    }
    return known;
}

/* 0 where standard input holds no deck. */
static int read_deck(struct deck *deck)
{
    int32_t counts[5];
    if (fread(counts, sizeof counts, 1, stdin) != 1) {
        return 0;
    }
    for (int k = 0; k < 5; k++) {
        if (counts[k] < 1 || counts[k] > COUNT_MAX) {
            return 0;
        }
    }
    deck->receptor_count = counts[0];
    deck->ligand_count = counts[1];
    deck->type_count = counts[2];
    deck->pose_count = counts[3];
    deck->repeats = counts[4];
    deck->receptor = take(deck->receptor_count, sizeof *deck->receptor);
    deck->ligand = take(deck->ligand_count, sizeof *deck->ligand);
    deck->types = take(deck->type_count, sizeof *deck->types);
    deck->transforms = take(deck->pose_count, 6 * sizeof *deck->transforms);
    return deck->receptor && deck->ligand && deck->types && deck->transforms &&
           types_are_known(deck->receptor, deck->receptor_count, deck->type_count) &&
           types_are_known(deck->ligand, deck->ligand_count, deck->type_count);
}

int main(void)
{
    struct deck deck = {0};
    float *energies = NULL;
    double *times = NULL;
    int done = 0;
    if (read_deck(&deck)) {
        energies = calloc((size_t)deck.pose_count, sizeof *energies);
        times = calloc((size_t)deck.repeats, sizeof *times);
    }
    if (energies && times) {
        const int size = fastest_block(&deck, energies);
        for (int i = 0; i < deck.repeats; i++) {
            times[i] = milliseconds_of(&deck, size, energies);
        }
        qsort(times, (size_t)deck.repeats, sizeof *times, by_size);
        printf("%.6f %.6f %d %d gcc %s\n",
               (times[(deck.repeats - 1) / 2] + times[deck.repeats / 2]) / 2, times[0], size,
               omp_get_max_threads(), __VERSION__);
        done = fwrite(energies, sizeof *energies, (size_t)deck.pose_count, stdout) ==
                   (size_t)deck.pose_count &&
               fflush(stdout) == 0;
    } else {
        fprintf(stderr, "berth-baseline: standard input holds no deck; `berth-bench --baseline` "
                        "runs this program\n");
    }
    free(energies);
    free(times);
    free(deck.receptor);
    free(deck.ligand);
    free(deck.types);
    free(deck.transforms);
    return done ? 0 : 1;
}
