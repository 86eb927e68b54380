-- A database of results, version 1 (docs/results.md). Columns of scores.csv are added to ligand and pose as runs bring them.
PRAGMA application_id = 1650815604; -- "bert"
PRAGMA user_version = 1;
CREATE TABLE run (
    run INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, -- the folder, or file of poses, that it wrote
    command TEXT NOT NULL,     -- screen, merge or dock
    program TEXT NOT NULL,     -- its version
    json TEXT                  -- run.json of a screen
);
CREATE TABLE field ( -- the columns of a run's table of scores, in their order
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,     -- in scores.csv
    place TEXT NOT NULL,    -- table that has it: ligand or pose
    "column" TEXT NOT NULL, -- of that table
    decimals INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE ligand (
    run INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    ligand, rank, heavy_atoms, conformers, smiles,
    PRIMARY KEY (run, ordinal)
) WITHOUT ROWID;
CREATE TABLE pose (
    run INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    mode INTEGER NOT NULL,
    score, energy,
    PRIMARY KEY (run, ordinal, mode)
) WITHOUT ROWID;
CREATE TABLE structure (
    run INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    mode INTEGER NOT NULL,
    bytes INTEGER NOT NULL, -- of the record
    sdf BLOB NOT NULL,      -- the record with all atoms, bonds and tags, as zlib packs it
    PRIMARY KEY (run, ordinal, mode)
);
CREATE TABLE interaction (
    run INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    mode INTEGER NOT NULL,
    kind TEXT NOT NULL,
    residue TEXT, chain TEXT, number TEXT,
    receptor_atoms TEXT, ligand_atoms TEXT,
    donor TEXT,
    distance REAL, angle REAL, "offset" REAL,
    weak INTEGER -- 1: a hydrogen bond that is weak (docs/interactions.md)
);
CREATE TABLE failure (run INTEGER NOT NULL, ordinal INTEGER, ligand TEXT, reason TEXT NOT NULL);
CREATE INDEX ligand_by_rank ON ligand (run, rank);
CREATE INDEX ligand_by_name ON ligand (ligand);
CREATE INDEX interaction_by_pose ON interaction (run, ordinal, mode);
CREATE INDEX interaction_by_residue ON interaction (run, chain, number, kind);
CREATE INDEX failure_by_run ON failure (run);
CREATE VIEW score AS SELECT * FROM ligand JOIN pose USING (run, ordinal);
