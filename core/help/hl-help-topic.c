/* SPDX-License-Identifier: MIT */
#include "core/help/hl-help-topic.h"

#include "core/base/hl-i18n.h"

#include <glib.h>

#include <string.h>

gboolean hl_help_has_words (const char *text, const char *words) {
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_autofree char *sought = g_utf8_casefold (words, -1);
  g_auto (GStrv) each = g_strsplit_set (sought, " ", -1);
  gboolean all = TRUE;

  for (int k = 0; each[k] != NULL; k++)
    all = all && strstr (folded, each[k]) != NULL;
  return all;
}

/* clang-format off */
static const HlHelpTopic topics[] = {
  {"circuit", N_ ("The circuit"),
   {N_ ("The hydraulic circuit by the symbols of ISO 1219-1. A symbol comes from the palette, or by a double click on empty paper and its name; a drag from a port draws a line to another port, to a line or into the open."),
    N_ ("While a result is shown, lines have the colour of their pressure and arrows that of their flow, and spools stand where they are at the time cursor."),
    N_ ("F1 on a symbol that is selected opens its own page, with its numbers; over a tool of the palette that of its kind.")},
   "keys_draw", "theory/hydraulics.md"},
  {"linkage", N_ ("The linkage"),
   {N_ ("The linkage in metres, as it stands at the time cursor. Two clicks draw a link; what is typed meanwhile is its length or its angle. Ending on a point that is there makes a joint."),
    N_ ("A drag moves the linkage as its joints, strokes and stops let it; with Alt it changes the geometry instead. Degrees of freedom and redundant constraints stand above the drawing."),
    N_ ("With an eigenvalue chosen, both drawings move in its mode.")},
   "keys_draw", "theory/elements.md, theory/linearization.md"},
  {"plots", N_ ("The plots"),
   {N_ ("Traces of the run that is shown, in tabs and rows; the legend has their values at the time cursor. Any property's name or element that is dropped on a plot becomes a trace of it."),
    N_ ("The linear response is that of the linear model at the working point: the dashed trace beside the nonlinear run. Where they part, the motion is too large for the tangents that a help page shows on its curves."),
    N_ ("The wheel zooms the time, with Shift the values, with Ctrl both. A click sets the time cursor; two more cursors measure. Kept runs, other models of the oil and measured data stand beside the run, each in a colour of its own."),
    N_ ("Below the plots of a driven run stands its tape: a mark for every lever, slider and switch that was moved, which can be dragged, taken out and replayed.")},
   "keys_plots", "theory/observables.md, theory/integration.md"},
  {"locus", N_ ("The root locus"),
   {N_ ("Each branch is an eigenvalue of the linear model over the whole range of one slider; the cross is where it is now. The real part says how fast a motion dies out, the imaginary part how fast it swings; right of the axis it grows."),
    N_ ("Marks tell where a branch crosses the axis, at which value and frequency. Under the pointer one value of the slider is shown on all branches, and a click sets it; a pole that is dragged along its branch takes the slider with it."),
    N_ ("A click on an eigenvalue shows its mode in both drawings.")},
   "keys_plots", "theory/spectra.md, theory/linearization.md"},
  {"eigenvalues", N_ ("The table of eigenvalues"),
   {N_ ("The eigenvalues of the linear model at the working point, with frequency and damping. Zeros are named: trapped oil, a position that nothing holds. A row shows its mode; Ctrl+C copies all digits.")},
   "keys_run", "theory/spectra.md"},
  {"sliders", N_ ("The sliders"),
   {N_ ("A slider is one number of the model, or several that move together. While it is dragged, eigenvalues, locus and traces follow in the same frame; Ctrl+Z takes a whole drag back."),
    N_ ("The number beside it can be typed, with a unit or as a formula. Its menu sets the range; any row of the properties can become a slider.")},
   NULL, NULL},
  {"levers", N_ ("The levers"),
   {N_ ("While the machine is driven, one lever for every signal that can be commanded. What turns or delivers goes up to what the file asks for; the dots beside a lever set another range."),
    N_ ("Every move is kept with its time on the tape of the run.")},
   "keys_run", "theory/integration.md"},
  {"time", N_ ("The time bar"),
   {N_ ("The time cursor, through the run that is shown: drawings, legends, properties and help pages show what is there at that time.")},
   "keys_run", NULL},
  {"properties", N_ ("The properties"),
   {N_ ("Every number of what is selected, with its unit; with nothing selected those of the model, its simulation and its oil. A number is typed with any unit that fits, or as a formula of other numbers."),
    N_ ("F1 on a property opens the page of its element at that property. The menu beside a row makes a slider of it, plots it, or brings back its default.")},
   "keys_edit", NULL},
  {"outline", N_ ("The outline"),
   {N_ ("All elements as a list that the keyboard and screen readers reach: it adds, names, joins, moves and deletes what the drawings show.")},
   "keys_outline", NULL},
  {"problems", N_ ("The problems"),
   {N_ ("What keeps the model from being computed, or looks wrong: which element, why, and what would mend it. A click shows the element; where the mend is plain, a button does it.")},
   NULL, NULL},
  {"lesson", N_ ("The lesson"),
   {N_ ("A step is read, does something, or asks for a prediction. What would give the answer away is covered until it is answered; then the model is run and stands over what was predicted."),
    N_ ("The menu begins anew and saves a report of what was predicted and what came. Where you are is kept."),
    N_ ("Menu, Record a lesson, makes steps of what is changed and run.")},
   NULL, NULL},
};
/* clang-format on */

const HlHelpTopic *hl_help_topic (int k) {
  return k >= 0 && (gsize)k < G_N_ELEMENTS (topics) ? &topics[k] : NULL;
}

const HlHelpTopic *hl_help_topic_find (const char *key) {
  for (gsize k = 0; k < G_N_ELEMENTS (topics); k++)
    if (g_strcmp0 (topics[k].key, key) == 0)
      return &topics[k];
  return NULL;
}

int hl_help_topic_matches (const HlHelpTopic *topic, const char *words) {
  g_autoptr (GString) text = g_string_new (_ (topic->label));

  for (int k = 0; k < HL_TOPIC_MOST_LINES && topic->lines[k] != NULL; k++)
    g_string_append_printf (text, " %s", _ (topic->lines[k]));
  return hl_help_has_words (text->str, words);
}
