/* SPDX-License-Identifier: MIT */
/* Any bytes as the tape of a drive. A tape that is accepted comes back from its own text with the same
 * moves; one that is refused says why. */
#include "core/io/hl-input-recording-file.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void compare_tapes (const HlTape *tape, const HlTape *again) {
  g_assert_true (hl_tape_tick (again) == hl_tape_tick (tape));
  g_assert_true (hl_tape_end (again) == hl_tape_end (tape));
  g_assert_cmpint (hl_tape_n_moves (again), ==, hl_tape_n_moves (tape));
  for (int k = 0; k < hl_tape_n_moves (tape); k++) {
    const HlTapeMove *a = hl_tape_move (tape, k), *b = hl_tape_move (again, k);
    g_assert_true (a->t == b->t && a->value == b->value && a->is_number == b->is_number);
    g_assert_cmpstr (a->path, ==, b->path);
  }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTape) tape = hl_tape_parse ((const char *)data, size, "fuzz", &error);

  g_assert_true ((tape == NULL) == (error != NULL));
  if (error != NULL) {
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    return 0;
  }
  g_autofree char *text = hl_tape_text (tape);
  g_autoptr (HlTape) again = hl_tape_parse (text, strlen (text), "written", &error);
  g_assert_no_error (error);
  compare_tapes (tape, again);
  return 0;
}
