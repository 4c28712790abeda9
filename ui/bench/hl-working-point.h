/* SPDX-License-Identifier: MIT */
/* HlWorkingPoint: the state a run starts from, and the linear model about it. Cheap enough to be
 * made anew in every frame while a slider is dragged; continues from the one before. */
#pragma once

#include "core/linear/hl-linearize.h"
#include "core/run/hl-cavitation.h"

#include <glib.h>

typedef struct
{
  HlSystem *system;
  HlPoint *point; /* NULL when no start state was found */
  HlEquilibriumInfo info;
  HlLinearization *linearization; /* NULL when it failed */
  double seconds;
  char *message;   /* why not, a sentence; NULL = all well */
  char *entity_id; /* element the message points at, or NULL */
} HlWorkingPoint;

/* `before` (or NULL): continue from there, when the system has the same shape. */
HlWorkingPoint *hl_working_point_new (HlSystem *system, const HlWorkingPoint *before);
void hl_working_point_free (HlWorkingPoint *at);
/* The row of the component with that id; -1: it is not in the system, which is that of the drawing before
 * until an edit is computed. `at` may be NULL. */
int hl_working_point_component (const HlWorkingPoint *at, const char *id);
/* The lines whose oil would have to pull in the start state; owned, NULL when it has no answer. */
HlCavitations *hl_working_point_cavitations (const HlWorkingPoint *at);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlWorkingPoint, hl_working_point_free)
