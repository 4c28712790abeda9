/* SPDX-License-Identifier: MIT */
/* Small pictures of tools. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

#include <cairo.h>

/* The tool `id` with its argument ("place" "throttle", "pair" "slot") in the middle of an area. */
void hl_paint_tool_icon (cairo_t *cr, const char *id, const char *argument, HlRect area,
                         const HlStyle *style);
