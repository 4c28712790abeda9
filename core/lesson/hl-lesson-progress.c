/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-progress.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-json.h"
#include "core/lesson/hl-lesson-play-private.h"

#define FORMAT "hydrolink-lesson-progress"

static HlValue *record_value (const HlLessonStep *step, const HlLessonRecord *record) {
  const char *keys[] = {"title",  "entered", "done",     "predicted", "number", "choice",
                        "answer", "right",   "sketch_t", "sketch",    "hit"};
  HlValue *members[] = {
      hl_value_new_string (step->title),
      hl_value_new_boolean (record->is_entered),
      hl_value_new_boolean (record->is_done),
      hl_value_new_boolean (record->is_predicted),
      isfinite (record->number) ? hl_value_new_number (record->number) : hl_value_new_null (),
      hl_value_new_number (record->choice),
      isfinite (record->answer) ? hl_value_new_number (record->answer) : hl_value_new_null (),
      hl_value_new_number (record->right),
      hl_value_new_numbers ((const double *)(const void *)record->sketch_t->data, record->sketch_t->len),
      hl_value_new_numbers ((const double *)(const void *)record->sketch->data, record->sketch->len),
      hl_value_new_boolean (record->is_hit),
  };

  return hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
}

char *hl_lesson_progress_text (const HlLessonPlay *play) {
  const char *keys[] = {"format", "at", "steps", "model"};
  guint n_steps = play->records->len;
  g_autofree HlValue **steps = g_new (HlValue *, n_steps + 1);
  g_autofree char *model = hl_document_to_text (play->document);
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < n_steps; k++)
    steps[k] = record_value (hl_lesson_step (play->lesson, (int)k), play->records->pdata[k]);
  HlValue *members[] = {hl_value_new_string (FORMAT), hl_value_new_number (play->at),
                        hl_value_new_array_take (steps, n_steps), hl_value_new_string (model)};
  g_autoptr (HlValue) whole = hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
  hl_json_write (text, whole);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

/* --- and back --- */

static void read_numbers (const HlValue *list, GArray *out) {
  g_array_set_size (out, 0);
  for (gsize k = 0; k < hl_value_length (list); k++) {
    double number = hl_value_number (hl_value_item (list, k));
    g_array_append_val (out, number);
  }
}

static int read_index (const HlValue *value, int n) {
  double number = hl_value_number (value);

  return number >= 0 && number < n && number == floor (number) ? (int)number : -1;
}

static void read_record (const HlValue *value, const HlLessonStep *step, HlLessonRecord *record) {
  record->is_entered = hl_value_boolean (hl_value_member (value, "entered"));
  record->is_done = hl_value_boolean (hl_value_member (value, "done"));
  record->is_predicted = hl_value_boolean (hl_value_member (value, "predicted"));
  record->is_hit = hl_value_boolean (hl_value_member (value, "hit"));
  record->number = hl_value_number (hl_value_member (value, "number"));
  record->answer = hl_value_number (hl_value_member (value, "answer"));
  record->choice = read_index (hl_value_member (value, "choice"), (int)step->choices->len);
  record->right = read_index (hl_value_member (value, "right"), (int)step->choices->len);
  read_numbers (hl_value_member (value, "sketch_t"), record->sketch_t);
  read_numbers (hl_value_member (value, "sketch"), record->sketch);
  g_array_set_size (record->sketch, MIN (record->sketch->len, record->sketch_t->len));
  g_array_set_size (record->sketch_t, record->sketch->len);
}

/* The same steps by their titles; a translation has others, and is another lesson here. */
static gboolean is_of (const HlLessonPlay *play, const HlValue *steps) {
  gboolean same = hl_value_length (steps) == play->records->len;

  for (guint k = 0; same && k < play->records->len; k++)
    same = g_strcmp0 (hl_value_string (hl_value_member (hl_value_item (steps, k), "title")),
                      hl_lesson_step (play->lesson, (int)k)->title) == 0;
  return same;
}

static gboolean refuse (GError **error) {
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL,
                       _ ("the progress that was kept is of another lesson"));
  return FALSE;
}

/* Locks, hidden numbers and faults, as the setups up to the last step that was entered left them;
 * numbers that they set are in the model that was kept. */
static void replay (HlLessonPlay *play, HlDocument *document) {
  for (guint k = 0; k < play->records->len; k++) {
    HlLessonRecord *record = play->records->pdata[k];
    if (!record->is_entered)
      break;
    record->is_entered = FALSE;
    play->at = (int)k;
    hl_lesson_play_enter (play);
  }
  hl_document_unref (hl_lesson_play_take_document (play, document, NULL));
}

gboolean hl_lesson_progress_restore (HlLessonPlay *play, const char *text, GError **error) {
  g_autoptr (HlValue) whole = hl_json_parse (text, strlen (text), NULL, error);
  const HlValue *steps = hl_value_member (whole, "steps");
  const char *model = hl_value_string (hl_value_member (whole, "model"));
  int at = read_index (hl_value_member (whole, "at"), (int)play->records->len);

  if (whole == NULL)
    return FALSE;
  if (g_strcmp0 (hl_value_string (hl_value_member (whole, "format")), FORMAT) != 0 || at < 0 ||
      model == NULL || !is_of (play, steps))
    return refuse (error);
  g_autoptr (HlDocument) document = hl_document_parse (model, strlen (model), NULL, error);
  if (document == NULL)
    return FALSE;
  for (guint k = 0; k < play->records->len; k++)
    read_record (hl_value_item (steps, k), hl_lesson_step (play->lesson, (int)k), play->records->pdata[k]);
  replay (play, document);
  play->at = at;
  if (!hl_lesson_play_record (play, at)->is_entered)
    play->at = 0;
  hl_lesson_play_enter (play);
  return TRUE;
}
