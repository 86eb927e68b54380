#include "cli/text_progress.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

/* s between lines, and between updates on a terminal. */
#define LINE_INTERVAL   30.0
#define UPDATE_INTERVAL 0.5

void cli_progress_start(struct cli_progress *progress, FILE *file)
{
    progress->file = file;
    progress->terminal = isatty(fileno(file));
    progress->start = berth_now();
    progress->next = progress->start + (progress->terminal ? UPDATE_INTERVAL : LINE_INTERVAL);
}

void cli_progress_note(struct cli_progress *progress, const struct berth_result *result)
{
    progress->done++;
    progress->failed += result->failure != NULL;
    if (result->failure) {
        return;
    }
    const double energy = result->modes.modes[0].energy;
    if (!*progress->best_title || energy < progress->best) {
        progress->best = energy;
        snprintf(progress->best_title, sizeof progress->best_title, "%s",
                 *result->title ? result->title : "a ligand without a name");
    }
}

/* "1:02:03" */
static void print_time(double seconds, char *text, size_t size)
{
    const unsigned long long whole = (unsigned long long)(seconds + 0.5);
    snprintf(text, size, "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60, whole % 60);
}

/* "  device 0 48 %, device 1 52 %"; nothing for a device alone. */
static void print_shares(const struct berth_window *window, char *text, size_t size)
{
    size_t sum = 0, used = 0;
    for (size_t i = 0; i < window->device_count; i++) {
        sum += window->docked[i];
    }
    *text = '\0';
    for (size_t i = 0; window->device_count > 1 && sum && i < window->device_count && used < size;
         i++) {
        used += (size_t)snprintf(text + used, size - used, "; device %zu%s %.0f %%",
                                 window->devices[i].index, window->lost[i] ? " (lost)" : "",
                                 100 * (double)window->docked[i] / (double)sum);
    }
}

/* Cuts the line to the terminal's width: only a line that is not wrapped can be written over. */
static void fit_terminal(FILE *file, char *line)
{
    struct winsize size;
    if (ioctl(fileno(file), TIOCGWINSZ, &size) != 0 || !size.ws_col) {
        return;
    }
    size_t columns = 0;
    for (; *line; line++) {
        const bool starts = ((unsigned char)*line & 0xC0) != 0x80; /* of a character, in UTF-8 */
        columns += starts;
        if (starts && columns >= size.ws_col) {
            *line = '\0';
            return;
        }
    }
}

/* "12 of 345 ligands (3.5 %)", or "12 ligands" where nobody knows how many come. */
static void print_count(const struct cli_progress *progress, char *text, size_t size)
{
    const unsigned long long done = progress->done, total = progress->total;
    if (total) {
        snprintf(text, size, "%llu of %llu ligands (%.1f %%)", done, total,
                 100 * (double)done / (double)total);
    } else {
        snprintf(text, size, "%llu ligand%s", done, done == 1 ? "" : "s");
    }
}

static void print_line(const struct cli_progress *progress, double seconds, double atoms,
                       const char *shares)
{
    const double rate = (double)(progress->done - progress->before) / seconds;
    char count[64], left[48] = "", best[128] = "";
    print_count(progress, count, sizeof count);
    if (progress->total && rate > 0) {
        char time[32];
        print_time((double)(progress->total - progress->done) / rate, time, sizeof time);
        snprintf(left, sizeof left, ", %s left", time);
    } else if (progress->total) {
        snprintf(left, sizeof left, ", unknown left");
    }
    if (*progress->best_title) {
        char *title = berth_text_escape(progress->best_title, "");
        snprintf(best, sizeof best, "; best %.2f %s (%.80s)", progress->best, progress->unit,
                 title ? title : "");
        free(title);
    }
    char line[2048];
    char pairs[48] = "";
    if (progress->pairs_per_atom > 0) {
        snprintf(pairs, sizeof pairs, ", %.3g interactions/s",
                 atoms * progress->pairs_per_atom / seconds);
    }
    snprintf(line, sizeof line, "berth: %s, %.3g ligands/s%s%s%s%s", count, rate, pairs, left, best,
             shares);
    if (progress->terminal) {
        fit_terminal(progress->file, line);
    }
    fprintf(progress->file, progress->terminal ? "\r\033[K%s" : "%s\n", line);
}

void cli_progress_show(struct cli_progress *progress, struct berth_window *window, bool last)
{
    const double now = berth_now();
    if (now < progress->next && !last) {
        return;
    }
    progress->next = now + (progress->terminal ? UPDATE_INTERVAL : LINE_INTERVAL);
    char shares[1024];
    pthread_mutex_lock(&window->lock);
    print_shares(window, shares, sizeof shares);
    const double atoms = window->atoms;
    pthread_mutex_unlock(&window->lock);
    const double seconds = now > progress->start ? now - progress->start : 1e-9;
    print_line(progress, seconds, atoms, shares);
    if (last && progress->terminal) {
        fprintf(progress->file, "\n");
    }
    fflush(progress->file);
}

void cli_progress_hide(const struct cli_progress *progress)
{
    if (progress->terminal) {
        fprintf(progress->file, "\r\033[K");
    }
}
