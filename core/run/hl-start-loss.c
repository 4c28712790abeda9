/* SPDX-License-Identifier: MIT */
#include "core/run/hl-start-loss.h"

#include <glib.h>

#include "core/base/hl-i18n.h"
#include "core/system/hl-system-private.h"

char *hl_start_loss_text (const HlSystem *sys, const HlStartLoss *loss) {
  if (loss->component < 0 || !(loss->energy > HL_START_LOSS_PART * loss->before))
    return NULL;
  const char *id = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, loss->component);
  return g_strdup_printf (loss->is_stop ? _ ("the start: %.4g of %.4g J lost, because the bodies "
                                             "move at t = 0 and ‘%s’ is at its "
                                             "stop; start them at rest, or off the stop")
                                        : _ ("the start: %.4g of %.4g J lost, because the bodies "
                                             "move at t = 0 and the oil at ‘%s’ "
                                             "stands still: both come to one speed at once; start "
                                             "them at rest, or use the lumped "
                                             "oil model"),
                          loss->energy, loss->before, id);
}
