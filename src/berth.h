/* berth as a library: docking and scoring on any OpenCL device.
 *
 * Compile with -IPREFIX/include/berth, link with -LPREFIX/lib -lberth -lOpenCL -lz -lm -lpthread
 * (-ldl, too, before glibc 2.34), and call, in C11, each with a struct berth_error of yours (the
 * headers say what fails and who owns what):
 *
 *   1. berth_bhff_read: a forcefield, the built-in one for path NULL (io/bhff.h)
 *   2. berth_mol2_read_one: the receptor (io/mol2.h); berth_forcefield_assign: its heavy atoms with
 *      their types (model/forcefield.h)
 *   3. berth_devices_list, berth_devices_choose: a device (cl/device.h); berth_drivers_prepare
 *      before that, where your program may set POCL_CACHE_DIR (cl/drivers.h)
 *   4. berth_mol2_reader_create, berth_mol2_next: ligands one by one; each then through
 *      berth_forcefield_assign and berth_pack_conformer (engine/pack.h)
 *
 * Then either the energies of the ligands as they stand:
 *
 *   5. berth_rescore_create, berth_rescore_run (engine/rescore.h)
 *
 * or a search of the box about the target's centre, the modes that it found, and their poses:
 *
 *   5. berth_docking_create with berth_search_defaults and berth_variant_unset in its setup, then
 *      berth_docking_run (engine/docking.h)
 *   6. berth_ligand_add for each molecule that was docked, berth_modes_find (engine/modes.h)
 *   7. berth_output_create, berth_pose_write, berth_output_commit (io/output.h, io/poses.h)
 *
 * Libraries of prepared ligands (io/library.h) are written ligand by ligand (io/ligand_reader.h
 * gathers those of a Mol2 file) and read block by block, or one ligand at a time.
 *
 * What was created is destroyed or cleared by its creator, in the opposite order.  The library
 * prints nothing, never exits and keeps no global state, save that built programs are kept in the
 * user's cache directory (cl/cache.h).
 */
#ifndef BERTH_H
#define BERTH_H

#include "base/error.h"
#include "base/log.h"
#include "cl/device.h"
#include "cl/drivers.h"
#include "engine/bench.h"
#include "engine/docking.h"
#include "engine/modes.h"
#include "engine/rescore.h"
#include "io/bhff.h"
#include "io/library.h"
#include "io/ligand_reader.h"
#include "io/mol2.h"
#include "io/output.h"
#include "io/poses.h"
#include "model/forcefield.h"
#include "model/ligand.h"
#include "model/molecule.h"
#include "model/score_ref.h"

#endif
