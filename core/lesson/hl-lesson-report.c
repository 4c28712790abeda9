/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-report.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-text-escape.h"
#include "core/base/hl-translation-macros.h"
#include "core/lesson/hl-lesson-markup.h"

#define WIDTH 480.0
#define HEIGHT 160.0
#define MOST_POINTS 240

static gboolean is_question (const HlLessonStep *step) {
  return step->task == HL_LESSON_NUMBER || step->task == HL_LESSON_CHOICE || step->task == HL_LESSON_CURVE;
}

void hl_lesson_count (const HlLessonSession *play, int *n_done, int *n_predicted, int *n_hits) {
  const HlLesson *lesson = hl_lesson_session_lesson (play);

  *n_done = *n_predicted = *n_hits = 0;
  for (guint k = 0; k < lesson->steps->len; k++) {
    const HlLessonStep *step = hl_lesson_step (lesson, (int)k);
    const HlLessonRecord *record = hl_lesson_session_record (play, (int)k);
    gboolean predicted =
        is_question (step) && (record->is_done || record->n_tries > 1) && record->n_tries > 0;
    *n_done += record->is_done;
    *n_predicted += predicted;
    *n_hits += predicted && record->was_hit;
  }
}

/* --- words of a step --- */

/* Returns the state of a step, "done", "open" ... */
static const char *state_of (const HlLessonStep *step, const HlLessonRecord *record) {
  if (!record->is_done)
    return record->is_entered ? _ ("not done") : _ ("not started");
  if (!is_question (step))
    return step->task == HL_LESSON_READ ? _ ("read") : _ ("done");
  return record->was_hit ? _ ("correct") : record->is_hit ? _ ("correct after another try") : _ ("incorrect");
}

static char *summary (const HlLessonSession *play) {
  int n_done, n_predicted, n_hits;

  hl_lesson_count (play, &n_done, &n_predicted, &n_hits);
  return g_strdup_printf (_ ("%d of %u steps done; %d of %d predictions correct at the first try"), n_done,
                          hl_lesson_session_lesson (play)->steps->len, n_hits, n_predicted);
}

/* Returns the name of the student and the date, with wide spaces between; a line to write on if the system does not provide the
 * user's name. */
static char *name_and_date (void) {
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d");
  const char *name = g_get_real_name ();
  gboolean is_known =
      name != NULL && *name != '\0' && strcmp (name, "Unknown") != 0 && g_utf8_validate (name, -1, NULL);

  return g_strdup_printf (_ ("Name: %s    Date: %s"), is_known ? name : "____________________", date);
}

char *hl_lesson_report_text (HlLessonSession *play) {
  const HlLesson *lesson = hl_lesson_session_lesson (play);
  g_autofree char *counts = summary (play);
  g_autofree char *person = name_and_date ();
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n%s\n%s\n", lesson->title, person, counts);
  for (guint k = 0; k < lesson->steps->len; k++) {
    const HlLessonStep *step = hl_lesson_step (lesson, (int)k);
    const HlLessonRecord *record = hl_lesson_session_record (play, (int)k);
    g_autofree char *predicted = hl_lesson_predicted_text (step, record);
    g_autofree char *came = hl_lesson_answer_text (step, record);
    g_string_append_printf (text, "\n%u. %s: %s\n", k + 1, step->title, state_of (step, record));
    if (predicted != NULL)
      g_string_append_printf (text, "   %s %s\n", _ ("Prediction:"), predicted);
    if (came != NULL)
      g_string_append_printf (text, "   %s %s\n", _ ("Model:"), came);
  }
  return g_string_free (text, FALSE);
}

/* --- HTML --- */

static void append_escaped (GString *html, const char *before, const char *text, const char *behind) {
  g_string_append (html, before);
  hl_xml_append (html, HL_XML_CONTENT, text);
  g_string_append (html, behind);
}

typedef struct {
  double t0, t1, low, high;
} Frame;

static void append_point (GString *html, const Frame *frame, double t, double value, gboolean first) {
  char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (x, sizeof x, "%.1f", WIDTH * (t - frame->t0) / (frame->t1 - frame->t0));
  g_ascii_formatd (y, sizeof y, "%.1f", HEIGHT * (frame->high - value) / (frame->high - frame->low));
  g_string_append_printf (html, "%s%s %s", first ? "M" : "L", x, y);
}

static void append_sketch (GString *html, const HlLessonRecord *record, const Frame *frame) {
  g_string_append (html, "<path class=\"sketch\" d=\"");
  for (guint k = 0; k < record->sketch->len; k++)
    append_point (html, frame, g_array_index (record->sketch_t, double, k),
                  g_array_index (record->sketch, double, k), k == 0);
  g_string_append (html, "\"/>");
}

/* Appends the picture of a sketch, dashed, over the computed curve; the sketch alone if the run is no longer
 * stored. */
