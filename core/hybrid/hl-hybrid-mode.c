/* SPDX-License-Identifier: MIT */
/* Keys, active columns and the cache of modes. */
#include "core/hybrid/hl-hybrid-mode.h"

#include <assert.h>
#include <string.h>

/* ---- keys ---- */

bool
hl_hybrid_key_fits (const HlHybridTables *tables)
{
  return 2 * (tables->n_cylinders + tables->n_lines) + tables->n_edges <= 64 * HL_HYBRID_KEY_WORDS;
}

static int
stop_bit (const HlHybridNetwork *net, int cylinder, bool upper)
{
  assert (cylinder >= 0 && cylinder < net->tables.n_cylinders);
  return 2 * cylinder + (upper ? 1 : 0);
}

static int
line_bit (const HlHybridNetwork *net, int line, bool by_command)
{
  assert (line >= 0 && line < net->tables.n_lines);
  return 2 * net->tables.n_cylinders + (by_command ? net->tables.n_lines : 0) + line;
}

static bool
has_bit (const HlHybridKey *key, int bit)
{
  return (key->words[bit / 64] >> (bit % 64) & 1u) != 0;
}

static void
set_bit (HlHybridKey *key, int bit, bool value)
{
  uint64_t mask = (uint64_t)1 << (bit % 64);

  if (value)
    key->words[bit / 64] |= mask;
  else
    key->words[bit / 64] &= ~mask;
}

bool
hl_hybrid_key_has_stop (const HlHybridNetwork *net,
                        const HlHybridKey *key,
                        int cylinder,
                        bool upper)
{
  return has_bit (key, stop_bit (net, cylinder, upper));
}

void
hl_hybrid_key_set_stop (
    const HlHybridNetwork *net, HlHybridKey *key, int cylinder, bool upper, bool held)
{
  set_bit (key, stop_bit (net, cylinder, upper), held);
}

HlHybridLineState
hl_hybrid_key_get_line (const HlHybridNetwork *net, const HlHybridKey *key, int line)
{
  if (has_bit (key, line_bit (net, line, true)))
    return HL_HYBRID_LINE_SHUT;
  return has_bit (key, line_bit (net, line, false)) ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN;
}

void
hl_hybrid_key_set_line (const HlHybridNetwork *net,
                        HlHybridKey *key,
                        int line,
                        HlHybridLineState state)
{
  set_bit (key, line_bit (net, line, false), state == HL_HYBRID_LINE_CLOSED);
  set_bit (key, line_bit (net, line, true), state == HL_HYBRID_LINE_SHUT);
}

static int
edge_bit (const HlHybridNetwork *net, int edge)
{
  assert (edge >= 0 && edge < net->tables.n_edges);
  return 2 * (net->tables.n_cylinders + net->tables.n_lines) + edge;
}

bool
hl_hybrid_key_is_open (const HlHybridNetwork *net, const HlHybridKey *key, int edge)
{
  return !has_bit (key, edge_bit (net, edge));
}

void
hl_hybrid_key_set_open (const HlHybridNetwork *net, HlHybridKey *key, int edge, bool is_open)
{
  set_bit (key, edge_bit (net, edge), !is_open);
}

HlHybridKey
hl_hybrid_key_base (const HlHybridNetwork *net, const HlHybridKey *key)
{
  HlHybridKey base = {{0}};

  for (int line = 0; line < net->tables.n_lines; line++)
    set_bit (&base, line_bit (net, line, true), has_bit (key, line_bit (net, line, true)));
  for (int edge = 0; edge < net->tables.n_edges; edge++)
    set_bit (&base, edge_bit (net, edge), has_bit (key, edge_bit (net, edge)));
  return base;
}

static bool
key_is_equal (const HlHybridKey *a, const HlHybridKey *b)
{
  return memcmp (a->words, b->words, sizeof a->words) == 0;
}

