/* SPDX-License-Identifier: MIT */
/* Lines whose liquid would have to pull. Pressures are absolute: below that of vapour (at least 0)
 * oil tears, and no model of the oil here lets it, so that numbers from there on are not those of
 * the machine. Once a line: since when, and how far it went. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/system/hl-system.h"

/* A pressure this far below that of vapour may be rounding of a line that a tank keeps there.
 * [Pa] */
#define HL_CAVITATION_MARGIN 1.0

typedef struct
{
  int line;         /* file order */
  double since;     /* first time below [s]; NAN: of a single state */
  double lowest;    /* [Pa] */
  double lowest_at; /* [s] */
} HlCavitation;

typedef struct _HlCavitations HlCavitations;

/* What a run or a state has to report, empty. Not shared between threads. */
HlCavitations *hl_cavitations_new (const HlSystem *sys);
HlCavitations *hl_cavitations_copy (const HlCavitations *self);
void hl_cavitations_free (HlCavitations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCavitations, hl_cavitations_free)

/* Forgets everything: the run begins anew. */
void hl_cavitations_clear (HlCavitations *self);

int hl_cavitations_n (const HlCavitations *self); /* NULL: 0 */
/* In the order in which they began; borrowed. */
const HlCavitation *hl_cavitations_get (const HlCavitations *self, int index);

/* The pressure of a line at t, later than the one before it. Answers 1 when the line falls below
 * the limit, -1 when it rises above it again, else 0; *at (optional) is when: between the two
 * looks, for pressures are nearly straight over one step, or with `jumped` now. */
int hl_cavitations_look (HlCavitations *self,
                         const HlSystem *sys,
                         int line,
                         double t,
                         double pressure,
                         bool jumped,
                         double *at);
/* A single state of the lumped model, such as its equilibrium. */
void hl_cavitations_look_at_point (HlCavitations *self, const HlSystem *sys, const HlPoint *point);

/* "its pressure falls below 0 Pa at t = 0.012 s, down to -1.7 MPa ..."; owned by the caller. */
char *hl_cavitation_what (const HlSystem *sys, const HlCavitation *cavitation);
/* What would mend it; borrowed. */
const char *hl_cavitation_advice (const HlSystem *sys);
/* Both, with the line's name in front; owned by the caller. */
char *hl_cavitation_text (const HlSystem *sys, const HlCavitation *cavitation);
