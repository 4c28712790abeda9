/* SPDX-License-Identifier: MIT */
/* Values: absent ones, copies with one change, sharing, equality to the bit, use from several
 * threads. */
#include "core/base/hl-json-value.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

/* {"a": 1, "b": [2, "x", {"c": true}], "d": null} */
static HlValue *sample (void) {
  HlValue *inner = hl_value_with_member (NULL, "c", hl_value_new_boolean (TRUE));
  HlValue *items[] = {hl_value_new_number (2), hl_value_new_string ("x"), inner};
  const char *keys[] = {"a", "b", "d"};
  HlValue *members[] = {hl_value_new_number (1), hl_value_new_array_take (items, 3), hl_value_new_null ()};

  return hl_value_new_object_take (keys, members, 3);
}

static void absent_values_read_as_nothing (void) {
  g_assert_cmpint (hl_value_type (NULL), ==, HL_VALUE_NULL);
  g_assert_true (isnan (hl_value_number (NULL)));
  g_assert_null (hl_value_string (NULL));
  g_assert_false (hl_value_boolean (NULL));
  g_assert_cmpuint (hl_value_length (NULL), ==, 0);
  g_assert_null (hl_value_member (NULL, "a"));
  g_assert_null (hl_value_item (NULL, 0));
  g_assert_null (hl_value_at (NULL, "a.b.c"));
  g_assert_null (hl_value_ref (NULL));
  hl_value_unref (NULL);
}

static void dotted_names_reach_inside (void) {
  g_autoptr (HlValue) value = sample ();

  g_assert_cmpfloat (hl_value_number (hl_value_at (value, "a")), ==, 1);
  g_assert_cmpfloat (hl_value_number (hl_value_at (value, "b.0")), ==, 2);
  g_assert_true (hl_value_boolean (hl_value_at (value, "b.2.c")));
  g_assert_null (hl_value_at (value, "b.3"));
  g_assert_null (hl_value_at (value, "b.-1"));
  g_assert_null (hl_value_at (value, "b.x"));
  g_assert_null (hl_value_at (value, "a.b"));
  g_assert_null (hl_value_at (value, ""));
}

static void changes_leave_the_old_value_alone (void) {
  g_autoptr (HlValue) value = sample ();
  g_autoptr (HlValue) copy = sample ();
  g_autoptr (HlValue) changed = hl_value_with_at (value, "b.2.c", hl_value_new_number (7));

  g_assert_true (hl_value_equal (value, copy));
  g_assert_false (hl_value_equal (value, changed));
  g_assert_cmpfloat (hl_value_number (hl_value_at (changed, "b.2.c")), ==, 7);
  /* What is beside the change is shared, not copied. */
  g_assert_true (hl_value_member (value, "a") == hl_value_member (changed, "a"));
  g_assert_true (hl_value_at (value, "b.1") == hl_value_at (changed, "b.1"));
  g_assert_false (hl_value_at (value, "b.2") == hl_value_at (changed, "b.2"));
}

static void order_of_keys_is_kept (void) {
  g_autoptr (HlValue) value = sample ();
  g_autoptr (HlValue) replaced = hl_value_with_member (value, "a", hl_value_new_number (5));
  g_autoptr (HlValue) appended = hl_value_with_member (value, "z", hl_value_new_number (5));
  g_autoptr (HlValue) removed = hl_value_without_member (value, "b");
  g_autoptr (HlValue) renamed = hl_value_with_key_renamed (value, "b", "B");

  g_assert_cmpstr (hl_value_key (replaced, 0), ==, "a");
  g_assert_cmpstr (hl_value_key (appended, 3), ==, "z");
  g_assert_cmpuint (hl_value_length (removed), ==, 2);
  g_assert_cmpstr (hl_value_key (removed, 1), ==, "d");
  g_assert_cmpstr (hl_value_key (renamed, 1), ==, "B");
  g_assert_cmpuint (hl_value_length (hl_value_member (renamed, "B")), ==, 3);
}

static void items_are_set_inserted_removed (void) {
  const double numbers[] = {0, 1, 2};
  g_autoptr (HlValue) array = hl_value_new_numbers (numbers, 3);

  for (gsize i = 0; i <= 4; i++) {
    g_autoptr (HlValue) inserted = hl_value_with_inserted (array, i, hl_value_new_number (9));
    g_autoptr (HlValue) removed = hl_value_without_item (inserted, MIN (i, 3));
    g_assert_cmpuint (hl_value_length (inserted), ==, 4);
    g_assert_cmpfloat (hl_value_number (hl_value_item (inserted, MIN (i, 3))), ==, 9);
    g_assert_true (hl_value_equal (removed, array));
  }
  g_autoptr (HlValue) same = hl_value_without_item (array, 3);
  g_assert_true (hl_value_equal (same, array));
}

