/* SPDX-License-Identifier: MIT */
#include "core/help/hl-help-element-laws.h"

#include <math.h>
#include <string.h>

const HlElementHelp *hl_element_help (const HlKind *kind) {
  static const HlElementHelp *const tables[] = {hl_load_helps, hl_joint_helps, hl_body_helps, hl_signal_helps,
                                                hl_block_helps};

  for (gsize t = 0; t < G_N_ELEMENTS (tables); t++)
    for (const HlElementHelp *help = tables[t]; help->words.n_formulas > 0; help++)
      if (help->section == kind->section && g_strcmp0 (help->kind, kind->name) == 0)
        return help;
  return NULL;
}

double hl_sight_read (const HlHelpSight *sight, const char *id, const char *name) {
  double value = sight->read != NULL ? sight->read (sight->data, id, name) : NAN;

  if (isfinite (value))
    return value;
  g_autofree char *path = g_strconcat (id, ".", name, NULL);
  return hl_document_get_number (sight->document, path, &value, NULL, NULL) ? value : NAN;
}

double hl_sight_own (const HlHelpSight *sight, const char *name, double otherwise) {
  double value = sight->id != NULL && sight->read != NULL ? sight->read (sight->data, sight->id, name) : NAN;

  return isfinite (value) ? value : otherwise;
}

HlFrame hl_help_frame (double x, double y, double psi) {
  return (HlFrame){.r = {x, y}, .psi = psi, .c = cos (psi), .s = sin (psi)};
}

void hl_sight_end (const HlHelpSight *sight, const char *field, HlFrame *frame, double u[2]) {
  const char *text = hl_value_string (hl_value_member (sight->element, field));
  int body = -1;

  *frame = hl_help_frame (0.0, 0.0, 0.0);
  u[0] = u[1] = 0.0;
  if (text == NULL || (!hl_document_resolve_point (sight->document, text, &body, u, NULL) &&
                       !hl_document_resolve_body (sight->document, text, &body, NULL)))
    return;
  if (body < 0)
    return;
  const char *id = hl_document_element_id (sight->document, HL_SECTION_BODIES, body);
  *frame = hl_help_frame (hl_sight_read (sight, id, "x"), hl_sight_read (sight, id, "y"),
                          hl_sight_read (sight, id, "angle"));
  frame->v[0] = hl_sight_read (sight, id, "vx");
  frame->v[1] = hl_sight_read (sight, id, "vy");
  frame->w = hl_sight_read (sight, id, "omega");
}
