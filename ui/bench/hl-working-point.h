/* SPDX-License-Identifier: MIT */
/* HlWorkingPoint: the state from which a run starts, and the linear model about it. Cheap enough to be
 * computed in every frame while a slider is dragged. The search begins at the stated values of the model in
 * every frame and never at the point of the frame before: oil that is trapped, and whatever else nothing
 * determines, would keep what an earlier edit left. */
#pragma once

#include "core/linear/hl-linearize.h"
#include "core/run/hl-run-doubts.h"

#include <glib.h>

typedef struct {
  HlSystem *system;
  HlPoint *point; /* NULL when no start state was found */
  HlEquilibriumInfo info;
  HlLinearization *linearization; /* NULL when it failed */
  double seconds;
  char *message;   /* why not, a sentence; NULL = all well */
  char *entity_id; /* element the message points at, or NULL */
} HlWorkingPoint;

/* Returns a new point, which depends on the system alone: the command line finds the same one. */
HlWorkingPoint *hl_working_point_new (HlSystem *system);
void hl_working_point_free (HlWorkingPoint *at);
/* The row of the component with that id; -1: it is not in the system, which is that of the drawing before
 * until an edit is computed. `at` may be NULL. */
int hl_working_point_component (const HlWorkingPoint *at, const char *id);
/* The lines whose oil would have to pull in the start state; owned, NULL when it has no answer. */
HlCavitations *hl_working_point_cavitations (const HlWorkingPoint *at);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlWorkingPoint, hl_working_point_free)
