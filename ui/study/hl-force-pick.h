/* SPDX-License-Identifier: MIT */
/* HlForcePick: two lists to choose from, of which cylinder of a drawing a force map is, and over
 * what its family goes. */
#pragma once

#include "core/document/hl-document.h"
#include "core/quasistatic/hl-force-family.h"
#include "ui/bench/hl-working-point.h"

#include <gtk/gtk.h>

typedef struct HlForcePick HlForcePick;

/* An entry of the list of families; member: of HL_FORCE_OVER_OTHER_SPEED. */
typedef struct {
  HlForceOver over;
  int member;
} HlForcePicked;

/* The lists are borrowed; they count as being filled until cylinders are filled in. */
HlForcePick *hl_force_pick_new (GtkDropDown *cylinder, GtkDropDown *over);
void hl_force_pick_free (HlForcePick *pick);

int hl_force_pick_component (const HlForcePick *pick); /* file order; -1: there is no cylinder */
HlForcePicked hl_force_pick_over (const HlForcePick *pick);
const char *hl_force_pick_over_label (const HlForcePick *pick); /* NULL: no family. Borrowed */
int hl_force_pick_n_overs (const HlForcePick *pick);
/* What the lists say then is not by a person. */
gboolean hl_force_pick_is_filling (const HlForcePick *pick);

/* The cylinders of a drawing; chosen is the selected one, else the one that was. */
void hl_force_pick_fill_cylinders (HlForcePick *pick, const HlDocument *document, const char *selected);
/* What the openings and members of a family (NULL: none) of that point allow; the same stays chosen. */
void hl_force_pick_fill_overs (HlForcePick *pick, const HlWorkingPoint *at, const HlForceFamily *family);
/* Chooses the cylinder with that id, when it is one. */
void hl_force_pick_select (HlForcePick *pick, const HlDocument *document, const char *id);
