/* SPDX-License-Identifier: MIT */
/* A small picture of a model: linkage and circuit beside each other, without texts, by the painters
 * of the canvases. */
#pragma once

#include "core/document/hl-document.h"

#include <gtk/gtk.h>

/* Returns a thumbnail; the document may be empty: a blank sheet. It is referenced. */
GtkWidget *hl_thumbnail_new (const HlDocument *document, int width, int height);
