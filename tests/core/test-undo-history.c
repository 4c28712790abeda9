/* SPDX-License-Identifier: MIT */
/* Undo and redo: names, one step a gesture, the clean mark, the limit; a random walk against a
 * plain list. */
#include "core/edit/hl-undo-history.h"
#include "tests/support/hl-test.h"

static HlDocument *numbered (int number) {
  return hl_document_new (hl_value_with_member (NULL, "n", hl_value_new_number (number)));
}

static int number_of (const HlHistory *history) {
  return (int)hl_value_number (hl_value_member (hl_document_root (hl_history_current (history)), "n"));
}

static void commit (HlHistory *history, int number, const char *key) {
  g_autoptr (HlDocument) document = numbered (number);
  g_autofree char *name = g_strdup_printf ("Set %d", number);

  hl_history_commit (history, document, name, key);
}

static HlHistory *fresh (void) {
  g_autoptr (HlDocument) document = numbered (0);
  return hl_history_new (document);
}

static void steps_have_names (void) {
  g_autoptr (HlHistory) history = fresh ();

  g_assert_null (hl_history_undo_name (history));
  g_assert_false (hl_history_undo (history));
  commit (history, 1, NULL);
  commit (history, 2, NULL);
  g_assert_cmpstr (hl_history_undo_name (history), ==, "Set 2");
  g_assert_null (hl_history_redo_name (history));
  g_assert_true (hl_history_undo (history));
  g_assert_cmpint (number_of (history), ==, 1);
  g_assert_cmpstr (hl_history_redo_name (history), ==, "Set 2");
  commit (history, 3, NULL);
  g_assert_false (hl_history_redo (history));
  g_assert_cmpint (hl_history_n_steps (history), ==, 3);
  g_assert_cmpstr (hl_history_step_name (history, 2), ==, "Set 3");
}

static void one_drag_is_one_step (void) {
  g_autoptr (HlHistory) history = fresh ();

  for (int i = 1; i <= 100; i++)
    commit (history, i, "cyl.friction.Fc");
  g_assert_cmpint (hl_history_n_steps (history), ==, 2);
  g_assert_cmpint (number_of (history), ==, 100);
  hl_history_seal (history);
  commit (history, 101, "cyl.friction.Fc");
  g_assert_cmpint (hl_history_n_steps (history), ==, 3);
  commit (history, 102, "cyl.friction.Fs");
  g_assert_cmpint (hl_history_n_steps (history), ==, 4);
  /* A gesture does not go on across an undo and a redo. */
  hl_history_undo (history);
  hl_history_redo (history);
  commit (history, 103, "cyl.friction.Fs");
  g_assert_cmpint (hl_history_n_steps (history), ==, 5);
}

static void an_edit_that_changes_nothing_is_no_step (void) {
  g_autoptr (HlHistory) history = fresh ();

  commit (history, 0, NULL);
  g_assert_cmpint (hl_history_n_steps (history), ==, 1);
}

static void saving_marks_clean (void) {
  g_autoptr (HlHistory) history = fresh ();

  g_assert_true (hl_history_is_clean (history));
  commit (history, 1, "k");
  g_assert_false (hl_history_is_clean (history));
  hl_history_mark_clean (history);
  g_assert_true (hl_history_is_clean (history));
  /* Saving in the middle of a gesture: what follows is another step, or the saved state could not
   * be reached again. */
  commit (history, 2, "k");
  g_assert_cmpint (hl_history_n_steps (history), ==, 3);
  hl_history_undo (history);
  g_assert_true (hl_history_is_clean (history));
  hl_history_undo (history);
  g_assert_false (hl_history_is_clean (history));
}

static void random_walk_against_a_list (void) {
  g_autoptr (HlHistory) history = fresh ();
  int list[2001] = {0};
  int n = 1;
  int position = 0;

  for (int i = 1; i <= 2000; i++) {
    int what = g_test_rand_int_range (0, 4);
    if (what < 2) {
      commit (history, i, NULL);
      list[++position] = i;
      n = position + 1;
    } else if (what == 2) {
      g_assert_cmpint (hl_history_undo (history), ==, position > 0);
      position = MAX (position - 1, 0);
    } else {
      g_assert_cmpint (hl_history_redo (history), ==, position + 1 < n);
      position = MIN (position + 1, n - 1);
    }
    g_assert_cmpint (number_of (history), ==, list[position]);
    g_assert_cmpint (hl_history_position (history), ==, position);
    g_assert_cmpint (hl_history_n_steps (history), ==, n);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/undo-history/steps-have-names", steps_have_names);
  g_test_add_func ("/undo-history/one-drag-is-one-step", one_drag_is_one_step);
  g_test_add_func ("/undo-history/an-edit-that-changes-nothing-is-no-step",
                   an_edit_that_changes_nothing_is_no_step);
  g_test_add_func ("/undo-history/saving-marks-clean", saving_marks_clean);
  g_test_add_func ("/undo-history/random-walk-against-a-list", random_walk_against_a_list);
  return g_test_run ();
}
