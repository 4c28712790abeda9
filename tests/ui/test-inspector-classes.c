/* SPDX-License-Identifier: MIT */
/* The inspector of every class of component: each number, choice and signal of the class that matters has
 * a row with a sentence, and catalogue values are shown beside it and can be typed. */
#include "core/edit/hl-nominal-flow.h"
#include "core/hydro/hl-component.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-component-test-machine.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/widget/hl-number-field.h"

#include <math.h>
#include <string.h>

static HlApplication *application;

/* The label in front of a row: its sentence is the tooltip. */
static GtkWidget *label_of (HlWindow *window, GtkWidget *row) {
  GtkGrid *grid = fixture_inspector_grid (window);

  for (int line = 0; line < 200; line++)
    if (gtk_grid_get_child_at (grid, 1, line) == row)
      return gtk_grid_get_child_at (grid, 0, line);
  return NULL;
}

static gboolean is_stated (const HlDocument *document, const HlField *field) {
  const HlValue *element = hl_document_find (document, HL_TEST_CLASS_ID, NULL, NULL);

  return hl_value_at (element, field->name) != NULL;
}

/* A number that has a default or is stated, whatever the other numbers are. */
static gboolean must_show (const HlDocument *document, const HlField *field) {
  return field->when == NULL && is_stated (document, field) &&
         (field->type == HL_FIELD_NUMBER || field->type == HL_FIELD_CHOICE ||
          field->type == HL_FIELD_BOOLEAN || field->type == HL_FIELD_POINT || field->type == HL_FIELD_BODY);
}

static int look_at (HlWindow *window, const HlComponentClass *klass) {
  int n = 0;

  hl_workbench_select (hl_window_workbench (window), HL_TEST_CLASS_ID);
  for (int k = 0; k < klass->kind.n_fields; k++) {
    const HlField *field = &klass->kind.fields[k];
    if (!must_show (fixture_document (window), field))
      continue;
    GtkWidget *row = fixture_inspector_row (window, field->label);
    if (row == NULL)
      g_error ("%s: no row %s", klass->kind.name, field->label);
    GtkWidget *label = label_of (window, row);
    const char *sentence = label != NULL ? gtk_widget_get_tooltip_text (label) : NULL;
    if (sentence == NULL)
      sentence = gtk_widget_get_tooltip_text (row);
    if (sentence == NULL || strstr (sentence, field->help) == NULL)
      g_error ("%s: %s has no sentence", klass->kind.name, field->label);
    n++;
  }
  return n;
}

/* 20 L/min at 35 bar through whatever the class has: read back at its own drop. */
static int rate (HlWindow *window, const HlComponentClass *klass) {
  static const char *const mains[] = {"area", "diameter", "Cv"};
  int n = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (mains); k++) {
    g_autofree char *path = g_strconcat (HL_TEST_CLASS_ID ".", mains[k], NULL);
    if (!hl_rating_has (fixture_document (window), path))
      continue;
    const char *label = strcmp (mains[k], "Cv") == 0 ? "Flow at 3.5 MPa" : "Flow at 1 MPa";
    if (fixture_inspector_row (window, label) == NULL)
      g_error ("%s: no row %s", klass->kind.name, label);
    g_assert_true (hl_number_field_flush (fixture_type_into (window, label, "20 L/min at 35 bar")));
    double drop = hl_rating_drop (fixture_document (window), path);
    g_assert_cmpfloat_with_epsilon (hl_rating_flow (fixture_document (window), path),
                                    20.0 / 60e3 * sqrt (drop / 35e5), 1e-15);
    n++;
  }
  return n;
}

static void test_classes (void) {
  int n_fields = 0, n_rated = 0;

  for (int k = 0; k < hl_n_components; k++) {
    HlWindow *window = fixture_open (application, NULL);
    g_autofree char *text = hl_test_class_machine (hl_components[k]->kind.name);
    g_autoptr (GError) error = NULL;
    HlDocument *document = hl_document_parse (text, strlen (text), "machine", &error);
    g_assert_no_error (error);
    hl_editing_set_document (hl_workbench_editing (hl_window_workbench (window)), document);
    fixture_rebuild ();
    n_fields += look_at (window, hl_components[k]);
    n_rated += rate (window, hl_components[k]);
    fixture_close (window);
  }
  g_assert_cmpint (n_fields, >, 60);
  g_assert_cmpint (n_rated, >=, 10);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/inspector-classes/rows-with-a-sentence", test_classes);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
