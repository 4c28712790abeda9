/* SPDX-License-Identifier: MIT */
/* The friction of a cylinder as a function of its speed, with the tangent at the present speed. Each handle
 * is one number of the law: dragged by the pointer, or chosen by Page Up and Page Down and moved by the arrow
 * keys; a drag is one undo step, and everything that follows sliders follows it. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/chart/hl-paint-friction-curve.h"

#include <gtk/gtk.h>

/* Returns the curve of an element, which must have `friction.model`. */
GtkWidget *hl_friction_curve_new (HlWorkbench *workbench, const char *id);
/* Returns the picture at the present size, and its frame; for tests. */
const HlFrictionPicture *hl_friction_curve_picture (GtkWidget *curve, HlRect *frame);
