/* SPDX-License-Identifier: MIT */
/* Paints a tool's marks over its canvas; labels stay within the area. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"
#include "ui/edit/tool/hl-tool.h"

#include <cairo.h>

/* A padlock and what it holds at each body with a locked length or angle. */
void hl_paint_locks (
    cairo_t *cr, const HlLinkagePlan *plan, const HlView *view, HlRect area, const HlStyle *style);
void hl_paint_tool_marks (cairo_t *cr,
                          const HlToolMark marks[],
                          int n,
                          const HlView *view,
                          HlRect area,
                          const HlStyle *style);
