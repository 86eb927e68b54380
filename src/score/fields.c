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

/* A field: its name, what it needs (IN), what says it, unit, decimals, and for docs/formats.md what
 * it is; behind that what few have.  A list: what names its columns, what docs call these, its
 * first number, how many at most; the rest as of a field. */
#define FIELD(called, needs, from, measure, digits, ...)                                           \
    {                                                                                              \
        .name = called, needs, from, .unit = measure, .decimals = digits, .about = __VA_ARGS__     \
    }
#define LIST(call, called, begin, most, needs, from, measure, digits, ...)                         \
    {                                                                                              \
        .names = call, .list = called, .first = begin, .count = most, needs, from,                 \
        .unit = measure, .decimals = digits, .about = __VA_ARGS__                                  \
    }

#define SAYS(what)  .value = what
#define TELLS(what) .text = what
#define NOWHERE     .member = BERTH_NO_MEMBER
#define DOUBLE(at)  .member = BERTH_DOUBLE, .offset = offsetof(struct berth_pose, at)
#define FLOAT(at)   .member = BERTH_FLOAT, .offset = offsetof(struct berth_pose, at)
#define SIZE(at)    .member = BERTH_SIZE, .offset = offsetof(struct berth_pose, at)

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
    FIELD(BERTH_COLUMN_ORDINAL, IN(ALWAYS, 0, 0, 0), SAYS(ordinal), NULL, 0,
          "place in the input, from 0"),
    FIELD(BERTH_COLUMN_LIGAND, IN(ALWAYS, 0, 0, 0), TELLS(ligand), NULL, 0, "name of the ligand",
          .usual = 2, .of = BERTH_TEXT_OF_LIGAND),
    FIELD("name", IN(0, ALWAYS, 0, 0), TELLS(ligand), NULL, 0, "its name", .usual = 3),
    FIELD(BERTH_COLUMN_RANK, IN(WITH(RANKS), 0, 0, 0), SAYS(rank), NULL, 0,
          "place of the ligand, from 1; ties in library order", .usual = 1, .of = BERTH_OF_LIGAND,
          .reserved = true),
    FIELD(BERTH_COLUMN_MODE, IN(ALWAYS, WITH(MODES), 0, 0), SAYS(mode), NULL, 0,
          "place of the pose among the ligand's, from 1"),
    FIELD(BERTH_COLUMN_RECEPTOR, IN(WITH(RECEPTORS), 0, 0, ALWAYS), SIZE(receptor), NULL, 0,
          "name of the receptor", TELLS(receptor), .record = 3),
    FIELD(BERTH_COLUMN_RANKING, IN(WITH(RANKING), WITH(ANY_RANKING), 0, 0), SAYS(ranking), NULL, 4,
          "value of the [ranking](scoring.md#rankings) for the ligand; it has no unit", .usual = 4,
          .reserved = true),
    FIELD(BERTH_COLUMN_POSE_RANKING, IN(WITH(POSE_RANKING), WITH(ANY_RANKING), 0, 0),
          DOUBLE(ranking), NULL, 4, "value of the ranking for the pose; it has no unit", .usual = 5,
          .reserved = true),
    FIELD(BERTH_COLUMN_CONFIDENCE, IN(WITH(CONFIDENCE), 0, 0, WITH(CONFIDENCE)), DOUBLE(confidence),
          NULL, 4, "[probability](scoring.md#confidence), 0 to 1, that the first pose is right",
          .record = 19),
    FIELD(BERTH_COLUMN_SEEDS, IN(WITH(SEEDS), 0, 0, 0), DOUBLE(seeds), NULL, 0,
          "seeds whose first pose lies within 2 Å of this one", .reserved = true),
    FIELD(BERTH_COLUMN_SCORE, IN(ALWAYS, 0, ALWAYS, ALWAYS), DOUBLE(value), "E", 4,
          "by the [first function](#score)", .record = 4, .usual = 6, .head = BERTH_HEAD_SCORE),
    LIST(name_function, "each function", 0, BERTH_FUNCTIONS_MAX,
         IN(WITH(FUNCTIONS), WITH(FUNCTIONS), ALWAYS, WITH(RECORDED)), DOUBLE(scores), "E", 4,
         "energy between receptor and ligand", .record = 10),
    LIST(name_learned, "each output of a model", 0, BERTH_LEARNED_MAX,
         IN(WITH(MODEL), 0, WITH(MODEL), 0), DOUBLE(learned), NULL, 4,
         "its [output](learned.md); empty where it did not judge"),
    FIELD(BERTH_COLUMN_ENERGY, IN(ALWAYS, ALWAYS, ALWAYS, 0), DOUBLE(energy), "E", 4,
          "between receptor and ligand: the sum of the terms", .usual = 8),
    LIST(name_term, "each term", 0, BERTH_TERMS_MAX, IN(ALWAYS, ALWAYS, ALWAYS, ALWAYS),
         DOUBLE(terms.values), "E", 4, "as the first function names them", .record = 9,
         .single = true),
    LIST(name_part, NULL, 0, BERTH_PART_RECEPTOR, IN(ALWAYS, WITH(MINIMIZE), ALWAYS, ALWAYS),
         DOUBLE(parts), "E", 4,
         "[strain](scoring.md#strain) of torsions; empty without any, which rankings take as 0",
         .record = 5, .usual = 12, .blank = true),
    LIST(name_part, NULL, BERTH_PART_RECEPTOR, 1,
         IN(WITH(SIDE_CHAINS), 0, ALWAYS, WITH(SIDE_CHAINS)), DOUBLE(parts), "E", 4,
         "cost of [side chains that move](scoring.md#flexible-side-chains)", .record = 18,
         .blank = true),
    LIST(name_part, NULL, BERTH_PART_RESTRAINT, 1,
         IN(WITH(RESTRAINTS), 0, ALWAYS, WITH(RESTRAINTS)), DOUBLE(parts), "E", 4,
         "[cost](restraints.md#what-comes-out) of restraints", .record = 12, .blank = true),
    FIELD("conformer_strain", IN(ALWAYS, WITH(RELAX), ALWAYS, ALWAYS), DOUBLE(conformer_strain),
          "kJ/mol", 2,
          "MMFF94s energy above the ligand's lowest conformer; of [relaxed](scoring.md#relaxing) "
          "poses above the minimum nearby",
          .record = 6),
    FIELD(BERTH_COLUMN_COORDINATION, IN(WITH(COORDINATION), 0, ALWAYS, 0), SAYS(coordination), "E",
          4, "what sites of [metals](restraints.md#metals) give, less what the template costs",
          .usual = 9),
    FIELD(BERTH_COLUMN_DISPLACEMENT, IN(WITH(WATERS), 0, ALWAYS, 0), SAYS(displacement), "E", 4,
          "price of waters that the receptor lacks"),
    FIELD("efficiency", IN(ALWAYS, 0, ALWAYS, 0), SAYS(efficiency), "E", 4,
          "`energy` per heavy atom", .usual = 10),
    FIELD(BERTH_COLUMN_RMSD, IN(ALWAYS, WITH(REFERENCE), 0, 0), SAYS(rmsd), "Å", 3,
          "of heavy atoms to `--reference`, symmetry-corrected; empty for another molecule or "
          "stereoisomer"),
    FIELD("clash", IN(ALWAYS, ALWAYS, ALWAYS, ALWAYS), DOUBLE(clash), "Å", 3,
          "largest [overlap](scoring.md#clashes) with a receptor atom", .record = 7),
    FIELD("metal_1", IN(WITH(METALS), 0, 0, WITH(METALS)), FLOAT(metal[0]), "Å", 2,
          "from a metal to the pose's nearest N, O or S", .record = 15),
    FIELD("metal_2", IN(WITH(METALS), 0, 0, WITH(METALS)), FLOAT(metal[1]), "Å", 2,
          "to the second nearest", .record = 16),
    FIELD("unmet", IN(WITH(RESTRAINTS), 0, WITH(RESTRAINTS), WITH(RESTRAINTS)), SIZE(unmet), NULL,
          0, "required restraints that the pose misses", .record = 13, .usual = 13),
    LIST(name_restraint, "`restraint_1` ...", 0, BERTH_RESTRAINTS_MAX,
         IN(WITH(RESTRAINTS), 0, 0, WITH(RESTRAINTS)), FLOAT(distances), "Å", 4,
         "distance from its place", .record = 14),
    FIELD("conformer", IN(ALWAYS, 0, 0, ALWAYS), SIZE(conformer), NULL, 0, "its number, from 1",
          SAYS(conformer), .record = 1),
    FIELD(BERTH_COLUMN_HEAVY_ATOMS, IN(ALWAYS, 0, ALWAYS, 0), SAYS(heavy_atoms), NULL, 0,
          "number in the ligand", .usual = 11, .of = BERTH_OF_LIGAND),
    FIELD("conformers", IN(ALWAYS, 0, ALWAYS, 0), SAYS(conformers), NULL, 0, "how many were docked",
          .of = BERTH_OF_LIGAND),
    FIELD("rotors", IN(WITH(ANY_RANKING), WITH(ROTORS), WITH(ANY_RANKING), WITH(RECORDED)),
          DOUBLE(rotors), NULL, 1,
          "rotatable bonds by Vina's count, hydroxyl groups half; show's torsions are those that "
          "turn",
          .record = 11),
    FIELD("total", IN(0, WITH(ROTORS), 0, 0), DOUBLE(value), "E", 4,
          "the function's total of `energy` and `rotors`", .usual = 7),
    FIELD("twist", IN(WITH(TWISTS), 0, 0, WITH(TWISTS)), FLOAT(twist), "degrees", 1,
          "largest angle of a [conjugated carbonyl group](scoring.md#twisted-carbonyl-groups)",
          .record = 17),
    FIELD(BERTH_COLUMN_DEVICE, IN(ALWAYS, 0, 0, ALWAYS), SIZE(device), NULL, 0,
          "name of the device", TELLS(device), .record = 2),
    LIST(name_receptor, "`score_NAME`", 0, BERTH_RECEPTORS_MAX, IN(WITH(RECEPTORS), 0, 0, 0),
         SAYS(receptor_score), "E", 4, "best score of the ligand there"),
    LIST(name_learned, "each output of a model", 0, BERTH_LEARNED_MAX, IN(0, WITH(MODEL), 0, 0),
         DOUBLE(learned), NULL, 4, "output of the model"),
    LIST(name_place, "place", 0, 6, IN(0, 0, 0, ALWAYS), FLOAT(transform), NULL, 0,
         "rotations about x, then y, then z through the centroid of the heavy atoms (rad), "
         "the centroid's place from the site's centre (Å)",
         .record = 8),
    /* Behind all of these: tags of poses, and properties that preparing a ligand adds. */
    FIELD(BERTH_COLUMN_SEED, IN(0, 0, 0, 0), NOWHERE, NULL, 0, "seed of the search",
          .reserved = true),
    FIELD(BERTH_COLUMN_SMILES, IN(0, 0, 0, 0), NOWHERE, NULL, 0,
          "SMILES of the state and stereoisomer that was docked", .of = BERTH_TEXT_OF_LIGAND,
          .reserved = true),
    FIELD(BERTH_COLUMN_SIDE_CHAINS, IN(0, 0, 0, 0), NOWHERE, NULL, 0, "places of moved atoms",
          .reserved = true),
    FIELD(BERTH_COLUMN_INPUT_SMILES, IN(0, 0, 0, 0), NOWHERE, NULL, 0, "SMILES of the input",
          .of = BERTH_TEXT_OF_LIGAND, .prepared = true),
    FIELD(BERTH_COLUMN_STATE_OF, IN(0, 0, 0, 0), NOWHERE, NULL, 0,
          "the molecule's name, where it gave several ligands", .of = BERTH_TEXT_OF_LIGAND,
          .prepared = true),
    FIELD(BERTH_COLUMN_STATE_POPULATION, IN(0, 0, 0, 0), NOWHERE, NULL, 0,
          "share of this state (`--protomers`)", .prepared = true),
    FIELD(BERTH_COLUMN_OPEN_STEREO, IN(0, 0, 0, 0), NOWHERE, NULL, 0,
          "undefined centres and double bonds, where isomers were left out", .prepared = true),
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

size_t berth_fields_recorded(void)
{
    size_t count = 0;
    for (size_t i = 0; i < BERTH_FIELD_COUNT; i++) {
        count += BERTH_FIELDS[i].in[BERTH_IN_JOURNAL] != 0;
    }
    return count;
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
           (judges->twists ? BERTH_WITH_TWISTS : 0) |
           (judges->learned_count ? BERTH_WITH_MODEL : 0) |
           (ranked && judges->confident ? BERTH_WITH_CONFIDENCE : 0) |
           (judges->seeds > 1 ? BERTH_WITH_SEEDS : 0);
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

bool berth_field_is_function(const struct berth_known_field *known)
{
    return known->field->names == name_function;
}