static void append_picture (GString *html, const HlLessonSession *play, const HlLessonStep *step,
                            const HlLessonRecord *record) {
  const HlLessonAct *last = step->runs->len > 0 ? step->runs->pdata[step->runs->len - 1] : NULL;
  HlLessonRun *run = last != NULL && last->name != NULL ? hl_lesson_session_run (play, last->name) : NULL;
  HlResults *results = run != NULL ? hl_lesson_run_results (run) : NULL;
  int column = results != NULL ? hl_results_find_column (results, step->sketch) : -1;
  int n = column >= 0 ? hl_results_n_rows (results) : 0;
  Frame frame = {INFINITY, -INFINITY, INFINITY, -INFINITY};

  for (guint k = 0; k < record->sketch->len; k++) {
    frame.low = fmin (frame.low, g_array_index (record->sketch, double, k));
    frame.high = fmax (frame.high, g_array_index (record->sketch, double, k));
    frame.t0 = fmin (frame.t0, g_array_index (record->sketch_t, double, k));
    frame.t1 = fmax (frame.t1, g_array_index (record->sketch_t, double, k));
  }
  for (int row = 0; row < n; row++) {
    double value = hl_results_get (results, column, row);
    frame.low = fmin (frame.low, value);
    frame.high = fmax (frame.high, value);
    frame.t0 = fmin (frame.t0, hl_results_get (results, 0, row));
    frame.t1 = fmax (frame.t1, hl_results_get (results, 0, row));
  }
  if (!(frame.high > frame.low) || !(frame.t1 > frame.t0))
    return;
  g_string_append_printf (html, "<svg viewBox=\"0 0 %d %d\" width=\"%d\">", (int)WIDTH, (int)HEIGHT,
                          (int)WIDTH);
  g_string_append (html, n > 0 ? "<path class=\"came\" d=\"" : "");
  for (int row = 0, every = MAX (1, n / MOST_POINTS); row < n; row += every)
    append_point (html, &frame, hl_results_get (results, 0, row), hl_results_get (results, column, row),
                  row == 0);
  g_string_append (html, n > 0 ? "\"/>" : "");
  append_sketch (html, record, &frame);
  g_string_append (html, "</svg>\n");
}

static void append_step (GString *html, const HlLessonSession *play, int k) {
  const HlLessonStep *step = hl_lesson_step (hl_lesson_session_lesson (play), k);
  const HlLessonRecord *record = hl_lesson_session_record (play, k);
  g_autofree char *predicted = hl_lesson_predicted_text (step, record);
  g_autofree char *came = hl_lesson_answer_text (step, record);

  g_string_append_printf (html, "<h2>%d. ", k + 1);
  append_escaped (html, "", step->title, "</h2>\n");
  gboolean is_good = record->is_done && (record->is_hit || !is_question (step));
  append_escaped (html,
                  is_good                                 ? "<p class=\"good\">✓ "
                  : is_question (step) && record->is_done ? "<p>✗ "
                                                          : "<p>",
                  state_of (step, record), "</p>\n");
  if (predicted == NULL && came == NULL)
    return;
  g_string_append (html, "<table>\n");
  if (predicted != NULL) {
    append_escaped (html, "<tr><th>", _ ("Prediction:"), "</th>");
    append_escaped (html, "<td>", predicted, "</td></tr>\n");
  }
  if (came != NULL) {
    append_escaped (html, "<tr><th>", _ ("Model:"), "</th>");
    append_escaped (html, "<td>", came, "</td></tr>\n");
  }
  g_string_append (html, "</table>\n");
  if (step->task == HL_LESSON_CURVE)
    append_picture (html, play, step, record);
}

static const char style[] =
    "body { font: 16px/1.45 sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em;\n"
    "  color: #1c1c1c; background: #fff; }\n"
    "h2 { font-size: 1.1em; margin-bottom: 0; } p { margin: 0.2em 0; } .good { color: #1b6e3c; }\n"
    "th { text-align: left; vertical-align: top; padding-right: 1em; font-weight: normal;\n"
    "  color: #555; }\n"
    "path { fill: none; stroke: #1a5fb4; stroke-width: 1.5; }\n"
    ".sketch { stroke: #b5500f; stroke-dasharray: 6 4; } svg { border: 1px solid #ddd; }\n";

char *hl_lesson_report_html (HlLessonSession *play) {
  const HlLesson *lesson = hl_lesson_session_lesson (play);
  g_autofree char *counts = summary (play);
  g_autofree char *person = name_and_date ();
  GString *html = g_string_new ("<!DOCTYPE html>\n");

  append_escaped (html, "<html lang=\"", lesson->language, "\"><head><meta charset=\"utf-8\">");
  append_escaped (html, "<title>", lesson->title, "</title>\n<style>\n");
  g_string_append (html, style);
  append_escaped (html, "</style></head><body>\n<h1>", lesson->title, "</h1>\n");
  append_escaped (html, "<p>", person, "</p>\n");
  append_escaped (html, "<p>", counts, "</p>\n");
  for (guint k = 0; k < lesson->steps->len; k++)
    append_step (html, play, (int)k);
  g_string_append (html, "</body></html>\n");
  return g_string_free (html, FALSE);
}
