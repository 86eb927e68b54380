/* berth as a library: docking and scoring on any OpenCL device.
 *
 * Compile with -IPREFIX/include/berth, link with -LPREFIX/lib -lberth -lOpenCL -lz -lm -lpthread
 * (-ldl, too, before glibc 2.34), and call, in C11, each with a struct berth_error of yours (the
 * headers say what fails and who owns what):
 *
 *   1. berth_bhff_read: a forcefield, the built-in one for path NULL (score/bhff.h)
 *   2. berth_mol2_read_one: the receptor (format/mol2/mol2.h); berth_forcefield_assign: its heavy
 *      atoms with their types (score/forcefield.h)
 *   3. berth_devices_list, berth_devices_choose: a device (device/device.h); berth_drivers_prepare
 *      before that, where your program may set POCL_CACHE_DIR (device/drivers.h)
 *   4. berth_mol2_reader_create, berth_mol2_next: ligands one by one; each then through
 *      berth_forcefield_assign and berth_pack_conformer (engine/pack.h)
 *
 * Then either the energies of the ligands as they stand:
 *
 *   5. berth_rescore_create, berth_rescore_run (dock/rescore.h)
 *
 * or a search of the box about the target's centre, the modes that it found, and their poses:
 *
 *   5. berth_docking_create with berth_search_defaults and berth_variant_unset in its setup, then
 *      berth_docking_run (dock/docking.h)
 *   6. berth_ligand_add for each molecule that was docked, berth_modes_find (dock/modes.h)
 *   7. berth_output_create, berth_pose_write, berth_output_commit (format/output.h, format/poses.h)
 *
 * Libraries of prepared ligands (format/library/library.h) are written ligand by ligand
 * (format/ligand_reader.h gathers those of a Mol2 file) and read block by block, or one ligand at a
 * time.
 *
 * What was created is destroyed or cleared by its creator, in the opposite order.  The library
 * prints nothing, never exits and keeps no global state, save that built programs are kept in the
 * user's cache directory (device/cache.h).
 */
#ifndef BERTH_H
#define BERTH_H

#include "base/error.h"
#include "base/log.h"
#include "check/bench.h"
#include "chem/ligand.h"
#include "chem/molecule.h"
#include "device/drivers.h"
#include "device/device.h"
#include "dock/docking.h"
#include "dock/modes.h"
#include "dock/rescore.h"
#include "format/library/library.h"
#include "format/ligand_reader.h"
#include "format/mol2/mol2.h"
#include "format/output.h"
#include "format/poses.h"
#include "score/bhff.h"
#include "score/forcefield.h"
#include "score/score_ref.h"

#endif
