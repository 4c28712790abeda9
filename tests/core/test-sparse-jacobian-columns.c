/* SPDX-License-Identifier: MIT */
/* Columns of J of a large island look only at what they move and what that pushes: they are those of the dense matrices,
 * whatever the order of bodies and joints, with a spring between bodies that no joint joins, and with cylinders. */
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* As tests/core/test-large-islands.c has it for so many bodies. */
#define SAME 1.0e-10

static json_t *turned (const json_t *list, size_t step) {
  json_t *other = json_array ();

  for (size_t first = 0; first < step; first++)
    for (size_t k = first; k < json_array_size (list); k += step)
      json_array_insert (other, step == 1 ? 0 : json_array_size (other), json_array_get (list, k));
  return other;
}

/* The rods with their bodies the other way round, every other joint first, and a spring. Takes the document. */
static HlTestModel shuffled (HlDocument *document) {
  g_autofree char *text = hl_document_to_text (document);
  json_t *model = json_loads (text, 0, NULL);

  json_object_set_new (model, "bodies", turned (json_object_get (model, "bodies"), 1));
  json_object_set_new (model, "joints", turned (json_object_get (model, "joints"), 2));
  json_object_set_new (model, "loads",
                       json_pack ("[{s:s, s:s, s:s, s:s, s:f, s:f, s:f}]", "id", "spring", "kind", "spring",
                                  "a", "rod3.b", "b", "rod17.a", "stiffness", 800.0, "damping", 3.0,
                                  "free_length", 0.1));
  char *dumped = json_dumps (model, JSON_REAL_PRECISION (17));
  HlTestModel compiled = hl_test_model_from_text (dumped);
  free (dumped);
  json_decref (model);
  hl_document_unref (document);
  return compiled;
}

/* By the route that is chosen by size; columns are the coordinates. Owned by the caller. */
static double *jacobian_of (HlTestModel *model, HlPartitionRule rule, const int columns[], int n_columns) {
  HlWork *work = model->work;

  g_assert_cmpint (hl_partition_choose (model->sys, work, model->point->x, rule, columns, n_columns, NULL),
                   ==, HL_OK);
  size_t n = (size_t)work->n_states;
  g_autofree double *y = g_new0 (double, n);
  double *J = g_new0 (double, n *n);
  hl_state_pack (model->sys, work, model->point, y);
  g_assert_cmpint (hl_jacobian_eval (model->sys, 0.0, y, J, work, NULL), ==, HL_OK);
  return J;
}

static double difference (int n, const double a[], const double b[]) {
  double worst = 0.0;

  for (int row = 0; row < n; row++) {
    double size = 0.0, off = 0.0;
    for (int k = row; k < n * n; k += n) {
      size = fmax (size, fabs (b[k]));
      off = fmax (off, fabs (a[k] - b[k]));
    }
    worst = size > 0.0 ? fmax (worst, off / size) : fmax (worst, off);
  }
  return worst;
}

static void compare (HlTestModel model) {
  HlWork *work = model.work;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_nonnull (work->islands[0]->large);
  g_autofree double *sparse = jacobian_of (&model, HL_PARTITION_PIVOT, NULL, 0);
  g_autofree int *columns = g_memdup2 (work->ai_column, sizeof (int) * (size_t)work->f);
  int n = work->n_states, n_columns = work->f;
  hl_island_be_small (work->islands[0]);
  g_autofree double *dense = jacobian_of (&model, HL_PARTITION_PREFERRED, columns, n_columns);
  double worst = difference (n, sparse, dense);
  g_test_message ("%d states: %g", n, worst);
  g_assert_cmpfloat (worst, <=, SAME);
  hl_test_model_clear (&model);
}

static void test_branches (void) {
  compare (hl_test_model_from_document (hl_test_tree (40)));
  compare (shuffled (hl_test_tree (40)));
}

static void test_spring (void) {
  compare (shuffled (hl_test_chain (30)));
}

static void test_cylinders (void) {
  compare (hl_test_model_from_document (hl_test_driven_chain (20)));
  compare (shuffled (hl_test_driven_chain (20)));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sparse-jacobian-columns/branches", test_branches);
  g_test_add_func ("/sparse-jacobian-columns/a-spring-beyond-the-joints", test_spring);
  g_test_add_func ("/sparse-jacobian-columns/cylinders", test_cylinders);
  return g_test_run ();
}
