/* Writing molecules as Mol2. */
#include "format/mol2/mol2.h"

/* A title that would open a section gets a blank in front. */
static const char *guard(const char *title)
{
    return *title == '@' ? " " : "";
}

static void write_atom(struct berth_output *output, const struct berth_atom *atom, size_t number,
                       const double position[3])
{
    berth_output_print(output, "%7zu %-8s %10.4f %10.4f %10.4f %-6s", number, atom->name,
                       position[0], position[1], position[2], atom->type);
    /* The substructure's number and name stand in front of the charge, so they cannot be empty. */
    berth_output_print(output, " %4d %-8s %8.4f\n", atom->residue_id ? atom->residue_id : 1,
                       *atom->residue ? atom->residue : "LIG", 0.0);
}

/* True where another substructure begins with this atom. */
static bool begins(const struct berth_molecule *molecule, size_t i)
{
    return i == 0 || molecule->atoms[i].residue_id != molecule->atoms[i - 1].residue_id;
}

/* The SUBSTRUCTURE section, of molecules whose atoms have chains. */
static void write_chains(struct berth_output *output, const struct berth_molecule *molecule)
{
    const char *head = "@<TRIPOS>SUBSTRUCTURE\n";
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (*atom->chain && begins(molecule, i)) {
            berth_output_print(output, "%s%6d %-8s %6zu RESIDUE 1 %s\n", head, atom->residue_id,
                               atom->residue, i + 1, atom->chain);
            head = "";
        }
    }
}

/* MOLECULE, ATOM and BOND sections, and that of chains. */
static void write_sections(struct berth_output *output, const struct berth_tagged_molecule *tagged)
{
    const struct berth_molecule *molecule = tagged->molecule;
    berth_output_print(output, "@<TRIPOS>MOLECULE\n%s", guard(tagged->title));
    berth_output_on_line(output, tagged->title);
    berth_output_print(output, "\n");
    berth_output_print(output, "%5zu %5zu 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n",
                       molecule->atom_count, molecule->bond_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        write_atom(output, &molecule->atoms[i], i + 1, berth_tagged_position(tagged, i));
    }
    if (molecule->bond_count) {
        berth_output_print(output, "@<TRIPOS>BOND\n");
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        berth_output_print(output, "%6zu %5zu %5zu %s\n", i + 1, bond->first + 1, bond->second + 1,
                           bond->type);
    }
    write_chains(output, molecule);
    berth_output_print(output, "\n");
}

enum berth_status berth_mol2_write(struct berth_output *output,
                                   const struct berth_tagged_molecule *tagged,
                                   struct berth_error *error)
{
    (void)error;
    for (size_t i = 0; i < tagged->tag_count; i++) {
        berth_output_print(output, "# ");
        berth_output_on_line(output, tagged->tags[i].name);
        berth_output_print(output, ": ");
        berth_output_on_line(output, tagged->tags[i].value);
        berth_output_print(output, "\n");
    }
    write_sections(output, tagged);
    return BERTH_OK;
}

enum berth_status berth_mol2_write_one(const char *path, const struct berth_molecule *molecule,
                                       struct berth_error *error)
{
    struct berth_output *output;
    const struct berth_tagged_molecule tagged = {.molecule = molecule, .title = molecule->title};
    BERTH_TRY(berth_output_create(path, &output, error));
    write_sections(output, &tagged);
    return berth_output_commit(output, error);
}
