/* berth model: learned functions for --rescore. */
#include "cli/common.h"
#include "prep/model.h"

struct values {
    struct berth_arguments files;
    const char *out;
};

static const struct cli_usage USAGE = {"model import", "WEIGHTS.pt --out NAME.model",
                                       "Makes a model, for --rescore, of weights that gnina "
                                       "published (default2018, as PyTorch files:\n"
                                       "in gnina's releases, or the package gninatorch).  Writes "
                                       "NAME.model, a text that says what the\n"
                                       "network sees, and NAME.onnx beside it."};

static const struct berth_option OPTIONS[] = {{"WEIGHTS.pt", BERTH_FIELD(struct values, files),
                                               .help = "file of PyTorch's", .required = true},
                                              {"out", BERTH_FIELD(struct values, out),
                                               .argument = "FILE", .help = "model to write",
                                               .required = true},
                                              {0}};

static enum berth_status import(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    const char *path = values->files.items[0];
    const struct cli_file files[] = {{"WEIGHTS.pt", path, false}, {"out", values->out, true}};
    (void)code;
    if (values->files.count > 1) {
        return berth_fail(error, BERTH_E_USAGE, "%zu files are given; this command takes one",
                          values->files.count);
    }
    BERTH_TRY(cli_check_files(files, sizeof files / sizeof *files, error));
    return berth_model_import(path, values->out, error);
}

int cmd_model_import(int argc, char **argv)
{
    struct values values = {0};
    return cli_run(&USAGE, OPTIONS, &values, import, argc, argv);
}
