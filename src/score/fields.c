#include "score/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMN_OF_PART(part, name, column, relative, added) [BERTH_PART_##part] = #column,
const char *const BERTH_PART_COLUMNS[BERTH_PART_COUNT] = {BERTH_POSE_PARTS(COLUMN_OF_PART)};

_Static_assert(BERTH_PART_RECEPTOR + 2 == BERTH_PART_COUNT, "two parts that runs alone may have");

/* --- Names of lists --- */

static const char *name_function(const struct berth_score_columns *run, size_t number)
{
    return run->judges && number < run->judges->count ? run->judges->names[number] : NULL;
}

static const char *name_learned(const struct berth_score_columns *run, size_t number)
{
    return run->judges && number < run->judges->learned_count ? run->judges->learned[number] : NULL;
}

static const char *name_term(const struct berth_score_columns *run, size_t number)
{
    return run->terms && number < run->terms->count ? run->terms->names[number] : NULL;
}

static const char *name_part(const struct berth_score_columns *run, size_t number)
{
    (void)run;
    return BERTH_PART_COLUMNS[number];
}

static const char *name_restraint(const struct berth_score_columns *run, size_t number)
{
    static const char *const NAMES[BERTH_RESTRAINTS_MAX] = {
        "restraint_1",  "restraint_2",  "restraint_3",  "restraint_4",
        "restraint_5",  "restraint_6",  "restraint_7",  "restraint_8",
        "restraint_9",  "restraint_10", "restraint_11", "restraint_12",
        "restraint_13", "restraint_14", "restraint_15", "restraint_16"};
    return run->judges && number < run->judges->restraints ? NAMES[number] : NULL;
}

static const char *name_receptor(const struct berth_score_columns *run, size_t number)
{
    return number < berth_receptor_names_count(run->receptors) ? run->receptors->columns[number]
                                                               : NULL;
}

static const char *name_place(const struct berth_score_columns *run, size_t number)
{
    (void)run, (void)number;
    return "";
}

/* --- What no member of a pose says, or says otherwise --- */

static double known_count(size_t count)
{
    return count ? (double)count : NAN;
}

#define VALUE(name, says)                                                                          \
    static double name(const struct berth_score_row *row, size_t number)                           \
    {                                                                                              \
        (void)number;                                                                              \
        return says;                                                                               \
    }
VALUE(ordinal, row->ordinal < 0 ? NAN : (double)row->ordinal)
VALUE(rank, known_count(row->rank))
VALUE(mode, known_count(row->mode))
VALUE(ranking, row->ranking)
VALUE(coordination, row->run->judges ? berth_pose_coordination(row->pose, row->run->judges) : 0)
VALUE(displacement, row->run->judges ? row->run->judges->displacement[row->pose->receptor] : 0)
VALUE(efficiency, row->pose->energy / known_count(row->heavy_atoms))
VALUE(rmsd, row->pose->rmsd < 0 ? NAN : row->pose->rmsd)
VALUE(conformer, (double)row->pose->conformer + 1)
VALUE(heavy_atoms, known_count(row->heavy_atoms))
VALUE(conformers, known_count(row->conformers))
VALUE(receptor_score, row->receptor_scores[number])

#define TEXT(name, says)                                                                           \
    static const char *name(const struct berth_score_row *row)                                     \
    {                                                                                              \
        return says;                                                                               \
    }
TEXT(ligand, row->ligand)
TEXT(receptor, berth_receptor_name(row->run->receptors, row->pose->receptor))
TEXT(device, row->device ? row->device : "")

/* --- The list --- */

#define DOUBLE(at) .member = BERTH_DOUBLE, .offset = offsetof(struct berth_pose, at)
#define FLOAT(at)  .member = BERTH_FLOAT, .offset = offsetof(struct berth_pose, at)
#define SIZE(at)   .member = BERTH_SIZE, .offset = offsetof(struct berth_pose, at)

