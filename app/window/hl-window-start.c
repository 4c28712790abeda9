/* SPDX-License-Identifier: MIT */
/* Where a run starts, beside the linkage: that the start is not as drawn, with a click that holds
 * the drawing, or what pressure carries it there. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-i18n.h"
#include "core/run/hl-start-hold.h"
#include "ui/bench/hl-editing.h"

#include <math.h>
#include <string.h>

static char *
in_unit (HlWindow *self, HlQuantity quantity, double value)
{
  return hl_unit_format_full (hl_workbench_units (self->workbench)[quantity], value, 4);
}

char *
hl_window_carried_text (HlWindow *self)
{
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  double pressure =
      at != NULL && at->point != NULL ? hl_start_carrying_pressure (at->system, at->point) : NAN;

  if (!isfinite (pressure))
    return NULL;
  g_autofree char *text = in_unit (self, HL_QUANTITY_PRESSURE, pressure);
  return g_strdup_printf (_ ("held as drawn: %s carry it"), text);
}

static char *
moved_text (HlWindow *self, const HlSystem *sys, const HlStartShift *shift)
{
  HlQuantity quantity = shift->coordinate == 2 ? HL_QUANTITY_ANGLE : HL_QUANTITY_LENGTH;
  const char *id = hl_system_entity_id (sys, HL_ENTITY_BODY, shift->body);
  g_autofree char *start = in_unit (self, quantity, shift->start);
  g_autofree char *drawn = in_unit (self, quantity, shift->drawn);

  if (shift->coordinate == 2)
    return g_strdup_printf (_ ("A run starts with %s at %s, not at %s as drawn"), id, start, drawn);
  return g_strdup_printf (_ ("A run starts with %s at %s = %s, not at %s as drawn"), id,
                          shift->coordinate == 0 ? "x" : "y", start, drawn);
}

void
hl_window_show_start (HlWindow *self)
{
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  HlStartShift shift;
  gboolean is_moved =
      at != NULL && at->point != NULL && hl_start_shift (at->system, at->point, &shift);

  if (is_moved) {
    g_autofree char *text = moved_text (self, at->system, &shift);
    if (strcmp (gtk_label_get_text (self->moved_label), text) != 0)
      gtk_label_set_text (self->moved_label, text);
    gtk_widget_set_visible (self->hold_button, shift.has_cylinder);
  }
  gtk_widget_set_visible (self->moved_box, is_moved);
}

void
hl_window_hold_start (HlWindow *self)
{
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlDocument *held = hl_start_hold_drawn (hl_editing_document (editing));

  if (held == NULL)
    hl_window_show_banner (
        self,
        _ ("No trapped oil can carry the linkage as it is drawn: close the valve that feeds the "
           "cylinder, or start the run as given"),
        TRUE);
  else
    hl_editing_commit (editing, held, _ ("Hold as drawn"), NULL);
}
