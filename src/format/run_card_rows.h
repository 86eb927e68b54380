/* The rows of a run card: a fact of a run is one row.  Its member, how it is written and read, what
 * runs that go on or are merged must agree in, and what messages say of two that do not follow from
 * it.
 *
 *     ROW(name, kind, count, digits, rule, options, causes, value ...)
 *     GIVEN(name, kind, count, digits, rule, options, causes)
 *
 * name     in files, and of the member: card->identity.seed
 * kind     see enum berth_run_kind; count: its numbers or lines, at most; digits: of its numbers,
 *          below 0: decimals
 * rule     how runs that differ in it are told: see enum berth_run_rule
 * options  that decide it, with blanks between; of several each has a field of the value, "-": no
 *          option has that field
 * causes   options that change it, too: where one of these is told, this is not
 * value    what run/card.c takes it from: an expression of what fill() has there, of NUMBERS
 *          one for each.  The member of a GIVEN row is assigned there, or by who runs it
 */
#ifndef BERTH_FORMAT_RUN_CARD_ROWS_H
#define BERTH_FORMAT_RUN_CARD_ROWS_H

/* What determines the results: runs that go on, and the shards of one, agree in it. */
#define BERTH_RUN_IDENTITY_ROWS(ROW, GIVEN)                                                        \
    ROW(berth, TEXT, 1, 0, VALUE, "berth", "", BERTH_VERSION)                                      \
    ROW(kernels, TEXT, 1, 0, LINE, "", "", hash_kernels(card))                                     \
    ROW(forcefield, TEXT, 1, 0, HASH, "forcefield", "scoring", hash_forcefield(card, scoring))     \
    ROW(scoring, TEXT, 1, 0, VALUE, "scoring", "",                                                 \
        berth_run_card_text(card, "%.*s", (int)strcspn(run->scoring, ","), run->scoring))          \
    ROW(function, TEXT, 1, 0, HASH, "scoring", "", hash_function(scoring, function))               \
    GIVEN(receptor, NAMED, BERTH_RECEPTORS_MAX, 0, HASH, "receptor ligand_id keep drop",           \
          "scoring")                                                                               \
    ROW(center, NUMBERS, 3, 17, VALUE, "center_x center_y center_z", "ligand_id box",              \
        site->center[0], site->center[1], site->center[2])                                         \
    ROW(size, NUMBERS, 3, 17, VALUE, "size_x size_y size_z", "ligand_id box", site->size[0],       \
        site->size[1], site->size[2])                                                              \
    GIVEN(prepare, TEXT, 1, 0, NOTE, "library", "")                                                \
    GIVEN(prepare_hash, TEXT, 1, 0, LINE, "", "")                                                  \
    GIVEN(input_hash, TEXT, 1, 0, HASH, "library", "")                                             \
    GIVEN(library, TEXT, 1, 0, HASH, "library", "")                                                \
    GIVEN(ligands, NUMBER, 1, 17, LINE, "", "")                                                    \
    ROW(seed, TEXT, 1, 0, VALUE, "seed", "",                                                       \
        berth_run_card_text(card, "%llu", (unsigned long long)search->seed))                       \
    ROW(seeds, NUMBER, 1, 17, VALUE, "seeds", "",                                                  \
        UNLESS_0(run->options.seeds > 1 ? run->options.seeds : 0))                                 \
    ROW(poses, NUMBER, 1, 17, VALUE, "poses", "search", search->poses)                             \
    ROW(generations, NUMBER, 1, 17, VALUE, "generations", "search", search->generations)           \
    ROW(parents, NUMBER, 1, 17, VALUE, "parents", "search", search->parents)                       \
    ROW(exchange, NUMBER, 1, 9, LINE, "", "", search->exchange)                                    \
    ROW(shift, NUMBERS, 2, 9, LINE, "", "", search->shift_first, search->shift_last)               \
    ROW(turn, NUMBERS, 2, 9, LINE, "", "", search->turn_first, search->turn_last)                  \
    ROW(temperature, NUMBERS, 2, 9, LINE, "", "", search->temperature_first,                       \
        search->temperature_last)                                                                  \
    ROW(distinct, NUMBERS, 3, 9, LINE, "", "", search->distinct_first, search->distinct_last,      \
        search->distinct_modes)                                                                    \
    ROW(niche, NUMBERS, 2, 9, LINE, "", "", search->niche, search->niche_places)                   \
    ROW(soft, NUMBERS, 2, 9, LINE, "", "", search->steric_first, search->soft_generations)         \
    ROW(mapped, NUMBERS, 5, 17, VALUE, "poses generations parents hops -", "search",               \
        ON_MAPS(poses), ON_MAPS(generations), ON_MAPS(parents), ON_MAPS(hops),                     \
        ON_MAPS(evaluations))                                                                      \
    ROW(mapped_shares, NUMBERS, 2, 9, LINE, "", "", ON_MAPS(fresh), ON_MAPS(temperature))          \
    ROW(mapped_distinct, NUMBER, 1, 9, LINE, "", "", ON_MAPS(distinct))                            \
    ROW(maps, NUMBERS, 5, 9, BOX, "box", "", ON_MAPS(maps.spacing), ON_MAPS(maps.margin),          \
        ON_MAPS(maps.radius), ON_MAPS(maps.wall), ON_MAPS(maps.most))                              \
    ROW(refine, NUMBER, 1, 17, VALUE, "refine", "search", search->refine.poses)                    \
    ROW(refine_evaluations, NUMBER, 1, 17, VALUE, "refine_evaluations", "search",                  \
        search->refine.evaluations)                                                                \
    ROW(hops, NUMBER, 1, 17, VALUE, "hops", "search", search->refine.hops)                         \
    ROW(hop_temperature, NUMBER, 1, 9, LINE, "", "", search->refine.temperature)                   \
    ROW(refine_torsions, TEXT, 1, 0, VALUE, "refine_torsions", "search",                           \
        search->refine.torsions ? "yes" : "no")                                                    \
    ROW(strain_weight, NUMBER, 1, 17, VALUE, "strain_weight", "", run->modes.strain_weight)        \
    ROW(relax, NUMBER, 1, 17, LINE, "", "", UNLESS_0(run->options.relax))                          \
    ROW(variant, TEXT, 1, 0, VALUE, "variant", "",                                                 \
        run->options.variant ? run->options.variant : "by device")                                 \
    ROW(num_modes, NUMBER, 1, 17, VALUE, "num_modes", "", run->modes.num_modes)                    \
    ROW(min_rmsd, NUMBER, 1, 17, VALUE, "min_rmsd", "", run->modes.min_rmsd)                       \
    GIVEN(functions, WORDS, 1, 0, VALUE, "scoring", "")                                            \
    GIVEN(judge, NAMED, BERTH_FUNCTIONS_MAX, 0, LINE, "", "")                                      \
    GIVEN(pool, TEXT, 1, 0, VALUE, "pool", "rank")                                                 \
    GIVEN(rank_poses, TEXT, 1, 0, VALUE, "rank", "")                                               \
    GIVEN(rank_ligands, TEXT, 1, 0, VALUE, "rank", "")                                             \
    GIVEN(rank_confidence, TEXT, 1, 0, VALUE, "rank", "")                                          \
    GIVEN(model, TEXT, 1, 0, HASH, "rescore", "")                                                  \
    GIVEN(learned, WORDS, 1, 0, LINE, "", "")                                                      \
    GIVEN(rescore_top, NUMBER, 1, 17, VALUE, "rescore_top", "rescore")                             \
    GIVEN(covalent, TEXT, 1, 0, VALUE, "covalent", "")                                             \
    GIVEN(restraints, TEXT, 1, 0, HASH, "restraints", "metal_sites")                               \
    GIVEN(restraint_count, NUMBER, 1, 17, LINE, "", "")                                            \
    ROW(soft_core, NUMBERS, 3, 9, VALUE, "- core_tolerance core_weight", "restraints",             \
        UNLESS_0(names->core), names->core_radius, names->core_weight)                             \
    GIVEN(metal_sites, METALS, 1, 6, SWITCH, "metal_sites", "")                                    \
    GIVEN(displacement, NUMBERS, BERTH_RECEPTORS_MAX, 9, VALUE, "water_price", "")                 \
    ROW(twists, NUMBER, 1, 6, VALUE, "price_of_twists", "",                                        \
        names->twists ? berth_twist_price(90, scoring->unit) : NAN)                                \
    GIVEN(side_chains, NAMED, BERTH_RECEPTORS_MAX, 0, VALUE, "flexible_residues", "")              \
    GIVEN(shard, TEXT, 1, 0, VALUE, "shard", "")

