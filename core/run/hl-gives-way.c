/* SPDX-License-Identifier: MIT */
#include "core/run/hl-gives-way.h"

#include <glib.h>

#include "core/base/hl-i18n.h"
#include "core/system/hl-system-private.h"

char *hl_gives_way_text (const HlSystem *sys, const HlGivesWay *of) {
  if (of->n == 0)
    return NULL;
  const char *id = hl_system_entity_id (sys, HL_ENTITY_LINE, of->line);
  if (of->n == 1)
    return g_strdup_printf (
        _ ("the oil of ‘%s’ gives way from t = %.4g s on, as in the lumped model: a valve that "
           "takes the pressure from its own pilot, or a pump that hears it, has no answer in oil "
           "that keeps its volume; "
           "when depends on rtol: compare two; throttle the pilot to do without"),
        id, of->t);
  return g_strdup_printf (
      _ ("the oil of ‘%s’ and of %d more lines gives way from t = %.4g s on, as in the lumped "
         "model: a valve that takes the pressure from its own pilot, or a pump that hears it, "
         "has no answer in oil that keeps its volume; when depends on rtol: compare two; throttle "
         "the pilot to do without"),
      id, of->n - 1, of->t);
}