bool
hl_hybrid_key_has_column (const HlHybridNetwork *net, const HlHybridKey *key, int column)
{
  int entity;

  switch (hl_hybrid_column_kind (net, column, &entity)) {
  case HL_HYBRID_NODE_PRESSURE:
    return !net->tables.node_is_fixed[entity];
  case HL_HYBRID_LINK_FORCE:
    return true;
  case HL_HYBRID_STOP_LOWER:
    return hl_hybrid_key_has_stop (net, key, entity, false);
  case HL_HYBRID_STOP_UPPER:
    return hl_hybrid_key_has_stop (net, key, entity, true);
  case HL_HYBRID_LINE_DROP:
    return hl_hybrid_key_get_line (net, key, entity) != HL_HYBRID_LINE_OPEN;
  }
  return false;
}

void
hl_hybrid_key_set_column (const HlHybridNetwork *net, HlHybridKey *key, int column, bool held)
{
  int entity;

  switch (hl_hybrid_column_kind (net, column, &entity)) {
  case HL_HYBRID_LINE_DROP:
    if (hl_hybrid_key_get_line (net, key, entity) != HL_HYBRID_LINE_SHUT)
      hl_hybrid_key_set_line (net, key, entity, held ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN);
    break;
  case HL_HYBRID_STOP_LOWER:
    hl_hybrid_key_set_stop (net, key, entity, false, held);
    break;
  case HL_HYBRID_STOP_UPPER:
    hl_hybrid_key_set_stop (net, key, entity, true, held);
    break;
  default:
    break;
  }
}

/* ---- modes ---- */

/* Groups of nodes that open edges join: -1 where one of them has a given pressure, or an edge to the
 * outside; else the first of its nodes. The smaller number spreads until nothing changes. */
static void
find_groups (const HlHybridNetwork *net, const HlHybridKey *key, int group[])
{
  const HlHybridTables *tables = &net->tables;
  bool changes = true;

  for (int node = 0; node < tables->n_nodes; node++)
    group[node] = tables->node_is_fixed[node] ? -1 : node;
  while (changes) {
    changes = false;
    for (int edge = 0; edge < tables->n_edges; edge++) {
      if (!hl_hybrid_key_is_open (net, key, edge))
        continue;
      int from = tables->edges[edge].from_node, to = tables->edges[edge].to_node;
      int of_from = from >= 0 ? group[from] : -1, of_to = to >= 0 ? group[to] : -1;
      int least = of_from < of_to ? of_from : of_to;
      if (from >= 0 && of_from > least) {
        group[from] = least;
        changes = true;
      }
      if (to >= 0 && of_to > least) {
        group[to] = least;
        changes = true;
      }
    }
  }
}

static void
fill (HlHybridMode *mode, const HlHybridNetwork *net, const HlHybridKey *key)
{
  mode->key = *key;
  if (mode->group != NULL)
    find_groups (net, key, mode->group);
  mode->n_active = 0;
  for (int column = 0; column < net->n_columns; column++)
    if (hl_hybrid_key_has_column (net, key, column) &&
        (mode->group == NULL || column >= net->tables.n_nodes || mode->group[column] == column))
      mode->columns[mode->n_active++] = column;
  mode->is_analyzed = false;
}

/* One without a rank. */
static HlHybridMode *
mode_new (const HlHybridNetwork *net, int index)
{
  HlArena own = hl_arena_beside (&net->arena);
  HlHybridMode *mode = hl_arena_take (&own, 1, sizeof *mode);

  mode->arena = own;
  mode->index = index;
  mode->columns = hl_arena_take (&mode->arena, net->n_columns, sizeof (int));
  if (net->tables.n_edges > 0)
    mode->group = hl_arena_take (&mode->arena, net->tables.n_nodes, sizeof (int));
  mode->had_arm = hl_arena_take (&mode->arena, net->tables.n_cylinders, sizeof (bool));
  return mode;
}

static void
mode_free (HlHybridMode *mode)
{
  HlArena arena = mode->arena;

  hl_hybrid_rank_free (mode->rank);
  hl_arena_clear (&arena);
}

int
hl_hybrid_mode_scratch_size (const HlHybridNetwork *net)
{
  return hl_hybrid_rank_scratch_size (net->n_states, net->n_columns);
}

