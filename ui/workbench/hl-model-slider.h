/* SPDX-License-Identifier: MIT */
/* HlModelSlider: a number of the model with a slider: the sliders of the file, before them a common one for
 * the friction of all cylinders. A slider may set several paths to the same value. */
#pragma once

#include "core/document/hl-document.h"

typedef struct {
  char *label;     /* "F_c" in the words of the schema, or "Friction ×" */
  char *detail;    /* the paths and what they mean: tooltip */
  char **paths;    /* NULL-terminated, at least one */
  double from, to; /* SI */
  gboolean log;
  HlQuantity quantity;
  int slider; /* entry of the file's sliders; -1 for a master */
} HlModelSlider;

/* Returns the sliders of a document that can be moved, in the order of display; the elements are freed with
 * the array. */
GPtrArray *hl_model_sliders_of_document (const HlDocument *document);

/* Returns the present value in SI; NAN when the path is gone. */
double hl_model_slider_value (const HlModelSlider *model_slider, const HlDocument *document);
/* Returns the place on the slider, 0 to 1, of a value and back. */
double hl_model_slider_fraction (const HlModelSlider *model_slider, double value);
double hl_model_slider_at (const HlModelSlider *model_slider, double fraction);
gboolean hl_model_slider_equal (const HlModelSlider *a, const HlModelSlider *b);
