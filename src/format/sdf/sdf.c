#include "format/sdf/sdf.h"

#include <string.h>

#include "chem/kekule.h"

enum { V2000_MAX = 999, CHARGES_PER_LINE = 8 };

/* Text that would end the record gets a blank in front. */
static const char *guard(const char *text)
{
    return strncmp(text, "$$$$", 4) == 0 ? " " : "";
}

/* True where "%10.4f" holds every coordinate and three digits every count. */
static bool fits_v2000(const struct berth_tagged_molecule *tagged, size_t bond_count)
{
    size_t atom_count = tagged->molecule->atom_count;
    bool fits = atom_count <= V2000_MAX && bond_count <= V2000_MAX;
    for (size_t i = 0; fits && i < atom_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double x = berth_tagged_position(tagged, i)[axis];
            fits = fits && x > -9999.99995 && x < 99999.99995;
        }
    }
    return fits;
}

/* The charge column of an atom line: 3 is +1, 5 is -1 ... 0 is none or not expressible. */
static int charge_code(int charge)
{
    return charge && charge >= -3 && charge <= 3 ? 4 - charge : 0;
}

static void write_charges(struct berth_output *output, const int *charges, size_t atom_count)
{
    size_t next = 0;
    for (;;) {
        size_t atoms[CHARGES_PER_LINE];
        int count = 0;
        for (; next < atom_count && count < CHARGES_PER_LINE; next++) {
            if (charges[next]) {
                atoms[count++] = next;
            }
        }
        if (count == 0) {
            return;
        }
        berth_output_print(output, "M  CHG%3d", count);
        for (int i = 0; i < count; i++) {
            berth_output_print(output, " %3zu %3d", atoms[i] + 1, charges[atoms[i]]);
        }
        berth_output_print(output, "\n");
    }
}

static void write_v2000(struct berth_output *output, const struct berth_tagged_molecule *tagged,
                        const struct berth_kekule *kekule, size_t bond_count)
{
    const struct berth_molecule *molecule = tagged->molecule;
    berth_output_print(output, "%3zu%3zu  0  0  0  0  0  0  0  0999 V2000\n", molecule->atom_count,
                       bond_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const double *position = berth_tagged_position(tagged, i);
        berth_output_print(output, "%10.4f%10.4f%10.4f %-3s 0%3d  0  0  0  0  0  0  0  0  0  0\n",
                           position[0], position[1], position[2],
                           berth_element_symbol(molecule->atoms[i].element),
                           charge_code(kekule->charges[i]));
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        if (kekule->orders[i]) {
            berth_output_print(output, "%3zu%3zu%3d  0\n", molecule->bonds[i].first + 1,
                               molecule->bonds[i].second + 1, kekule->orders[i]);
        }
    }
    write_charges(output, kekule->charges, molecule->atom_count);
}

static void write_v3000(struct berth_output *output, const struct berth_tagged_molecule *tagged,
                        const struct berth_kekule *kekule, size_t bond_count)
{
    const struct berth_molecule *molecule = tagged->molecule;
    berth_output_print(output, "  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n");
    berth_output_print(output, "M  V30 COUNTS %zu %zu 0 0 0\nM  V30 BEGIN ATOM\n",
                       molecule->atom_count, bond_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const double *position = berth_tagged_position(tagged, i);
        berth_output_print(output, "M  V30 %zu %s %.4f %.4f %.4f 0", i + 1,
                           berth_element_symbol(molecule->atoms[i].element), position[0],
                           position[1], position[2]);
        if (kekule->charges[i]) {
            berth_output_print(output, " CHG=%d", kekule->charges[i]);
        }
        berth_output_print(output, "\n");
    }
    berth_output_print(output, "M  V30 END ATOM\n%s", bond_count ? "M  V30 BEGIN BOND\n" : "");
    size_t number = 0;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        if (kekule->orders[i]) {
            berth_output_print(output, "M  V30 %zu %d %zu %zu\n", ++number, kekule->orders[i],
                               molecule->bonds[i].first + 1, molecule->bonds[i].second + 1);
        }
    }
    berth_output_print(output, "%sM  V30 END CTAB\n", bond_count ? "M  V30 END BOND\n" : "");
}

enum berth_status berth_sdf_write(struct berth_output *output,
                                  const struct berth_tagged_molecule *tagged,
                                  struct berth_error *error)
{
    struct berth_kekule kekule;
    enum berth_status status = berth_kekule_find(tagged->molecule, &kekule, error);
    if (status) {
        return status;
    }
    size_t bond_count = 0;
    for (size_t i = 0; i < tagged->molecule->bond_count; i++) {
        bond_count += kekule.orders[i] != 0;
    }
    /* The second line would have room for a date; equal runs shall give equal files. */
    berth_output_print(output, "%s", guard(tagged->title));
    berth_print_on_line(output, tagged->title);
    berth_output_print(output, "\n  berth             3D\n\n");
    if (fits_v2000(tagged, bond_count)) {
        write_v2000(output, tagged, &kekule, bond_count);
    } else {
        write_v3000(output, tagged, &kekule, bond_count);
    }
    berth_kekule_clear(&kekule);
    berth_output_print(output, "M  END\n");
    for (size_t i = 0; i < tagged->tag_count; i++) {
        const struct berth_tag *tag = &tagged->tags[i];
        berth_output_print(output, ">  <");
        berth_print_on_line(output, tag->name);
        berth_output_print(output, ">\n%s", guard(tag->value));
        berth_print_on_line(output, tag->value);
        berth_output_print(output, "\n\n");
    }
    berth_output_print(output, "$$$$\n");
    return BERTH_OK;
}

enum berth_status berth_sdf_text(const struct berth_molecule *molecule, char **text, size_t *size,
                                 struct berth_error *error)
{
    const struct berth_tagged_molecule tagged = {.molecule = molecule, .title = molecule->title};
    struct berth_output *output;
    enum berth_status status = berth_output_create_memory(text, size, &output, error);
    if (!status) {
        status = berth_sdf_write(output, &tagged, error);
        berth_output_discard(output);
    }
    return status;
}
