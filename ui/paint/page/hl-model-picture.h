/* SPDX-License-Identifier: MIT */
/* A small picture of a model: its linkage and its circuit beside or above each other, without texts, in the
 * poses of the file. For the gallery and for file managers. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

#include <cairo.h>

typedef struct _HlModelPicture HlModelPicture;

/* Holds the document; the scenes are made at the first painting. */
HlModelPicture *hl_model_picture_new (const HlDocument *document);
void hl_model_picture_free (HlModelPicture *self); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlModelPicture, hl_model_picture_free)

/* Paints the picture; a HlFigurePainter whose `picture` is a HlModelPicture. A model without elements gives a
 * sheet of dots. */
void hl_model_picture_paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer picture);
