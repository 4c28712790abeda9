/* SPDX-License-Identifier: MIT */
/* A drag on canvases with 200 elements in the real window: one pointer event a frame, and what the
 * window's thread needs for it and for the frame that shows it. A frame at 60 Hz has 16.7 ms. */
#include "app/window/hl-application.h"
#include "app/window/hl-window-private.h"
#include "core/io/hl-json-text.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/workbench/hl-document-editing.h"
#include "tests/ui/window-widgets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LINKAGE_STEP_PX 0.5 /* of the pointer, in a frame */
#define COPIES 20           /* of the four-bar: 5 components and 5 lines each, 3 bodies, 4 joints, a load */
#define MOVES 120
#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define CALM_US G_USEC_PER_SEC /* until the window has drawn the new document and its first run */
#define SKIPPED 77

typedef struct {
  HlToolBridge *bridge;
  HlCanvas *canvas;
  HlSpot from, step;
  int n;
  double times[MOVES]; /* [ms] */
  double began;
} Drag;

/* Returns the processor time of this thread: the cost of a frame, whatever else the machine does. */
static double thread_ms (void) {
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static HlDocument *make_document (const HlDocument *one) {
  g_autoptr (HlTool) tool = hl_tool_new (HL_TOOL_CIRCUIT, NULL);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  hl_tool_set_document (tool, one);
  for (HlSection section = 0; section < HL_SECTION_PROBES; section++)
    for (int i = 0; i < hl_document_n_elements (one, section); i++)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (one, section, i));
  g_ptr_array_add (ids, NULL);
  hl_tool_select (tool, (const char *const *)ids->pdata);
  g_autofree char *text = hl_command_copy (tool);
  for (int copy = 1; copy < COPIES; copy++) {
    HlSpot at = {40.0 * (copy % 5), 50.0 * (copy / 5)};
    hl_command_paste (tool, text, &(const HlPasteTarget){&at, NULL}, NULL);
  }
  return hl_document_ref (hl_tool_document (tool));
}

static void send (Drag *drag, HlCanvasEventType type, HlSpot world) {
  HlCanvasEvent event = {type, .at = world, .button = GDK_BUTTON_PRIMARY, .n_press = 1,
                         .device = hl_view_to_device (hl_canvas_view (drag->canvas), world)};
  hl_tool_bridge_event (drag->bridge, &event);
}

static void before_paint_cb (GdkFrameClock *clock, Drag *drag) {
  drag->began = thread_ms ();
  if (drag->n < MOVES)
    send (drag, HL_CANVAS_MOVE,
          (HlSpot){drag->from.x + drag->step.x * (1 + drag->n % 40),
                   drag->from.y + drag->step.y * (1 + drag->n % 25)});
}

static void after_paint_cb (GdkFrameClock *clock, Drag *drag) {
  if (drag->n < MOVES)
    drag->times[drag->n++] = thread_ms () - drag->began;
}

static gboolean tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  return G_SOURCE_CONTINUE;
}

static int compare (const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

/* Presses at a place, moves in steps, takes it all back. */
static void measure (HlWindow *window, HlToolBridge *bridge, const char *name, HlSpot from, HlSpot step) {
  Drag drag = {bridge, hl_tool_bridge_canvas (bridge), from, step, 0, {0}, 0};
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;

  send (&drag, HL_CANVAS_PRESS, from);
  gulong before = g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), &drag);
  gulong after = g_signal_connect_after (clock, "after-paint", G_CALLBACK (after_paint_cb), &drag);
  guint tick = gtk_widget_add_tick_callback (GTK_WIDGET (window), tick_cb, NULL, NULL);
  while (drag.n < MOVES && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (clock, before);
  g_signal_handler_disconnect (clock, after);
  gtk_widget_remove_tick_callback (GTK_WIDGET (window), tick);
  gboolean works = hl_tool_is_busy (hl_tool_bridge_tool (bridge));
  hl_tool_event (hl_tool_bridge_tool (bridge), &(HlToolEvent){.type = HL_TOOL_CANCEL});
  qsort (drag.times, MOVES, sizeof *drag.times, compare);
  printf ("drag: %-28s median %5.1f ms, 95 %% %5.1f ms, longest %5.1f ms a frame%s\n", name,
          drag.times[MOVES / 2], drag.times[MOVES * 19 / 20], drag.times[MOVES - 1],
          works ? "" : " (nothing was dragged!)");
}

int main (void) {
  g_set_prgname ("hydrolink"); /* the list of recent files needs one */
  if (!gtk_init_check ())
    return SKIPPED;
  g_autoptr (HlApplication) application = hl_application_new (TRUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), "four-bar.hydrolink", NULL);
  g_autoptr (HlDocument) one = hl_document_load (path, NULL);
  g_autoptr (HlDocument) many = make_document (one);
  HlWindow *window = HL_WINDOW (hl_application_open_window (application, NULL));
  int n_circuit =
      hl_document_n_elements (many, HL_SECTION_COMPONENTS) + hl_document_n_elements (many, HL_SECTION_LINES);
  int n_linkage = hl_document_n_elements (many, HL_SECTION_BODIES) +
                  hl_document_n_elements (many, HL_SECTION_JOINTS) +
                  hl_document_n_elements (many, HL_SECTION_LOADS);
  HlPlacement place;
  HlToolBridge *circuit = hl_circuit_view_bridge (window_part (window, "circuit_view"));
  HlToolBridge *linkage = hl_linkage_view_bridge (window_part (window, "linkage_view"));

  hl_editing_commit (hl_workbench_editing (hl_window_workbench (window)), hl_document_ref (many), "Fill",
                     NULL);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  gint64 calm = g_get_monotonic_time () + CALM_US;
  while (g_get_monotonic_time () < calm)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  printf ("drag: %d elements on the circuit, %d on the linkage\n", n_circuit, n_linkage);
  if (hl_circuit_place_parse (many, "dcv7", &place)) {
    HlShapePort port = hl_shape_placed_port (hl_shape_kind_from_name ("directional-valve"), 0, &place);
    measure (window, circuit, "a valve and its lines", (HlSpot){place.x, place.y}, (HlSpot){0.25, 0.5});
    measure (window, circuit, "a new line", (HlSpot){port.x, port.y}, (HlSpot){1.0, 0.7});
    measure (window, circuit, "a rubber band", (HlSpot){place.x + 25, place.y - 20}, (HlSpot){1.0, 0.7});
  }
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (many);
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, "link2", "C");
  /* a drag begins some pixels from the press */
  double step = LINKAGE_STEP_PX / hl_canvas_view (hl_tool_bridge_canvas (linkage))->scale;
  measure (window, linkage, "a linkage", point->at, (HlSpot){step, -step});
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
