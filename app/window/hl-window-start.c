/* SPDX-License-Identifier: MIT */
/* Where a run starts, beside the linkage: that the start is not as drawn, with a click that holds
 * the drawing, or what pressure carries it there. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-i18n.h"
#include "core/edit/hl-edit.h"
#include "core/run/hl-start-hold.h"
#include "ui/bench/hl-editing.h"

#include <math.h>
#include <string.h>

static char *in_unit (HlWindow *self, HlQuantity quantity, double value) {
  return hl_unit_format_full (hl_workbench_units (self->workbench)[quantity], value, 4);
}

/* What a run starts with elsewhere than drawn. */
static gboolean find_shift (HlWindow *self, const HlSystem **sys, HlStartShift *shift) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  if (at == NULL || at->point == NULL || !hl_start_shift (at->system, at->point, shift))
    return FALSE;
  *sys = at->system;
  return TRUE;
}

char *hl_window_carried_text (HlWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  double pressure =
      at != NULL && at->point != NULL ? hl_start_carrying_pressure (at->system, at->point) : NAN;
  const HlSystem *sys;
  HlStartShift shift;

  if (!isfinite (pressure))
    return NULL;
  g_autofree char *text = in_unit (self, HL_QUANTITY_PRESSURE, pressure);
  if (find_shift (self, &sys, &shift)) /* the rest is not as drawn, which is told beside it */
    return g_strdup_printf (_ ("held: %s carry it"), text);
  return g_strdup_printf (_ ("held as drawn: %s carry it"), text);
}

static char *moved_text (HlWindow *self, const HlSystem *sys, const HlStartShift *shift) {
  HlQuantity quantity = shift->coordinate == 2 ? HL_QUANTITY_ANGLE : HL_QUANTITY_LENGTH;
  const char *id = hl_system_entity_id (sys, HL_ENTITY_BODY, shift->body);
  g_autofree char *start = in_unit (self, quantity, shift->start);
  g_autofree char *drawn = in_unit (self, quantity, shift->drawn);

  if (shift->coordinate == 2)
    return g_strdup_printf (_ ("A run starts with %s at %s, not at %s as drawn"), id, start, drawn);
  return g_strdup_printf (_ ("A run starts with %s at %s = %s, not at %s as drawn"), id,
                          shift->coordinate == 0 ? "x" : "y", start, drawn);
}

/* It steps aside for a tool: what is aimed at may lie there. */
void hl_window_place_moved_box (HlWindow *self) {
  HlTool *tool = hl_tool_bridge_tool (hl_linkage_view_bridge (self->linkage_view));

  gtk_widget_set_visible (self->moved_box, self->is_start_moved && !hl_tool_is_busy (tool));

  int room = gtk_widget_get_width (GTK_WIDGET (self->linkage_view)), wide, least, high = 0;
  gtk_widget_measure (self->moved_box, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wide, NULL, NULL);
  if (self->is_start_moved && room > 0)
    gtk_widget_measure (self->moved_box, GTK_ORIENTATION_VERTICAL, CLAMP (room, least, wide), NULL, &high,
                        NULL, NULL);
  hl_canvas_set_foot (HL_CANVAS (self->linkage_view),
                      MIN (high, gtk_widget_get_height (GTK_WIDGET (self->linkage_view)) / 3));
}

void hl_window_show_start (HlWindow *self) {
  const HlSystem *sys;
  HlStartShift shift;

  self->is_start_moved = find_shift (self, &sys, &shift);
  if (self->is_start_moved) {
    g_autofree char *text = moved_text (self, sys, &shift);
    if (strcmp (gtk_label_get_text (self->moved_label), text) != 0)
      gtk_label_set_text (self->moved_label, text);
    gtk_widget_set_visible (self->hold_button, shift.may_be_carried);
    gtk_widget_set_visible (self->as_given_button, !shift.may_be_carried);
  }
  hl_window_place_moved_box (self);
}

void hl_window_hold_start (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlDocument *held = hl_start_hold_drawn (hl_editing_document (editing));

  if (held == NULL)
    hl_window_ask_banner (self,
                          _ ("No trapped oil can carry the linkage as it is drawn: close the valve "
                             "that feeds the cylinder, or start it as drawn, held by nothing"),
                          _ ("As drawn"), "win.start-as-given");
  else
    hl_editing_commit (editing, held, _ ("Hold as drawn"), NULL);
}

void hl_window_start_as_given (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlDocument *given = hl_edit_set (hl_editing_document (editing), "simulation", "start",
                                   hl_value_new_string ("as-given"), NULL);

  hl_window_hide_banner (self);
  if (given != NULL)
    hl_editing_commit (editing, given, _ ("Start as drawn"), NULL);
}
