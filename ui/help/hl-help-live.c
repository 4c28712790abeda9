/* SPDX-License-Identifier: MIT */
#include "ui/help/hl-help-live.h"

#include "core/hydro/hl-cylinder-terms.h"

#include <math.h>

/* Keeps what stands there when nothing is known. */
static void take (double *place, double value) {
  if (isfinite (value))
    *place = value;
}

/* The line at a port; NULL: it is on none. */
static const char *line_at (const HlHelpPage *page, const HlDocument *document, int port) {
  g_autofree char *path = g_strconcat (page->id, ".", page->kind->ports[port], NULL);
  int line = hl_document_line_of_port (document, path);

  return line >= 0 ? hl_value_string (
                         hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "id"))
                   : NULL;
}

static void take_pressures (HlHelpPage *page, const HlDocument *document, const HlInstant *instant) {
  for (int port = 0; port < page->kind->n_ports; port++) {
    const char *id = line_at (page, document, port);
    if (id != NULL)
      take (&page->part->p[port], hl_instant_value_of (instant, document, id, "pressure"));
  }
  for (int port = 0; port < page->kind->n_ports; port++)
    if (line_at (page, document, port) == NULL)
      hl_help_part_leave_open (page->part, port);
}

static double read_cb (void *data, const char *id, const char *name) {
  return hl_instant_recorded (data, id, name);
}

void hl_help_live_look (HlHelpPage *page, const HlDocument *document, const HlInstant *instant) {
  HlHelpPart *part = page->part;
  int signal = 0;

  if (part == NULL || page->id == NULL)
    return;
  if (part->element != NULL) {
    hl_help_page_look (page, read_cb, (void *)instant, instant->t);
    return;
  }
  take_pressures (page, document, instant);
  for (int state = 0; state < part->c.n_states; state++) {
    char room[HL_STATE_NAME_ROOM];
    take (&part->state[state],
          hl_instant_value_of (instant, document, page->id, hl_component_state_name (&part->c, state, room)));
  }
  for (int k = 0; k < page->kind->n_fields; k++)
    if (page->kind->fields[k].type == HL_FIELD_SIGNAL && signal < HL_MOST_COMMANDS)
      take (&part->signal[signal++],
            hl_instant_value_of (instant, document, page->id, page->kind->fields[k].name));
  take (&part->length,
        hl_instant_recorded (instant, page->id, hl_cylinder_terms (part->c.klass->is_rotary)->place_output));
  take (&part->speed, hl_instant_recorded (instant, page->id, "speed"));
  hl_help_page_work_out (page);
}
