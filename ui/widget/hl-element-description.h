/* SPDX-License-Identifier: MIT */
/* A description of an element for tooltips and screen readers: its kind and name, and its values at the time
 * cursor. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "core/document/hl-document.h"

/* Returns "Cylinder cyl", or the id alone when its kind is not known. Owned by the caller. */
char *hl_element_name (const HlDocument *document, const char *id);
/* Returns the words for a number of a run, by its path: "Pose angle" for "link2.angle", "Pressure" for
 * "V1.pressure"; a number without words keeps its name. Owned by the caller. */
char *hl_element_number_words (const HlDocument *document, const char *path);
/* Returns the name, what is wrong with it, then one line a value that the shown run recorded of it: "s 1732
 * mm". Owned by the caller. */
char *hl_element_text (HlWorkbench *workbench, const char *id);
