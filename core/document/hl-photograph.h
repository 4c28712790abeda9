/* SPDX-License-Identifier: MIT */
/* The photograph behind the linkage: "photograph" of a model file (data/docs/photograph.md). The
 * mathematics never reads it. */
#pragma once

#include "core/document/hl-document.h"

typedef struct {
  char *file;     /* as written: relative to the model's folder, or absolute */
  double scale;   /* metres a pixel, > 0 */
  double at[2];   /* lower left corner, world [m] */
  double opacity; /* 0 to 1 */
  gboolean hidden;
} HlPhotograph;

/* What the document says, defaults for the rest; NULL when there is none or it names no file. Owned
 * by the caller. */
HlPhotograph *hl_photograph_of_document (const HlDocument *document);
HlPhotograph *hl_photograph_new (const char *file); /* 1 mm a pixel, at the origin, half covering */
void hl_photograph_free (HlPhotograph *photograph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPhotograph, hl_photograph_free)

/* Copy of the document with it; NULL takes it away. Unknown members are kept. */
HlDocument *hl_photograph_put (const HlDocument *document, const HlPhotograph *photograph);

/* Makes the points a and b (world, as it lies now) `distance` metres apart; a stays where it is.
 * FALSE and HL_ERROR_USAGE when they are one point or the distance is not positive. */
gboolean hl_photograph_set_distance (HlPhotograph *photograph, const double a[2], const double b[2],
                                     double distance, GError **error);
