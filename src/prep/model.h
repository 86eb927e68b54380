/* Models (format/model.h) of networks that others published. */
#ifndef BERTH_PREP_MODEL_H
#define BERTH_PREP_MODEL_H

#include "base/error.h"

/* Makes a model of gnina's weights in a file of torch's: `out`, and beside it the network, the same
 * name with .onnx for its ending.  A Python does it ($BERTH_PYTHON, else the first python3 in
 * PATH), of which nothing but its standard library is needed.  Errors: BERTH_E_IO, BERTH_E_FORMAT
 * (says what is wrong with the file), BERTH_E_USAGE (a name that cannot be), BERTH_E_MEMORY. */
enum berth_status berth_model_import(const char *path, const char *out, struct berth_error *error);

#endif