/* What a field needs in scores.csv and tags, `score`'s table, rankings and journals. */
#define IN(scores, score, ranking, journal)                                                        \
    .in = {                                                                                        \
        [BERTH_IN_SCORES] = scores,                                                                \
        [BERTH_IN_SCORE] = score,                                                                  \
        [BERTH_IN_RANKING] = ranking,                                                              \
        [BERTH_IN_JOURNAL] = journal,                                                              \
    }
#define ALWAYS     BERTH_ALWAYS
#define WITH(what) BERTH_WITH_##what

const struct berth_pose_field BERTH_FIELDS[] = {
    {.name = BERTH_COLUMN_ORDINAL,
     IN(ALWAYS, 0, 0, 0),
     .value = ordinal,
     .about = "place of the ligand, from 0: in the library, or, for other files of `dock`, that of "
              "its first molecule"},
    {.name = BERTH_COLUMN_LIGAND,
     IN(ALWAYS, 0, 0, 0),
     .text = ligand,
     .usual = 2,
     .of = BERTH_TEXT_OF_LIGAND,
     .about = "its name; also the title of its poses"},
    {.name = "name", IN(0, ALWAYS, 0, 0), .text = ligand, .usual = 3, .about = "of the molecule"},
    {.name = BERTH_COLUMN_RANK,
     IN(WITH(RANKS), 0, 0, 0),
     .value = rank,
     .usual = 1,
     .of = BERTH_OF_LIGAND,
     .reserved = true,
     .about = "of the ligand among all that were docked, from 1, by `ranking` where there is that "
              "column (by default), else by the score of its best pose; ties in library order. Not "
              "in `dock`'s table, whose rows are written before the others are known"},
    {.name = BERTH_COLUMN_MODE,
     IN(ALWAYS, WITH(MODES), 0, 0),
     .value = mode,
     .about = "rank of the pose among the ligand's, from 1, by `pose_ranking` where a run has a "
              "[ranking](scoring.md#rankings) (by default), else by `score`"},
    {.name = BERTH_COLUMN_RECEPTOR,
     IN(WITH(RECEPTORS), 0, 0, ALWAYS),
     SIZE(receptor),
     .text = receptor,
     .record = 3,
     .about = "that the pose is in"},
    {.name = BERTH_COLUMN_RANKING,
     IN(WITH(RANKING), WITH(ANY_RANKING), 0, 0),
     .value = ranking,
     .decimals = 4,
     .usual = 4,
     .reserved = true,
     .about = "what the [ranking](scoring.md#rankings) makes of the ligand"},
    {.name = BERTH_COLUMN_POSE_RANKING,
     IN(WITH(POSE_RANKING), WITH(ANY_RANKING), 0, 0),
     DOUBLE(ranking),
     .decimals = 4,
     .usual = 5,
     .reserved = true,
     .about = "what it makes of the pose among the ligand's"},
    {.name = BERTH_COLUMN_SCORE,
     IN(ALWAYS, 0, ALWAYS, ALWAYS),
     DOUBLE(value),
     .unit = "E",
     .decimals = 4,
     .record = 4,
     .usual = 6,
     .about = "by the first function; what ranks only without a ranking: see [below](#score)"},
    {.names = name_function,
     .list = "each of several functions",
     .count = BERTH_FUNCTIONS_MAX,
     IN(WITH(FUNCTIONS), WITH(FUNCTIONS), ALWAYS, WITH(RECORDED)),
     DOUBLE(scores),
     .unit = "E",
     .decimals = 4,
     .record = 10,
     .about = "energy between receptor and ligand by each function"},
    {.names = name_learned,
     .list = "each of a model",
     .count = BERTH_LEARNED_MAX,
     IN(WITH(MODEL), 0, WITH(MODEL), 0),
     DOUBLE(learned),
     .decimals = 4,
     .about = "what it [says](learned.md), under its names for it; empty where it was not asked"},
    {.name = BERTH_COLUMN_ENERGY,
     IN(ALWAYS, ALWAYS, ALWAYS, 0),
     DOUBLE(energy),
     .unit = "E",
     .decimals = 4,
     .usual = 8,
     .about = "between receptor and ligand: the sum of the terms, and of the [torsional "
              "term](scoring.md#a-torsional-term) if the function has one"},
    {.names = name_term,
     .list = "each term",
     .count = BERTH_TERMS_MAX,
     IN(ALWAYS, ALWAYS, ALWAYS, ALWAYS),
     DOUBLE(terms.values),
     .unit = "E",
     .decimals = 4,
     .record = 9,
     .single = true,
     .about = "the terms: of `vina` `gauss1`, `gauss2`, `repulsion`, `hydrophobic`, "
              "`hydrogen_bond`; of `plp` `wall`, `hydrogen_bond`, `metal`, `contact`; of `bude` "
              "`steric`, `electrostatic`, `desolvation`"},
    {.names = name_part,
     .count = BERTH_PART_RECEPTOR,
     IN(ALWAYS, WITH(MINIMIZE), ALWAYS, ALWAYS),
     DOUBLE(parts),
     .unit = "E",
     .decimals = 4,
     .record = 5,
     .usual = 12,
     .blank = true,
     .about = "the cost of torsions that the refinement rotated ([scoring.md](scoring.md#strain)), "
              "with that of [twisted carbonyl groups](scoring.md#twisted-carbonyl-groups); empty "
              "without torsions, which filters, rankings and `eval screen --column` take as 0"},
    {.names = name_part,
     .first = BERTH_PART_RECEPTOR,
     .count = 1,
     IN(WITH(SIDE_CHAINS), 0, ALWAYS, WITH(SIDE_CHAINS)),
     DOUBLE(parts),
     .unit = "E",
     .decimals = 4,
     .record = 18,
     .blank = true,
     .about = "what [side chains that move](scoring.md#flexible-side-chains) cost the receptor"},
    {.names = name_part,
     .first = BERTH_PART_RESTRAINT,
     .count = 1,
     IN(WITH(RESTRAINTS), 0, ALWAYS, WITH(RESTRAINTS)),
     DOUBLE(parts),
     .unit = "E",
     .decimals = 4,
     .record = 12,
     .blank = true,
     .about = "what [restraints](restraints.md#what-comes-out) cost"},
    {.name = "conformer_strain",
     IN(ALWAYS, WITH(RELAX), ALWAYS, ALWAYS),
     DOUBLE(conformer_strain),
     .unit = "kJ/mol",
     .decimals = 2,
     .record = 6,
     .about =
         "energy above the lowest seen for the ligand (of [relaxed](scoring.md#relaxing) poses "
         "above the minimum nearby, which is another number): MMFF94s with charges as in "
         "water by RDKit, MMFF94 without solvent by Open Babel"},
    {.name = BERTH_COLUMN_COORDINATION,
     IN(WITH(COORDINATION), 0, ALWAYS, 0),
     .value = coordination,
     .unit = "E",
     .decimals = 4,
     .usual = 9,
     .about = "what [sites of metals](restraints.md#metals) are worth to it, and what being off a "
              "template costs"},
    {.name = BERTH_COLUMN_DISPLACEMENT,
     IN(WITH(WATERS), 0, ALWAYS, 0),
     .value = displacement,
     .unit = "E",
     .decimals = 4,
     .about = "what the waters cost that its receptor lacks"},
    {.name = "efficiency",
     IN(ALWAYS, 0, ALWAYS, 0),
     .value = efficiency,
     .unit = "E",
     .decimals = 4,
     .usual = 10,
     .about = "energy per heavy atom"},
    {.name = BERTH_COLUMN_RMSD,
     IN(ALWAYS, WITH(REFERENCE), 0, 0),
     .value = rmsd,
     .unit = "Å",
     .decimals = 3,
     .about =
         "to `--reference`, over heavy atoms, symmetry-corrected; empty where that is another "
         "molecule or stereoisomer (`--any_stereo`: of one, too). Without one, of what `score` "
         "minimised or relaxed: to where it stood"},
    {.name = "clash",
     IN(ALWAYS, ALWAYS, ALWAYS, ALWAYS),
     DOUBLE(clash),
     .unit = "Å",
     .decimals = 3,
     .record = 7,
     .about = "largest overlap of van der Waals radii between a heavy atom of the pose and one of "
              "the receptor; 0 if none ([scoring.md](scoring.md#clashes))"},
    {.name = "metal_1",
     IN(WITH(METALS), 0, 0, WITH(METALS)),
     FLOAT(metal[0]),
     .unit = "Å",
     .decimals = 2,
     .record = 15,
     .about = "from the nearest metal to the pose's nearest N, O or S"},
    {.name = "metal_2",
     IN(WITH(METALS), 0, 0, WITH(METALS)),
     FLOAT(metal[1]),
     .unit = "Å",
     .decimals = 2,
     .record = 16,
     .about = "and to the second one"},
    {.name = "unmet",
     IN(WITH(RESTRAINTS), 0, WITH(RESTRAINTS), WITH(RESTRAINTS)),
     SIZE(unmet),
     .record = 13,
     .usual = 13,
     .about = "required restraints that it does not meet"},
    {.names = name_restraint,
     .list = "restraint_1 ...",
     .count = BERTH_RESTRAINTS_MAX,
     IN(WITH(RESTRAINTS), 0, 0, WITH(RESTRAINTS)),
     FLOAT(distances),
     .unit = "Å",
     .decimals = 4,
     .record = 14,
     .about = "from what each is about to its place"},
    {.name = "conformer",
     IN(ALWAYS, 0, 0, ALWAYS),
     SIZE(conformer),
     .value = conformer,
     .record = 1,
     .about = "of the ligand, from 1"},
    {.name = BERTH_COLUMN_HEAVY_ATOMS,
     IN(ALWAYS, 0, ALWAYS, 0),
     .value = heavy_atoms,
     .usual = 11,
     .of = BERTH_OF_LIGAND,
     .about = "how many the ligand has"},
    {.name = "conformers",
     IN(ALWAYS, 0, ALWAYS, 0),
     .value = conformers,
     .of = BERTH_OF_LIGAND,
     .about = "how many of it were docked"},
    {.name = "rotors",
     IN(WITH(ANY_RANKING), WITH(ROTORS), WITH(ANY_RANKING), WITH(RECORDED)),
     DOUBLE(rotors),
     .decimals = 1,
     .record = 11,
     .about = "rotatable bonds as Vina counts them, some by half"},
    {.name = "total",
     IN(0, WITH(ROTORS), 0, 0),
     DOUBLE(value),
     .unit = "E",
     .decimals = 4,
     .usual = 7,
     .about = "what the function's total makes of energy and rotors"},
    {.name = "twist",
     IN(WITH(TWISTS), 0, 0, WITH(TWISTS)),
     FLOAT(twist),
     .unit = "degrees",
     .decimals = 1,
     .record = 17,
     .about = "the largest angle between a carbonyl group and the ring or double bond that it is "
              "conjugated with; empty where there is none, or an ortho group or tertiary amide "
              "twists it anyway ([scoring.md](scoring.md#twisted-carbonyl-groups))"},
    {.name = BERTH_COLUMN_DEVICE,
     IN(ALWAYS, 0, 0, ALWAYS),
     SIZE(device),
     .text = device,
     .record = 2,
     .about = "which docked it"},
    {.names = name_receptor,
     .list = "score_NAME",
     .count = BERTH_RECEPTORS_MAX,
     IN(WITH(RECEPTORS), 0, 0, 0),
     .value = receptor_score,
     .unit = "E",
     .decimals = 4,
     .about = "the ligand's best score in each receptor, empty if `--max_clash` "
              "leaves none"},
    {.names = name_learned,
     .list = "each of a model",
     .count = BERTH_LEARNED_MAX,
     IN(0, WITH(MODEL), 0, 0),
     DOUBLE(learned),
     .decimals = 4,
     .about = "what it says"},
    {.names = name_place,
     .list = "place",
     .count = 6,
     IN(0, 0, 0, ALWAYS),
     FLOAT(transform),
     .record = 8,
     .about = "three rotations (rad: about x, then y, then z, through the centroid of the heavy "
              "atoms), three translations (Å: of the centroid from the site's centre)"},
    /* Behind all of these: tags of poses, and properties that preparing a ligand adds. */
    {.name = BERTH_COLUMN_SEED, .reserved = true, .about = "tag: of the search"},
    {.name = BERTH_COLUMN_SMILES,
     .of = BERTH_TEXT_OF_LIGAND,
     .reserved = true,
     .about = "canonical SMILES of what was docked, if they are known: protonated, one "
              "stereoisomer"},
    {.name = BERTH_COLUMN_SIDE_CHAINS,
     .reserved = true,
     .about = "tag: where the atoms of side chains are that move"},
    {.name = BERTH_COLUMN_INPUT_SMILES,
     .of = BERTH_TEXT_OF_LIGAND,
     .prepared = true,
     .about = "the SMILES as the input gave them, which every state and isomer of a molecule has "
              "(empty where the input was no SMILES)"},
    {.name = BERTH_COLUMN_STATE_OF,
     .prepared = true,
     .about = "the molecule's name, where it gave several ligands"},
    {.name = BERTH_COLUMN_STATE_POPULATION,
     .prepared = true,
     .about = "the state's share of the molecule at the pH, with `--protomers` above 1"},
    {.name = BERTH_COLUMN_OPEN_STEREO,
     .prepared = true,
     .about = "how many centres and double bonds the input leaves open, where some isomers were "
              "left out"},
};

