/* SPDX-License-Identifier: MIT */
/* The photograph of a model: read, written, found, scaled. */
#include "core/base/hl-error.h"
#include "core/document/hl-file-reference.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static HlDocument *document_with (const char *photograph) {
  g_autofree char *text =
      g_strdup_printf ("{\"format\": \"hydrolink\", \"version\": 1, \"photograph\": %s}", photograph);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_parse (text, strlen (text), NULL, &error);
  g_assert_no_error (error);
  return document;
}

static void read_and_write (void) {
  g_autoptr (HlDocument) document =
      document_with ("{\"file\": \"boom.jpg\", \"scale\": 0.004, \"at\": [-1.5, 2], \"mine\": 7}");
  g_autoptr (HlPhotograph) photograph = hl_photograph_of_document (document);

  g_assert_cmpstr (photograph->file, ==, "boom.jpg");
  g_assert_cmpfloat (photograph->scale, ==, 0.004);
  g_assert_cmpfloat (photograph->at[0], ==, -1.5);
  g_assert_cmpfloat (photograph->at[1], ==, 2);
  g_assert_cmpfloat (photograph->opacity, ==, 0.5);
  g_assert_false (photograph->hidden);

  photograph->hidden = TRUE;
  photograph->opacity = 0.25;
  g_autoptr (HlDocument) changed = hl_photograph_put (document, photograph);
  g_autofree char *text = hl_document_to_text (changed);
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), NULL, NULL);
  g_autoptr (HlPhotograph) read = hl_photograph_of_document (again);
  g_assert_true (read->hidden);
  g_assert_cmpfloat (read->opacity, ==, 0.25);
  g_assert_cmpfloat (read->at[0], ==, -1.5);
  g_assert_nonnull (strstr (text, "\"mine\": 7")); /* unknown members are kept */

  g_autoptr (HlDocument) without = hl_photograph_put (again, NULL);
  g_assert_null (hl_photograph_of_document (without));
}

/* Nothing of it makes a model unreadable. */
static void nonsense (void) {
  static const char *const none[] = {"null", "7", "[]", "{}", "{\"file\": 3}", "{\"file\": \"\"}"};
  static const char *const odd[] = {
      "{\"file\": \"a\", \"scale\": 0}", "{\"file\": \"a\", \"scale\": -1, \"at\": 3}",
      "{\"file\": \"a\", \"scale\": \"x\", \"at\": [1]}", "{\"file\": \"a\", \"opacity\": 7, \"hidden\": 1}"};

  for (gsize k = 0; k < G_N_ELEMENTS (none); k++) {
    g_autoptr (HlDocument) document = document_with (none[k]);
    g_assert_null (hl_photograph_of_document (document));
  }
  for (gsize k = 0; k < G_N_ELEMENTS (odd); k++) {
    g_autoptr (HlDocument) document = document_with (odd[k]);
    g_autoptr (HlPhotograph) photograph = hl_photograph_of_document (document);
    g_assert_cmpfloat (photograph->scale, >, 0);
    g_assert_true (isfinite (photograph->at[0]) && isfinite (photograph->at[1]));
    g_assert_cmpfloat (photograph->opacity, >=, 0);
    g_assert_cmpfloat (photograph->opacity, <=, 1);
  }
}

static void check_name (const char *path, const char *model, const char *expected) {
  g_autofree char *name = hl_file_reference_name (path, model);
  g_assert_cmpstr (name, ==, expected);
  g_autofree char *found = hl_file_reference_path (name, model);
  g_assert_cmpstr (found, ==, path);
}

static void names (void) {
  check_name ("/srv/a/boom.jpg", "/srv/a/m.hydrolink", "boom.jpg");
  check_name ("/srv/a/in/boom.jpg", "/srv/a/m.hydrolink", "in/boom.jpg");
  check_name ("/srv/ab/boom.jpg", "/srv/a/m.hydrolink", "/srv/ab/boom.jpg");
  check_name ("/srv/boom.jpg", "/srv/a/m.hydrolink", "/srv/boom.jpg");
  check_name ("/srv/boom.jpg", NULL, "/srv/boom.jpg");
}

/* The pixel under the first point stays, the one under the second comes to the distance. */
static void distance (void) {
  for (int trial = 0; trial < 100; trial++) {
    g_autoptr (HlPhotograph) p = hl_photograph_new ("a.png");
    double a[2], b[2], pixel[2], wanted = hl_test_log_uniform (1e-3, 1e2), now[2];
    p->scale = hl_test_log_uniform (1e-4, 1e-1);
    for (int axis = 0; axis < 2; axis++) {
      p->at[axis] = hl_test_uniform (-5, 5);
      a[axis] = hl_test_uniform (-5, 5);
      b[axis] = hl_test_uniform (-5, 5);
    }
    double before = p->scale, corner[2] = {p->at[0], p->at[1]};
    g_assert_true (hl_photograph_set_distance (p, a, b, wanted, NULL));
    for (int axis = 0; axis < 2; axis++) {
      pixel[axis] = (a[axis] - corner[axis]) / before;
      hl_assert_near (p->at[axis] + p->scale * pixel[axis], a[axis], 0, 1e-9);
      pixel[axis] = (b[axis] - corner[axis]) / before;
      now[axis] = p->at[axis] + p->scale * pixel[axis];
    }
    hl_assert_near (hypot (now[0] - a[0], now[1] - a[1]), wanted, 1e-9, 0);
  }
  g_autoptr (HlPhotograph) p = hl_photograph_new ("a.png");
  g_autoptr (GError) error = NULL;
  g_assert_false (hl_photograph_set_distance (p, p->at, p->at, 1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_false (hl_photograph_set_distance (p, p->at, (double[]){1, 1}, -1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/photograph/read-and-write", read_and_write);
  g_test_add_func ("/photograph/nonsense", nonsense);
  g_test_add_func ("/photograph/names", names);
  g_test_add_func ("/photograph/distance", distance);
  return g_test_run ();
}
