/* SPDX-License-Identifier: MIT */
/* HlKnob: a number of the model that can be turned: the sliders of the file, before them a master
 * for the friction of all cylinders. A knob may turn several paths to the same value. */
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
} HlKnob;

/* Knobs of a document that can be turned, in the order they are shown; elements are freed with the
 * array. */
GPtrArray *hl_knobs_of_document (const HlDocument *document);

/* Present value in SI; NAN when the path is gone. */
double hl_knob_value (const HlKnob *knob, const HlDocument *document);
/* Place on the knob, 0 to 1, of a value and back. */
double hl_knob_fraction (const HlKnob *knob, double value);
double hl_knob_at (const HlKnob *knob, double fraction);
gboolean hl_knob_equal (const HlKnob *a, const HlKnob *b);