const size_t BERTH_FIELD_COUNT = sizeof BERTH_FIELDS / sizeof *BERTH_FIELDS;

/* --- By name --- */

static const struct berth_pose_field *find(const char *name, size_t length)
{
    for (size_t i = 0; i < BERTH_FIELD_COUNT; i++) {
        const struct berth_pose_field *field = &BERTH_FIELDS[i];
        for (size_t k = 0; k < (field->names == name_part ? field->count : 1); k++) {
            const char *own = field->name                 ? field->name
                              : field->names == name_part ? name_part(NULL, field->first + k)
                                                          : NULL;
            if (own && strlen(own) == length && memcmp(own, name, length) == 0) {
                return field;
            }
        }
    }
    return NULL;
}

const struct berth_pose_field *berth_field_named(const char *name)
{
    return find(name, strlen(name));
}

const char *berth_field_usual(size_t i)
{
    for (size_t k = 0; k < BERTH_FIELD_COUNT; k++) {
        if (BERTH_FIELDS[k].usual == (int)i + 1) {
            return BERTH_FIELDS[k].name ? BERTH_FIELDS[k].name : name_part(NULL, BERTH_PART_INTRA);
        }
    }
    return NULL;
}

static bool begins(const char *name, size_t length, const char *prefix)
{
    return length >= strlen(prefix) && memcmp(prefix, name, strlen(prefix)) == 0;
}

