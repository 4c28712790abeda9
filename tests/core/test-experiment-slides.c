/* SPDX-License-Identifier: MIT */
/* Lists of experiments: what each changes of its model, and what is wrong is named with the experiment. */
#include "core/lesson/hl-experiment-slides.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static double number_of (const HlExperiment *experiment, const char *path) {
  double value = NAN;
  g_autoptr (GError) error = NULL;

  hl_document_get_number (experiment->document, path, &value, NULL, &error);
  g_assert_no_error (error);
  return value;
}

static void test_shipped (void) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), "friction.hlexperiments", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = hl_experiments_load (path, &error);

  g_assert_no_error (error);
  g_assert_cmpint (list->len, ==, 5);
  g_assert_cmpfloat (number_of (list->pdata[0], "cyl.friction.scale"), ==, 0.01);
  g_assert_cmpfloat (number_of (list->pdata[1], "cyl.friction.scale"), ==, 0.1);
  g_assert_cmpfloat (number_of (list->pdata[2], "cyl.friction.Fc"), ==, 210);
  g_assert_cmpfloat (number_of (list->pdata[3], "fluid.bulk_modulus"), ==, 1.5e8);
  g_assert_cmpfloat (number_of (list->pdata[3], "simulation.t_end"), ==, 3);
  g_assert_cmpfloat (number_of (list->pdata[4], "cbv.pilot_ratio"), >, 0);
  g_assert_cmpstr (((HlExperiment *)list->pdata[1])->shows[1], ==, "locus");
  g_assert_null (((HlExperiment *)list->pdata[0])->shows[0]);
}

/* A model is read once, however many experiments show it: they share all that they do not change. */
static void test_many (void) {
  g_autoptr (GString) text =
      g_string_new ("{\"format\": \"hydrolink-experiments\", \"version\": 1, \"model\": "
                    "\"four-bar.hydrolink\", \"experiments\": [{\"name\": \"0\"}");
  g_autoptr (GError) error = NULL;

  for (int k = 1; k < 100; k++)
    g_string_append_printf (text, ", {\"name\": \"%d\", \"numbers\": {\"cyl.friction.scale\": 0.%d}}", k, k);
  g_string_append (text, "]}");
  g_autoptr (GPtrArray) list =
      hl_experiments_parse (text->str, text->len, g_getenv ("HL_EXAMPLES_DIR"), "x.hlexperiments", &error);
  g_assert_no_error (error);
  const HlValue *bodies =
      hl_value_member (hl_document_root (((HlExperiment *)list->pdata[0])->document), "bodies");
  for (guint k = 0; k < list->len; k++)
    g_assert_true (
        hl_value_member (hl_document_root (((HlExperiment *)list->pdata[k])->document), "bodies") == bodies);
}

static void test_broken (void) {
#define LIST(one)                                                                                            \
  "{\"format\": \"hydrolink-experiments\", \"version\": 1, \"model\": \"four-bar.hydrolink\", "              \
  "\"experiments\": [" one "]}"
  static const struct {
    const char *text, *why;
  } broken[] = {
      {"{}", "not a list"},
      {LIST (""), "not empty"},
      {LIST ("{}"), "experiment 1 (?): the experiment has no"},
      {LIST ("{\"name\": \"A\"}, {\"name\": \"B\", \"set\": \"gone\"}"), "experiment 2 (B)"},
      {LIST ("{\"name\": \"A\", \"numbers\": {\"cyl.gone\": 1}}"), "cyl.gone"},
      {LIST ("{\"name\": \"A\", \"numbers\": {\"fluid.bulk_modulus\": \"2 kg\"}}"), "experiment 1 (A)"},
      {LIST ("{\"name\": \"A\", \"numbers\": {\"fluid.bulk_modulus\": []}}"), "neither"},
      {LIST ("{\"name\": \"A\", \"oil\": \"olive\"}"), "olive"},
      {LIST ("{\"name\": \"A\", \"show\": [\"moon\"]}"), "moon"},
      {LIST ("{\"name\": \"A\", \"nubers\": {}}"), "nubers"},
      {LIST ("{\"name\": \"A\", \"signals\": {\"dcv\": 1}}"), "ID.SIGNAL"},
      {LIST ("{\"name\": \"A\", \"signals\": [1]}"), "must be an object"},
      {LIST ("{\"name\": \"A\", \"numbers\": [1]}"), "must be an object"},
      {LIST ("{\"name\": \"A\", \"model\": \"gone.hydrolink\"}"), "gone.hydrolink"},
  };

  for (guint k = 0; k < G_N_ELEMENTS (broken); k++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (hl_experiments_parse (broken[k].text, strlen (broken[k].text),
                                         g_getenv ("HL_EXAMPLES_DIR"), "x.hlexperiments", &error));
    g_assert_nonnull (error);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, broken[k].why));
    g_assert_nonnull (strstr (error->message, "x.hlexperiments"));
  }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experiment-slides/shipped", test_shipped);
  g_test_add_func ("/experiment-slides/many", test_many);
  g_test_add_func ("/experiment-slides/broken-is-named", test_broken);
  return g_test_run ();
}
