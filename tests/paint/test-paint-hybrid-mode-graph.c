/* SPDX-License-Identifier: MIT */
/* The graph of modes: every node is found where it is painted, whatever the size and the number,
 * and the table of constraints takes the room it says. */
#include "ui/paint/chart/hl-paint-hybrid-mode-graph.h"

#include <math.h>
#include <string.h>

#define MOST_NODES 24

static gboolean differs (cairo_surface_t *surface, double x, double y, const unsigned char background[4]) {
  const unsigned char *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  return memcmp (data + (int)y * stride + 4 * (int)x, background, 4) != 0;
}

/* Tests that the picked points of a node have a centre, with its label or its disc there. */
static void test_pick (void) {
  static const int counts[] = {1, 2, 3, 11, MOST_NODES};
  static const int sizes[][2] = {{240, 240}, {440, 460}, {900, 300}};
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlModeNode nodes[MOST_NODES];
  HlModeEdge edges[MOST_NODES];

  for (int k = 0; k < MOST_NODES; k++)
    nodes[k] = (HlModeNode){.label = "8", .time = "0.1 s", .share = 0.04};
  for (gsize c = 0; c < G_N_ELEMENTS (counts); c++)
    for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++) {
      int n = counts[c], width = sizes[s][0], height = sizes[s][1];
      int found[MOST_NODES] = {0};
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
      cairo_t *cr = cairo_create (surface);
      unsigned char background[4];
      for (int k = 0; k < n; k++)
        edges[k] = (HlModeEdge){k, (k + 1) % n, k + 1};
      HlModeGraph graph = {nodes, n, edges, n > 1 ? n : 0};
      hl_paint_background (cr, 0, 0, width, height, &style);
      cairo_surface_flush (surface);
      memcpy (background, cairo_image_surface_get_data (surface), 4);
      hl_paint_mode_graph (cr, &graph, width, height, &style);
      cairo_surface_flush (surface);
      for (int y = 0; y < height; y += 2)
        for (int x = 0; x < width; x += 2) {
          int node = hl_mode_graph_pick (n, width, height, &style, x, y);
          g_assert_cmpint (node, <, n);
          if (node >= 0)
            found[node] += differs (surface, x, y, background);
        }
      for (int k = 0; k < n; k++)
        g_assert_cmpint (found[k], >, 20);
      g_assert_cmpint (hl_mode_graph_pick (n, width, height, &style, -50.0, -50.0), ==, -1);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

static void test_matrix (void) {
  HlStyle style = hl_style_make (HL_STYLE_DARK);
  char *states[] = {(char *)"q1", (char *)"mass.vx"};
  char *constraints[] = {(char *)"P:J0", (char *)"D:dump_pipe"};
  char *multipliers[] = {(char *)"5.6 MPa", (char *)"undetermined"};
  const double w[] = {-1.0, -0.0015, 1.0, 0.0};
  gboolean independent[] = {FALSE, TRUE};
  HlModeMatrix matrix = {2, 2, states, constraints, w, independent, multipliers};
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 800, 300);
  cairo_t *cr = cairo_create (surface);
  double width, height;
  const unsigned char nothing[4] = {0};
  int inside = 0;

  hl_mode_matrix_size (cr, &matrix, &style, &width, &height);
  g_assert_cmpfloat (width, <, 800);
  g_assert_cmpfloat (height, <, 300);
  hl_paint_mode_matrix (cr, &matrix, &style);
  cairo_surface_flush (surface);
  for (int y = 0; y < 300; y++)
    for (int x = 0; x < 800; x++) {
      gboolean painted = differs (surface, x, y, nothing);
      inside += painted;
      g_assert_true (!painted || (x <= ceil (width) && y <= ceil (height)));
    }
  g_assert_cmpint (inside, >, 500);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint-hybrid-mode-graph/pick", test_pick);
  g_test_add_func ("/paint-hybrid-mode-graph/matrix", test_matrix);
  return g_test_run ();
}
