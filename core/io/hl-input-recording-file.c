/* SPDX-License-Identifier: MIT */
#include "core/io/hl-input-recording-file.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"

#include <math.h>
#include <string.h>

#define FORMAT "hydrolink-tape"
#define VERSION 1
#define LONGEST_TICK 10.0 /* [s]: more is no hand */

static HlValue *move_value (const HlTapeMove *move) {
  const char *keys[] = {"t", move->is_number ? "number" : "lever", "value"};
  HlValue *members[] = {hl_value_new_number (move->t), hl_value_new_string (move->path),
                        hl_value_new_number (move->value)};

  return hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
}

char *hl_tape_text (const HlTape *tape) {
  static const char *const keys[] = {"format", "version", "tick", "end", "moves"};
  int n = hl_tape_n_moves (tape);
  g_autofree HlValue **moves = g_new (HlValue *, n + 1);
  GString *text = g_string_new (NULL);

  for (int k = 0; k < n; k++)
    moves[k] = move_value (hl_tape_move (tape, k));
  HlValue *members[] = {hl_value_new_string (FORMAT), hl_value_new_number (VERSION),
                        hl_value_new_number (hl_tape_tick (tape)), hl_value_new_number (hl_tape_end (tape)),
                        hl_value_new_array_take (moves, (gsize)n)};
  g_autoptr (HlValue) whole = hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
  hl_json_write (text, whole);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

static gboolean refuse_entry (GError **error, const char *name, const char *why) {
  g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s%s%s", name != NULL ? name : "", name != NULL ? ": " : "",
               why);
  return FALSE;
}

static gboolean read_move (HlTape *tape, gsize k, const HlValue *value, const char *name, GError **error) {
  const char *lever = hl_value_string (hl_value_member (value, "lever"));
  const char *number = hl_value_string (hl_value_member (value, "number"));
  double t = hl_value_number (hl_value_member (value, "t"));
  double to = hl_value_number (hl_value_member (value, "value"));
  const char *why = NULL;

  if ((lever == NULL) == (number == NULL))
    why = _ ("a movement has either a lever or a number; write either “lever” or “number”");
  else if (!isfinite (to))
    why = _ ("the value is missing; give “value” a number in SI units");
  else if (!(t >= 0.0 && t <= hl_tape_end (tape)))
    why = _ ("the time is missing or outside the recording; give “t” in seconds, from 0 to “end”");
  else {
    hl_tape_add (tape, t, lever != NULL ? lever : number, number != NULL, to);
    return TRUE;
  }
  /* counted from 1, as people count */
  g_autofree char *text = g_strdup_printf (_ ("movement %u of the input recording: %s"), (guint)k + 1, why);
  return refuse_entry (error, name, text);
}

HlTape *hl_tape_parse (const char *text, gsize length, const char *name, GError **error) {
  g_autoptr (HlValue) whole = hl_json_parse (text, length, name, error);

  if (whole == NULL)
    return NULL;
  const HlValue *moves = hl_value_member (whole, "moves");
  double tick = hl_value_number (hl_value_member (whole, "tick"));
  double end = hl_value_number (hl_value_member (whole, "end"));
  if (g_strcmp0 (hl_value_string (hl_value_member (whole, "format")), FORMAT) != 0) {
    refuse_entry (
        error, name,
        _ ("the file is not a recording of inputs; such a file starts with \"format\": \"hydrolink-tape\""));
    return NULL;
  }
  if (hl_value_number (hl_value_member (whole, "version")) > VERSION) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_VERSION, "%s: %s", name != NULL ? name : "tape",
        _ ("the recording was written by a newer version of this program; install the newer version"));
    return NULL;
  }
  if (!(tick > 0.0 && tick <= LONGEST_TICK) || !(end >= 0.0 && isfinite (end)) ||
      !hl_value_is_array (moves)) {
    refuse_entry (
        error, name,
        _ ("the recording lacks a “tick” (in seconds, above 0), an “end” or a list of “moves”; add the "
           "missing key"));
    return NULL;
  }
  g_autoptr (HlTape) tape = hl_tape_new (tick);
  hl_tape_set_end (tape, end);
  for (gsize k = 0; k < hl_value_length (moves); k++)
    if (!read_move (tape, k, hl_value_item (moves, k), name, error))
      return NULL;
  return g_steal_pointer (&tape);
}

HlTape *hl_tape_load (const char *path, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, error);

  return text != NULL ? hl_tape_parse (text, length, path, error) : NULL;
}
