#ifndef STANDIN_H
#define STANDIN_H
#include "score/forcefield.h"
void standin_use(struct berth_forcefield *forcefield);
void standin_pair(int i, int j, double *contact, double *hydrophobic, double *bond);
int standin_type(const struct berth_molecule *m, size_t i);
#endif
