/* SPDX-License-Identifier: MIT */
/* The point of a run at which a page looks at its element. */
#pragma once

#include "core/help/hl-help-page.h"
#include "ui/paint/base/hl-scene.h"

/* Moves the page's part to the instant: pressures of its lines, states, signals and motion as far as
 * the run knows them, else as the document states them; the rest stays. Works the page out. */
void hl_help_live_look (HlHelpPage *page, const HlDocument *document, const HlInstant *instant);