/* What else is known: a run that goes on may differ in it. */
#define BERTH_RUN_FILES_ROWS(ROW, GIVEN)                                                           \
    GIVEN(molecules, TEXT, 1, 0, FREE, "", "")                                                     \
    GIVEN(library, TEXT, 1, 0, FREE, "", "")                                                       \
    GIVEN(prepare_failed, NUMBER, 1, 17, FREE, "", "")                                             \
    GIVEN(prepare_dropped, NUMBER, 1, 17, FREE, "", "")                                            \
    GIVEN(prepare, TEXT, 1, 0, FREE, "", "")                                                       \
    GIVEN(keep, NAMED, BERTH_RECEPTORS_MAX, 0, FREE, "", "")                                       \
    GIVEN(drop, NAMED, BERTH_RECEPTORS_MAX, 0, FREE, "", "")                                       \
    GIVEN(receptor, NAMED, BERTH_RECEPTORS_MAX, 0, FREE, "", "")                                   \
    GIVEN(prepared_receptor, NAMED, BERTH_RECEPTORS_MAX, 0, FREE, "", "")                          \
    ROW(ligand_id, TEXT, 1, 0, FREE, "", "", receptors->receptors[0]->ligand_id)                   \
    ROW(forcefield, TEXT, 1, 0, FREE, "", "", scoring->forcefield.name)                            \
    GIVEN(function, NAMED, BERTH_FUNCTIONS_MAX, 0, FREE, "", "")                                   \
    GIVEN(terms, WORDS, 1, 0, FREE, "", "")                                                        \
    GIVEN(restraint, RESTRAINTS, BERTH_RESTRAINTS_MAX, 0, FREE, "", "")                            \
    ROW(search, TEXT, 1, 0, HINT, "search", "", is_screen(run) ? run->level.name : NULL)           \
    GIVEN(top, NUMBER, 1, 17, FREE, "", "")                                                        \
    GIVEN(rank, TEXT, 1, 0, FREE, "", "")                                                          \
    ROW(energy_range, NUMBER, 1, 9, FREE, "", "",                                                  \
        isfinite(run->modes.energy_range) ? run->modes.energy_range : NAN)                         \
    ROW(max_clash, NUMBER, 1, 15, FREE, "", "",                                                    \
        isfinite(run->modes.max_clash) ? run->modes.max_clash : NAN)                               \
    ROW(site, TEXT, 1, 0, FREE, "", "", run->options.site)                                         \
    ROW(require, TEXT, 1, 0, FREE, "", "", run->options.require)                                   \
    ROW(tags, TEXT, 1, 0, FREE, "", "", run->options.tags)                                         \
    ROW(full_flex_output, NUMBER, 1, 17, FREE, "", "", UNLESS_0(run->options.full_flex_output))