bool berth_is_column(const char *name, size_t length)
{
    return find(name, length) || begins(name, length, BERTH_COLUMN_SCORE_IN) ||
           begins(name, length, BERTH_COLUMN_OF_LIBRARY);
}

double berth_column_blank(const char *name)
{
    const struct berth_pose_field *field = berth_field_named(name);
    return field && field->blank ? 0 : NAN;
}

/* --- Of a run --- */

/* What there is of what fields need. */
static unsigned features(const struct berth_score_columns *run)
{
    static const struct berth_judges NONE = {.count = 1};
    const struct berth_judges *judges = run->judges ? run->judges : &NONE;
    const enum berth_ranked ranked = judges->ranked;
    const bool restrained = judges->restraints > 0;
    return run->with | BERTH_ALWAYS | (judges->one_by_one ? 0 : BERTH_WITH_RANKS) |
           (berth_receptor_names_count(run->receptors) ? BERTH_WITH_RECEPTORS : 0) |
           (ranked >= BERTH_BOTH_RANKED ? BERTH_WITH_RANKING : 0) |
           (ranked && ranked != BERTH_LIGANDS_RANKED ? BERTH_WITH_POSE_RANKING : 0) |
           (ranked ? BERTH_WITH_ANY_RANKING : 0) | (judges->count > 1 ? BERTH_WITH_FUNCTIONS : 0) |
           (restrained ? BERTH_WITH_RESTRAINTS : 0) |
           (restrained && (judges->metals || judges->core) ? BERTH_WITH_COORDINATION : 0) |
           (judges->binding ? BERTH_WITH_METALS : 0) | (judges->displaces ? BERTH_WITH_WATERS : 0) |
           (judges->receptor_moves ? BERTH_WITH_SIDE_CHAINS : 0) |
           (judges->twists ? BERTH_WITH_TWISTS : 0);
}

