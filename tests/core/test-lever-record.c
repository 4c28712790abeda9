/* SPDX-License-Identifier: MIT */
/* Tests of recorded lever motions: corners of a polyline, as a signal of the file. */
#include "core/run/hl-interactive-run.h"
#include "tests/support/hl-test.h"

#include <math.h>

static void test_record (void) {
  g_autoptr (HlLeverRecord) record = hl_lever_record_new (3);

  g_assert_null (hl_lever_record_signal (record, 2));
  g_assert_true (isnan (hl_lever_record_value (record, 2, 0.0)));
  hl_lever_record_put (record, 0, 0.0, 1.0);
  hl_lever_record_put (record, 1, 0.0, -2.0);
  for (int k = 0; k < 100000; k++) /* at rest */
    hl_lever_record_add (record, 0, 0.01 * k, 0.01 * (k + 1), 1.0);
  hl_lever_record_add (record, 1, 2.0, 3.0, 0.0);
  hl_lever_record_add (record, 1, 3.0, 4.0, 0.0);
  hl_lever_record_add (record, 1, 4.0, 5.0, 1.0);
  hl_assert_near (hl_lever_record_value (record, 1, 1.0), -2.0, 0.0, 0.0);
  hl_assert_near (hl_lever_record_value (record, 1, 2.5), -1.0, 0.0, 1e-15);
  hl_assert_near (hl_lever_record_value (record, 1, 3.5), 0.0, 0.0, 0.0);
  hl_assert_near (hl_lever_record_value (record, 1, 9.0), 1.0, 0.0, 0.0);
  hl_lever_record_end (record, 4.5);
  hl_assert_near (hl_lever_record_value (record, 1, 9.0), 0.5, 0.0, 1e-15);
  HlValue *rest = hl_lever_record_signal (record, 0), *moved = hl_lever_record_signal (record, 1);
  /* a number has one corner, independent of the input */
  hl_assert_near (hl_value_number (rest), 1.0, 0.0, 0.0);
  g_assert_cmpint (hl_value_length (hl_value_member (moved, "t")), ==, 5);
  hl_value_unref (rest);
  hl_value_unref (moved);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lever-record", test_record);
  return g_test_run ();
}