static void missing_objects_are_made (void) {
  g_autoptr (HlValue) value = hl_value_with_at (NULL, "friction.Fc", hl_value_new_number (210));
  g_autoptr (HlValue) without = hl_value_without_at (value, "friction.Fc");
  g_autoptr (HlValue) untouched = hl_value_without_at (value, "nothing.here");

  g_assert_cmpfloat (hl_value_number (hl_value_at (value, "friction.Fc")), ==, 210);
  g_assert_true (hl_value_is_object (hl_value_member (without, "friction")));
  g_assert_cmpuint (hl_value_length (hl_value_member (without, "friction")), ==, 0);
  g_assert_true (hl_value_equal (untouched, value));
}

static void numbers_are_equal_to_the_bit (void) {
  g_autoptr (HlValue) zero = hl_value_new_number (0.0);
  g_autoptr (HlValue) minus_zero = hl_value_new_number (-0.0);
  g_autoptr (HlValue) one = hl_value_new_number (1);
  g_autoptr (HlValue) nearly = hl_value_new_number (nextafter (1, 2));
  g_autoptr (HlValue) truth = hl_value_new_boolean (TRUE);

  g_assert_false (hl_value_equal (zero, minus_zero));
  g_assert_false (hl_value_equal (one, nearly));
  g_assert_false (hl_value_equal (one, truth));
  g_assert_false (hl_value_equal (one, NULL));
  g_assert_true (hl_value_equal (NULL, NULL));
}

static gpointer share (gpointer data) {
  const HlValue *value = data;

  for (int i = 0; i < 20000; i++) {
    g_autoptr (HlValue) mine = hl_value_ref (value);
    g_autoptr (HlValue) changed = hl_value_with_at (mine, "b.0", hl_value_new_number (i));
    if (hl_value_number (hl_value_at (changed, "b.0")) != i)
      g_assert_not_reached ();
  }
  return NULL;
}

static void threads_may_share (void) {
  g_autoptr (HlValue) value = sample ();
  g_autoptr (HlValue) copy = sample ();
  GThread *threads[3];

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("share", share, value);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_true (hl_value_equal (value, copy));
}

/* The few large ones are searched by an index: each key leads to its own value, the first one of
 * two that are alike, and changes begin an index of their own; threads may be the first to search. */
static void large_objects_are_searched_alike (void) {
  enum { N = 400 };
  char *names[N];
  const char *keys[N];
  HlValue *members[N];
  GThread *threads[3];

  for (int i = 0; i < N; i++) {
    keys[i] = names[i] = g_strdup_printf ("key_%d", i == N - 1 ? 7 : i);
    members[i] = hl_value_new_number (i);
  }
  g_autoptr (HlValue) value = hl_value_new_object_take (keys, members, N);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("share", share, value);
  for (int i = 0; i < N; i++)
    g_assert_cmpint (hl_value_find_key (value, keys[i]), ==, i == N - 1 ? 7 : i);
  g_assert_cmpint (hl_value_find_key (value, "key"), ==, -1);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_autoptr (HlValue) renamed = hl_value_with_key_renamed (value, "key_3", "other");
  g_autoptr (HlValue) without = hl_value_without_member (renamed, "key_0");
  g_assert_cmpint (hl_value_find_key (without, "other"), ==, 2);
  g_assert_cmpint (hl_value_find_key (without, "key_3"), ==, -1);
  g_assert_cmpint (hl_value_find_key (value, "key_3"), ==, 3);
  for (int i = 0; i < N; i++)
    g_free (names[i]);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-value/absent-values-read-as-nothing", absent_values_read_as_nothing);
  g_test_add_func ("/json-value/dotted-names-reach-inside", dotted_names_reach_inside);
  g_test_add_func ("/json-value/changes-leave-the-old-value-alone", changes_leave_the_old_value_alone);
  g_test_add_func ("/json-value/order-of-keys-is-kept", order_of_keys_is_kept);
  g_test_add_func ("/json-value/items-are-set-inserted-removed", items_are_set_inserted_removed);
  g_test_add_func ("/json-value/missing-objects-are-made", missing_objects_are_made);
  g_test_add_func ("/json-value/numbers-are-equal-to-the-bit", numbers_are_equal_to_the_bit);
  g_test_add_func ("/json-value/threads-may-share", threads_may_share);
  g_test_add_func ("/json-value/large-objects-are-searched-alike", large_objects_are_searched_alike);
  return g_test_run ();
}
