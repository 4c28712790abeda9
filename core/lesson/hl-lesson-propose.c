/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-propose.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-plot-panel.h"
#include "core/document/hl-trace.h"
#include "core/lesson/hl-lesson-draft-private.h"
#include "core/lesson/hl-lesson-spectrum.h"

#include <math.h>
#include <string.h>

#define SKETCH "sketch: "
#define FRAME 0.25 /* of the range of a trace, above and below it */

/* What a word of the spectrum says of the first one; FALSE: nothing. */
static gboolean find_first (HlLessonBench *bench, const char *name, double *value) {
  HlLessonSpectrumWord word;

  return hl_lesson_spectrum_find (name, &word) && hl_lesson_spectrum_value (bench, &word, "1", value, NULL) &&
         isfinite (*value);
}

char *hl_lesson_propose_number (const HlDocument *document) {
  g_autoptr (HlLessonBench) bench = hl_lesson_bench_new (document);
  char room[G_ASCII_DTOSTR_BUF_SIZE];
  double value;

  if (find_first (bench, "pair.frequency", &value))
    return g_strdup_printf ("answer: pair.frequency(1)\nunit: Hz\nabout: %s Hz\ntolerance: 30 %%\n",
                            g_ascii_formatd (room, sizeof room, "%.3g", value));
  if (find_first (bench, "eig.re", &value))
    return g_strdup_printf ("answer: eig.re(1)\nunit: 1/s\nabout: %s/s\ntolerance: 30 %%\n",
                            g_ascii_formatd (room, sizeof room, "%.3g", value));
  return g_strdup ("answer: eig.count\ntolerance: 0.1\n");
}

char *hl_lesson_propose_choice (void) {
  return g_strdup_printf ("choice: %s\nif: pair.count > 0\nchoice: %s\nif: pair.count = 0\n", _ ("It swings"),
                          _ ("It does not swing"));
}

/* The first trace that a plot shows; NULL: none. Borrowed of the panels. */
static const char *first_trace (const GPtrArray *panels) {
  for (guint k = 0; k < panels->len; k++) {
    const HlPlotPanel *panel = panels->pdata[k];
    if (panel->traces[0] != NULL)
      return panel->traces[0];
  }
  return NULL;
}

char *hl_lesson_propose_curve (const HlDocument *document, HlResults *results) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  const char *trace = first_trace (panels);
  double low, high;

  if (trace == NULL || results == NULL || hl_results_n_rows (results) == 0)
    return NULL;
  HlTraceInfo info = hl_trace_info (document, trace);
  int column = hl_results_find_column (results, trace); /* a probe by its id, else a path */
  if (column < 0)
    return NULL;
  hl_results_range (results, column, 0, hl_results_n_rows (results), &low, &high);
  double before = info.relative ? hl_results_get (results, column, 0) : 0;
  double room = high > low ? FRAME * (high - low) : fmax (fabs (high), 1);
  if (!isfinite (low) || !isfinite (high))
    return NULL;
  g_autofree char *from = hl_draft_value_text (document, NULL, info.quantity, low - before - room);
  g_autofree char *to = hl_draft_value_text (document, NULL, info.quantity, high - before + room);
  return g_strdup_printf (SKETCH "%s\nfrom: %s\nto: %s\ntolerance: 20 %%\nrun:\n", trace, from, to);
}

char *hl_lesson_propose_words (const HlDocument *document, const char *ask) {
  static const struct {
    const char *begin, *words;
  } known[] = {
      {"answer: pair.frequency(1)", N_ ("How often a second does it swing?")},
      {"answer: eig.re(1)", N_ ("How fast does the slowest motion die out? Asked is its eigenvalue, "
                                "which is below zero when it does.")},
      {"answer: eig.count", N_ ("How many eigenvalues has the linear model?")},
      {"choice: ", N_ ("Does it swing when it is pushed a little?")},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    if (g_str_has_prefix (ask, known[k].begin))
      return g_strdup (_ (known[k].words));
  if (!g_str_has_prefix (ask, SKETCH))
    return g_strdup ("");
  const char *name = ask + strlen (SKETCH);
  g_autofree char *trace = g_strndup (name, strcspn (name, "\n"));
  return g_strdup_printf (_ ("What will %s do? Draw it, from the start of the run to its end."),
                          hl_trace_info (document, trace).label);
}