size_t berth_fields_list(const struct berth_score_columns *run, enum berth_field_use use,
                         struct berth_known_field list[BERTH_KNOWN_FIELDS])
{
    const unsigned has = features(run);
    size_t count = 0;
    for (size_t i = 0; i < BERTH_FIELD_COUNT; i++) {
        const struct berth_pose_field *field = &BERTH_FIELDS[i];
        const size_t end = field->first + (field->name ? 1 : field->count);
        for (size_t k = field->first; field->in[use] && !(field->in[use] & ~has) && k < end; k++) {
            const char *name = field->name ? field->name : field->names(run, k);
            if (!name) {
                break;
            }
            size_t place = count++;
            for (;
                 use == BERTH_IN_JOURNAL && place && list[place - 1].field->record > field->record;
                 place--) {
                list[place] = list[place - 1];
            }
            list[place] = (struct berth_known_field){field, k, name};
        }
    }
    return count;
}

size_t berth_field_offset(const struct berth_known_field *known)
{
    static const size_t SIZES[] = {0, sizeof(double), sizeof(float), sizeof(size_t)};
    return known->field->offset + known->number * SIZES[known->field->member];
}

/* NAN: it is not known, or no number. */
static double value_of(const struct berth_known_field *known, const struct berth_score_row *row)
{
    const struct berth_pose_field *field = known->field;
    const void *at = (const char *)row->pose + berth_field_offset(known);
    return field->text                     ? NAN
           : field->value                  ? field->value(row, known->number)
           : field->member == BERTH_DOUBLE ? *(const double *)at
           : field->member == BERTH_FLOAT  ? (double)*(const float *)at
           : field->member == BERTH_SIZE   ? (double)*(const size_t *)at
                                           : NAN;
}

double berth_field_cell(const struct berth_known_field *known, const struct berth_score_row *row)
{
    const bool function = known->field->names == name_function;
    const double beside = function ? coordination(row, 0) + displacement(row, 0) : 0;
    const double value = value_of(known, row) + beside;
    return isnan(value) && known->field->blank ? 0 : value;
}

const char *berth_field_text(const struct berth_known_field *known,
                             const struct berth_score_row *row, char number[BERTH_FIELD_NUMBER])
{
    double value = value_of(known, row);
    *number = '\0';
    if (known->field->text) {
        return known->field->text(row);
    }
    if (!isfinite(value) && known->field->blank && row->run->use == BERTH_IN_SCORE) {
        value = 0;
    }
    if (!isfinite(value)) {
        return "";
    }
    snprintf(number, BERTH_FIELD_NUMBER, "%.*f", known->field->decimals, value);
    const bool minus_zero = *number == '-' && !number[1 + strspn(number + 1, "0.")];
    return number + minus_zero;
}

bool berth_field_is_learned(const struct berth_known_field *known)
{
    return known->field->names == name_learned;
}