void
hl_hybrid_mode_analyze (const HlHybridNetwork *net,
                        HlHybridMode *mode,
                        const double w[],
                        const bool has_arm[],
                        const double scale[],
                        double scratch[])
{
  hl_hybrid_rank_analyze (mode->rank, net->n_states, net->tables.n_lines, mode->n_active, w, scale,
                          scratch);
  mode->is_analyzed = true;
  memcpy (mode->had_arm, has_arm, (size_t)net->tables.n_cylinders * sizeof (bool));
}

bool
hl_hybrid_mode_is_known (const HlHybridNetwork *net, const HlHybridMode *mode, const bool has_arm[])
{
  return mode->is_analyzed &&
         memcmp (mode->had_arm, has_arm, (size_t)net->tables.n_cylinders * sizeof (bool)) == 0;
}

/* ---- cache ---- */

struct HlHybridModeCache
{
  HlArena arena; /* of itself and the list */
  int most;      /* modes; 0: any number */
  int n_modes, room;
  HlHybridMode **modes; /* n_modes, in order of first use, and with a `most` those to come; owned */
  long n_looks;
  HlHybridMode *const *used[HL_HYBRID_USERS];
  int n_users;
};

static void
append (HlHybridModeCache *cache, int n, HlHybridMode *mode)
{
  cache->modes = hl_arena_grow (&cache->arena, cache->modes, n, &cache->room, sizeof (mode));
  cache->modes[n] = mode;
}

HlHybridModeCache *
hl_hybrid_mode_cache_new (const HlHybridNetwork *net, int most)
{
  HlArena own = hl_arena_beside (&net->arena);
  HlHybridModeCache *cache = hl_arena_take (&own, 1, sizeof *cache);

  cache->arena = own;
  cache->most = most;
  for (int k = 0; k < most; k++) {
    append (cache, k, mode_new (net, k));
    cache->modes[k]->rank = hl_hybrid_rank_new (&net->arena, net->n_states, net->n_columns);
  }
  return cache;
}

void
hl_hybrid_mode_cache_free (HlHybridModeCache *cache)
{
  if (cache == NULL)
    return;
  HlArena arena = cache->arena;
  int n = cache->most > 0 ? cache->most : cache->n_modes;
  for (int k = 0; k < n; k++)
    mode_free (cache->modes[k]);
  hl_arena_clear (&arena);
}

void
hl_hybrid_mode_cache_use (HlHybridModeCache *cache, HlHybridMode *const *place)
{
  assert (cache->n_users < HL_HYBRID_USERS);
  cache->used[cache->n_users++] = place;
}

static bool
is_in_use (const HlHybridModeCache *cache, const HlHybridMode *mode)
{
  for (int k = 0; k < cache->n_users; k++)
    if (*cache->used[k] == mode)
      return true;
  return false;
}

/* Of those that nobody uses, the one that was not looked for the longest. */
static HlHybridMode *
spare (const HlHybridModeCache *cache)
{
  HlHybridMode *oldest = NULL;

  for (int k = 0; k < cache->most; k++) {
    HlHybridMode *mode = cache->modes[k];
    if (!is_in_use (cache, mode) && (oldest == NULL || mode->looked_for < oldest->looked_for))
      oldest = mode;
  }
  return oldest;
}

/* One for a key that is new. */
static HlHybridMode *
make (HlHybridModeCache *cache, const HlHybridNetwork *net, const HlHybridKey *key)
{
  bool is_full = cache->most > 0 && cache->n_modes == cache->most;
  HlHybridMode *mode;

  if (cache->most == 0)
    append (cache, cache->n_modes, mode_new (net, cache->n_modes));
  mode = is_full ? spare (cache) : cache->modes[cache->n_modes++];
  fill (mode, net, key);
  if (mode->rank == NULL)
    mode->rank = hl_hybrid_rank_new (&net->arena, net->n_states, mode->n_active);
  return mode;
}

HlHybridMode *
hl_hybrid_mode_cache_lookup (HlHybridModeCache *cache,
                             const HlHybridNetwork *net,
                             const HlHybridKey *key)
{
  HlHybridMode *mode = NULL;

  for (int k = 0; k < cache->n_modes && mode == NULL; k++)
    if (key_is_equal (&cache->modes[k]->key, key))
      mode = cache->modes[k];
  if (mode == NULL)
    mode = make (cache, net, key);
  mode->looked_for = ++cache->n_looks;
  return mode;
}
