#include "chem/matching.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The state of one search; each array [count], inside graph->scratch. */
struct search {
    struct berth_matching *graph;
    int level;
    int *parent; /* where an odd vertex was reached from; -1: not reached */
    int *base;   /* base of the blossom that the vertex was contracted into */
    int *queue;
    int *even;   /* 1: on an even level of the search tree, in the queue */
    int *marked; /* for one common-ancestor search, or the bases of one blossom */
    int head, tail;
};

enum berth_status berth_matching_create(int count, const int (*edges)[2], size_t edge_count,
                                        struct berth_matching *graph, struct berth_error *error)
{
    size_t n = (size_t)count;
    *graph = (struct berth_matching){.count = count,
                                     .start = berth_alloc(n + 1, sizeof(int)),
                                     .others = berth_alloc(2 * edge_count, sizeof(int)),
                                     .level = berth_alloc(n, sizeof(int)),
                                     .partner = berth_alloc(n, sizeof(int)),
                                     .scratch = berth_alloc(5 * n, sizeof(int))};
    if (!graph->start || !graph->others || !graph->level || !graph->partner || !graph->scratch) {
        berth_matching_clear(graph);
        return berth_out_of_memory(error, NULL);
    }
    for (int v = 0; v < count; v++) {
        graph->partner[v] = -1;
    }
    for (size_t i = 0; i < edge_count; i++) {
        graph->start[edges[i][0] + 1]++;
        graph->start[edges[i][1] + 1]++;
    }
    for (int v = 0; v < count; v++) {
        graph->start[v + 1] += graph->start[v];
    }
    int *filled = graph->scratch;
    for (size_t i = 0; i < edge_count; i++) {
        for (int end = 0; end < 2; end++) {
            int v = edges[i][end];
            graph->others[graph->start[v] + filled[v]++] = edges[i][1 - end];
        }
    }
    return BERTH_OK;
}

static int common_base(const struct search *search, int a, int b)
{
    const int *partner = search->graph->partner;
    memset(search->marked, 0, (size_t)search->graph->count * sizeof(int));
    for (;;) {
        a = search->base[a];
        search->marked[a] = 1;
        if (partner[a] < 0) {
            break; /* the root */
        }
        a = search->parent[partner[a]];
    }
    for (b = search->base[b]; !search->marked[b]; b = search->base[search->parent[partner[b]]]) {
    }
    return b;
}

/* Marks the blossom's bases from v up to base, and makes its odd vertices reachable from child. */
static void mark_path(const struct search *search, int v, int base, int child)
{
    const int *partner = search->graph->partner;
    while (search->base[v] != base) {
        search->marked[search->base[v]] = search->marked[search->base[partner[v]]] = 1;
        search->parent[v] = child;
        child = partner[v];
        v = search->parent[partner[v]];
    }
}

/* The edge a-b joins two even vertices: its odd cycle becomes one even vertex. */
static void contract(struct search *search, int a, int b)
{
    int count = search->graph->count, base = common_base(search, a, b);
    memset(search->marked, 0, (size_t)count * sizeof(int));
    mark_path(search, a, base, b);
    mark_path(search, b, base, a);
    for (int v = 0; v < count; v++) {
        if (search->marked[search->base[v]]) {
            search->base[v] = base;
            if (!search->even[v]) {
                search->even[v] = 1;
                search->queue[search->tail++] = v;
            }
        }
    }
}

/* Grows the tree from v; returns the unmatched vertex that it reached, or -1. */
static int grow(struct search *search, int root, int v)
{
    const struct berth_matching *graph = search->graph;
    const int *partner = graph->partner;
    for (int i = graph->start[v]; i < graph->start[v + 1]; i++) {
        int to = graph->others[i];
        if (graph->level[to] > search->level || search->base[v] == search->base[to] ||
            partner[v] == to) {
            continue;
        }
        if (to == root || (partner[to] >= 0 && search->parent[partner[to]] >= 0)) {
            contract(search, v, to);
        } else if (search->parent[to] < 0) {
            search->parent[to] = v;
            if (partner[to] < 0) {
                return to;
            }
            search->even[partner[to]] = 1;
            search->queue[search->tail++] = partner[to];
        }
    }
    return -1;
}

/* The even vertex of the highest level above root's loses its partner, which is returned as the end
 * of a path; -1 where there is none. */
static int spare(struct search *search, int root)
{
    const int *level = search->graph->level;
    int spared = root;
    for (int i = 0; i < search->tail; i++) {
        if (level[search->queue[i]] > level[spared]) {
            spared = search->queue[i];
        }
    }
    if (spared == root) {
        return -1;
    }
    int end = search->graph->partner[spared];
    search->graph->partner[spared] = -1;
    return end;
}

bool berth_matching_augment(struct berth_matching *graph, int root, int level)
{
    int count = graph->count, *scratch = graph->scratch;
    struct search search = {graph,
                            level,
                            scratch,
                            scratch + count,
                            scratch + 2 * count,
                            scratch + 3 * count,
                            scratch + 4 * count,
                            0,
                            0};
    for (int v = 0; v < count; v++) {
        search.parent[v] = -1;
        search.base[v] = v;
        search.even[v] = 0;
    }
    search.even[root] = 1;
    search.queue[search.tail++] = root;
    int end = -1;
    while (end < 0 && search.head < search.tail) {
        end = grow(&search, root, search.queue[search.head++]);
    }
    if (end < 0) {
        end = spare(&search, root);
    }
    for (int v = end, next; v >= 0; v = next) {
        int before = search.parent[v];
        next = graph->partner[before];
        graph->partner[v] = before;
        graph->partner[before] = v;
    }
    return end >= 0;
}

void berth_matching_clear(struct berth_matching *graph)
{
    free(graph->start);
    free(graph->others);
    free(graph->level);
    free(graph->partner);
    free(graph->scratch);
    memset(graph, 0, sizeof *graph);
}