/* What came of it; in run.json texts stand in front of all, numbers behind. */
#define BERTH_RUN_RESULT_ROWS(ROW, GIVEN)                                                          \
    GIVEN(stages, TEXT, 1, 0, FREE, "", "")                                                        \
    GIVEN(program, TEXT, 1, 0, FREE, "", "")                                                       \
    GIVEN(finished, TEXT, 1, 0, FREE, "", "")                                                      \
    GIVEN(ligands, NUMBER, 1, 17, FREE, "", "")                                                    \
    GIVEN(failed, NUMBER, 1, 17, FREE, "", "")                                                     \
    GIVEN(conformers, NUMBER, 1, 17, FREE, "", "")

/* How fast it was, where that is known of all of it. */
#define BERTH_RUN_WORK_ROWS(ROW, GIVEN)                                                            \
    GIVEN(seconds, NUMBER, 1, -3, FREE, "", "")                                                    \
    GIVEN(ligands_per_second, NUMBER, 1, 6, FREE, "", "")                                          \
    GIVEN(conformers_per_second, NUMBER, 1, 6, FREE, "", "")                                       \
    GIVEN(interactions_per_second, NUMBER, 1, 6, FREE, "", "")                                     \
    GIVEN(preparation_seconds, NUMBER, 1, -3, FREE, "", "")                                        \
    GIVEN(processor_seconds, NUMBER, 1, -3, FREE, "", "")                                          \
    GIVEN(preparation_share, NUMBER, 1, -4, FREE, "", "")                                          \
    GIVEN(devices_busy, NUMBER, 1, -4, FREE, "", "")

#endif
