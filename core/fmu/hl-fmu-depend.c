/* SPDX-License-Identifier: MIT */
/* A position changes by its velocity alone. Other rates depend on the states that the pattern of J
 * names, and on every input and parameter; on time where a signal acts that knows the time. An output of the
 * motion, or of the forces of cylinders, depends on no input: an importer that closes a loop over it finds
 * no algebraic one. */
#include "core/fmu/hl-fmu-depend.h"

#include <string.h>

#include "core/system/hl-observable-eval.h"
#include "core/system/hl-pattern.h"
#include "core/system/hl-system-private.h"

struct _HlFmuDepend
{
  const HlSystem *sys;
  const HlWork *work;
  const HlFmuTable *table;
  HlPattern *pattern;
  gboolean stays; /* the pattern is that of every partition */
  GArray *list;   /* guint32 */
};

/* Whether the states of one island stand side by side whatever coordinates are taken: else a change of the
 * partition would move them to other places of the vector. */
static gboolean
islands_are_sorted (const HlSystem *sys)
{
  int last = -1;

  for (int body = 0; body < sys->mech.n_bodies; body++) {
    int island = sys->mech.island_of_body[body];
    if (island < last)
      return FALSE;
    last = island;
  }
  return TRUE;
}

HlFmuDepend *
hl_fmu_depend_new (const HlSystem *sys, const HlWork *work, const HlFmuTable *table)
{
  HlFmuDepend *depend = g_new0 (HlFmuDepend, 1);

  depend->sys = sys;
  depend->work = work;
  depend->table = table;
  depend->pattern = hl_pattern_new (sys, work);
  depend->stays = islands_are_sorted (sys);
  depend->list = g_array_new (FALSE, FALSE, sizeof (guint32));
  return depend;
}

void
hl_fmu_depend_free (HlFmuDepend *depend)
{
  if (depend == NULL)
    return;
  hl_pattern_free (depend->pattern);
  g_array_unref (depend->list);
  g_free (depend);
}

static gboolean
knows_time (const HlSystem *sys)
{
  for (int k = 0; k < sys->n_signals; k++)
    if (sys->signals[k].kind != HL_SIGNAL_CONSTANT)
      return TRUE;
  return FALSE;
}

static void
add (HlFmuDepend *depend, guint32 reference)
{
  g_array_append_val (depend->list, reference);
}

/* States are variables 1, 2, ... of the table. */
static void
add_state (HlFmuDepend *depend, int state)
{
  add (depend, depend->table->items[1 + state].reference);
}

static gboolean
is_in_pattern (const HlPattern *pattern, int row, int column)
{
  for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
    if (pattern->row_index[k] == row)
      return TRUE;
  return FALSE;
}

static void
add_time (HlFmuDepend *depend)
{
  if (knows_time (depend->sys))
    add (depend, depend->table->items[0].reference);
}

static void
add_all_of (HlFmuDepend *depend, HlFmuRole role)
{
  for (gsize k = 0; k < depend->table->n; k++)
    if (depend->table->items[k].role == role)
      add (depend, depend->table->items[k].reference);
}

static void
add_row (HlFmuDepend *depend, int row)
{
  add_time (depend);
  for (int column = 0; column < depend->pattern->n; column++)
    if (is_in_pattern (depend->pattern, row, column))
      add_state (depend, column);
  add_all_of (depend, HL_FMU_INPUT);
  add_all_of (depend, HL_FMU_PARAMETER);
}

/* What an output sees of the states; FALSE: perhaps inputs, too. */
static gboolean
add_sight (HlFmuDepend *depend, const HlFmuVariable *output)
{
  const HlWork *work = depend->work;
  HlObservable of;
  HlSight sight = HL_SEES_ALL;

  if (hl_fmu_form (depend->sys) == NULL && hl_observable_find (depend->sys, output->path, &of))
    sight = hl_observable_sight (depend->sys, of);
  if (sight == HL_SEES_ALL)
    return FALSE;
  add_time (depend);
  for (int state = 0; state < (int)depend->table->n_states; state++) {
    gboolean is_velocity = state >= hl_off_v (work) && state < hl_off_ad (work);
    if (state < hl_off_p (work) && is_velocity ? sight >= HL_SEES_MOTION
                                               : state < hl_off_p (work) || sight >= HL_SEES_STATES)
      add_state (depend, state);
  }
  add_all_of (depend, HL_FMU_PARAMETER);
  return TRUE;
}

/* The diameters of the same cylinder. */
static void
add_diameters (HlFmuDepend *depend, const HlFmuVariable *area)
{
  gsize length = (gsize)(strrchr (area->path, '.') - area->path) + 1;

  for (gsize k = 0; k < depend->table->n; k++) {
    const HlFmuVariable *v = &depend->table->items[k];
    if (v->role == HL_FMU_PARAMETER && strncmp (v->path, area->path, length) == 0 &&
        g_str_has_suffix (v->path, "_diameter"))
      add (depend, v->reference);
  }
}

/* The state that an output shows, -1: none. */
static int
shown_state (const HlFmuDepend *depend, const HlFmuVariable *output)
{
  for (gsize state = 0; state < depend->table->n_states; state++)
    if (g_strcmp0 (depend->table->items[1 + state].path, output->path) == 0)
      return (int)state;
  return -1;
}

const guint32 *
hl_fmu_depend_of (HlFmuDepend *depend,
                  const HlFmuVariable *unknown,
                  gsize *n,
                  gboolean *is_constant)
{
  static const guint32 none;
  int f = hl_off_v (depend->work), index = (int)unknown->index;

  g_array_set_size (depend->list, 0);
  *is_constant = FALSE;
  if (unknown->role == HL_FMU_DERIVATIVE && index < f) {
    add_state (depend, f + index);
    *is_constant = TRUE;
  } else if (unknown->role == HL_FMU_DERIVATIVE && depend->stays)
    add_row (depend, index);
  else if (unknown->role == HL_FMU_CALCULATED)
    add_diameters (depend, unknown);
  else if (unknown->role == HL_FMU_OUTPUT && shown_state (depend, unknown) >= 0)
    add_state (depend, shown_state (depend, unknown));
  else if (unknown->role != HL_FMU_OUTPUT || !add_sight (depend, unknown))
    return NULL;
  *n = depend->list->len;
  return *n > 0 ? (const guint32 *)(void *)depend->list->data : &none;
}
