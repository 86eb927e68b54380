/* Hybridisation of heavy atoms, as far as their Mol2 types say it. */
#ifndef BERTH_CHEM_HYBRID_H
#define BERTH_CHEM_HYBRID_H

enum berth_hybrid {
    BERTH_HYBRID_OTHER, /* sp, metals, dummy atoms, halogens */
    BERTH_HYBRID_SP3,
    BERTH_HYBRID_SP2,
    BERTH_HYBRID_AROMATIC /* sp2, and Mol2 calls it aromatic */
};

/* Of an atom of this Mol2 type: C.ar is aromatic, N.am is sp2, S.o2 (tetrahedral) is sp3. */
enum berth_hybrid berth_hybrid_of_type(const char *type);

#endif
