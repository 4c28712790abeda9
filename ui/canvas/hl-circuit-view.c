/* SPDX-License-Identifier: MIT */
/* Lines have the colour of their pressure at the time cursor, or in the examined mode. */
#include "ui/canvas/hl-circuit-view.h"

#include "core/base/hl-translation-macros.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/widget/hl-pixel-cache.h"

#include <math.h>
#include <string.h>

#define LEAST_SHOWN 5e-3 /* of the largest pressure in a mode */
#define REACH_PX 6.0
#define SEEN (1.0 / 512) /* smallest change of a fraction that shows */
#define MIN_SCALE 2.0    /* px a module */
#define MAX_SCALE 80.0
#define FIT_SCALE 11.0
#define LEGEND_PX 22.0 /* the colour map at the foot */

struct _HlCircuitView {
  HlCanvas parent_instance;
  HlToolBridge *bridge;
  HlCircuitScene *scene;
  HlCircuitPicture mode; /* the same with the pressures of a mode */
  GArray *mode_nets;     /* HlCircuitNet */
  GStringChunk *mode_texts;
  gboolean is_waiting; /* the circuit is laid out elsewhere, the picture is empty meanwhile */
  /* Inputs of the present picture: a frame needs it several times. */
  struct {
    const HlCircuitPicture *picture; /* NULL: none */
    HlDocument *document;            /* kept */
    const HlResults *results;
    int n_rows;
    double t;
  } made;
};

G_DEFINE_FINAL_TYPE (HlCircuitView, hl_circuit_view, HL_TYPE_CANVAS)

/* Adds the pressures of a mode: the color of a line is its deviation at this part of the period, its label
 * the size relative to the largest one and the phase relative to the motion. */
static const HlCircuitPicture *put_mode (HlCircuitView *self, const HlCircuitPicture *picture) {
  HlWorkbench *workbench = hl_canvas_workbench (HL_CANVAS (self));
  HlLocusStudy *study = hl_workbench_locus (workbench);
  int mode = hl_locus_study_mode (study);

  self->mode = *picture;
  g_array_set_size (self->mode_nets, 0);
  g_array_append_vals (self->mode_nets, picture->nets, (guint)picture->n_nets);
  g_string_chunk_clear (self->mode_texts);
  for (int i = 0; i < picture->n_nets; i++) {
    HlCircuitNet *net = &g_array_index (self->mode_nets, HlCircuitNet, i);
    const char *id = hl_circuit_scene_net_id (self->scene, i);
    double size, phase;
    net->pressure = NAN;
    net->n_arrows = 0;
    net->label = NULL;
    if (!hl_mode_pressure (hl_editing_point (hl_workbench_editing (workbench)), mode, id, &size, &phase))
      continue;
    double degrees = round (phase * 180 / G_PI);
    degrees = degrees <= -180 ? degrees + 360 : degrees;
    g_autofree char *text = size < LEAST_SHOWN ? g_strdup_printf ("%s 0", id)
                                               : g_strdup_printf ("%s %.0f %% ∠ %s%.0f°", id, 100 * size,
                                                                  degrees < 0 ? "−" : "", fabs (degrees));
    net->pressure = 0.5 + 0.5 * size * cos (2 * G_PI * hl_locus_study_mode_phase (study) + phase);
    net->label = g_string_chunk_insert (self->mode_texts, text);
  }
  self->mode.nets = (gconstpointer)self->mode_nets->data;
  self->mode.pressure_low = 0;
  self->mode.pressure_high = 1;
  self->mode.pressure_low_label = "−";
  self->mode.pressure_high_label = "+";
  return &self->mode;
}

static gboolean is_made (const HlCircuitView *self, const HlDocument *document, const HlInstant *instant) {
  return self->made.picture != NULL && self->made.document == document &&
         self->made.results == instant->results && self->made.t == instant->t &&
         (instant->results == NULL || self->made.n_rows == hl_results_n_rows (instant->results));
}

/* Discards the picture; other changes of its inputs are announced. */
static void forget_picture (HlCircuitView *self) {
  self->made.picture = NULL;
}

static const HlCircuitPicture *update (HlCircuitView *self) {
  HlWorkbench *workbench = hl_canvas_workbench (HL_CANVAS (self));
  HlRuns *runs = hl_workbench_runs (workbench);
  HlRun *run = hl_runs_shown (runs);
  HlInstant instant = {run != NULL ? run->results : NULL, hl_runs_time (runs)};
  HlMarks marks = {hl_workbench_selection (workbench), hl_workbench_hover (workbench),
                   hl_editing_findings (hl_workbench_editing (workbench))};
  const HlDocument *document = hl_tool_bridge_document (self->bridge);
  HlTool *tool = hl_tool_bridge_tool (self->bridge);

  if (!is_made (self, document, &instant)) {
    g_autoptr (HlDocument) shown = hl_document_ref (document);
    if (hl_tool_document (tool) == document) { /* one sheet for both */
      HlCircuitSheet *sheet = hl_tool_sheet_or_wait (tool);
      self->is_waiting = sheet == NULL;
      if (sheet != NULL)
        hl_circuit_scene_offer_sheet (self->scene, sheet);
      else {
        g_clear_pointer (&shown, hl_document_unref);
        shown = hl_document_new_empty ();
      }
    }
    self->made.picture =
        hl_circuit_scene_update (self->scene, shown, &instant, &marks, hl_workbench_units (workbench));
    hl_document_ref (document);
    hl_document_unref (self->made.document);
    self->made.document = (HlDocument *)document;
    self->made.results = instant.results;
    self->made.n_rows = instant.results != NULL ? hl_results_n_rows (instant.results) : 0;
    self->made.t = instant.t;
  }
  return hl_locus_study_mode_movie (hl_workbench_locus (workbench)) != NULL
             ? put_mode (self, self->made.picture)
             : self->made.picture;
}

static void hl_circuit_view_paint (HlCanvas *canvas, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlCircuitPicture picture = *update (HL_CIRCUIT_VIEW (canvas));
  const HlTool *tool = hl_tool_bridge_tool (HL_CIRCUIT_VIEW (canvas)->bridge);
  if (!hl_tool_is_busy (tool))
    picture.empty_text =
        HL_CIRCUIT_VIEW (canvas)->is_waiting
            ? _ ("The circuit is being laid out")
            : _ ("No circuit yet\n\nClick a symbol of the palette, then the paper: a component\nDrag from "
                 "port to port: a line\nSelect a component: its properties appear in the side pane");
  picture.show_ports = TRUE;
  picture.left_px = hl_canvas_covered (canvas);
  picture.is_connecting = strcmp (hl_tool_id (tool), "connect") == 0;
  hl_paint_circuit (cr, &picture, hl_canvas_view (canvas), area, style);
}

static void hl_circuit_view_paint_over (HlCanvas *canvas, cairo_t *cr, HlRect area, const HlStyle *style) {
  hl_tool_bridge_paint (HL_CIRCUIT_VIEW (canvas)->bridge, cr, area, style);
}

static guint64 hl_circuit_view_fingerprint_over (HlCanvas *canvas) {
  return hl_tool_bridge_fingerprint (HL_CIRCUIT_VIEW (canvas)->bridge, 0);
}

static guint64 hl_circuit_view_fingerprint (HlCanvas *canvas) {
  gboolean is_new;
  guint64 print = hl_tool_bridge_fingerprint_drawing (HL_CIRCUIT_VIEW (canvas)->bridge, &is_new);
  if (is_new)
    return print;
  const HlCircuitPicture *picture = update (HL_CIRCUIT_VIEW (canvas));
  double range = picture->pressure_high - picture->pressure_low;

  print = hl_fingerprint_text (print, picture->pressure_high_label);

  for (int i = 0; i < picture->n_symbols; i++) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    const double numbers[] = {symbol->place.x,       symbol->place.y,      symbol->place.rotation,
                              symbol->place.mirror,  symbol->state.open,   symbol->state.has_relief,
                              symbol->state.one_way, symbol->state.spring, symbol->selected,
                              symbol->hovered,       symbol->is_problem,   symbol->linked};
    for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
      print = hl_fingerprint_number (print, numbers[k], 1);
    print = hl_fingerprint_text (print, hl_shape_kind_name (symbol->kind));
    print = hl_fingerprint_number (print, symbol->state.spool, SEEN);
    print = hl_fingerprint_number (print, symbol->state.stroke, SEEN);
    print = hl_fingerprint_number (print, symbol->state.opening, SEEN);
    print = hl_fingerprint_text (print, symbol->label);
  }
  for (int i = 0; i < picture->n_nets; i++) {
    const HlCircuitNet *net = &picture->nets[i];
    print = hl_fingerprint_number (print, net->pressure / range, SEEN);
    print = hl_fingerprint_number (
        print, net->selected + 2 * net->hovered + 4 * net->is_problem + 8 * net->dashed + 16 * net->n_wires,
        1);
    for (int end = 0; end < net->n_loose; end++)
      print = hl_fingerprint_number (print, net->loose[end].x + 1e6 * net->loose[end].y, 1);
    for (int wire = 0; wire < net->n_wires; wire++)
      for (int point = 0; point < net->wires[wire].n; point++) {
        print = hl_fingerprint_number (print, net->wires[wire].points[point].x, 1);
        print = hl_fingerprint_number (print, net->wires[wire].points[point].y, 1);
      }
    for (int arrow = 0; arrow < net->n_arrows; arrow++) {
      const double numbers[] = {net->arrows[arrow].way.x, net->arrows[arrow].way.y,
                                sqrt (net->arrows[arrow].size)};
      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        print = hl_fingerprint_number (print, numbers[k], SEEN);
    }
    print = hl_fingerprint_text (print, net->label);
  }
  return print;
}

static HlRect hl_circuit_view_box (HlCanvas *canvas) {
  return hl_circuit_box (update (HL_CIRCUIT_VIEW (canvas)));
}

static const char *hl_circuit_view_hit (HlCanvas *canvas, HlSpot device, const HlStyle *style) {
  HlCircuitView *self = HL_CIRCUIT_VIEW (canvas);
  const HlView *view = hl_canvas_view (canvas);
  const HlCircuitPicture *picture = update (self);
  HlSpot world = hl_view_to_world (view, device);
  double reach = REACH_PX / view->scale;

  int symbol = hl_circuit_symbol_at (picture, world, reach);
  if (symbol >= 0)
    return hl_circuit_scene_symbol_id (self->scene, symbol);
  int net = hl_circuit_net_at (picture, world, reach);
  return net >= 0 ? hl_circuit_scene_net_id (self->scene, net) : NULL;
}

static gboolean hl_circuit_view_where (HlCanvas *canvas, const char *id, HlRect *box) {
  return hl_circuit_where (HL_CIRCUIT_VIEW (canvas)->scene, update (HL_CIRCUIT_VIEW (canvas)), id, box);
}

static void hl_circuit_view_changed (HlCanvas *canvas, guint changes) {
  forget_picture (HL_CIRCUIT_VIEW (canvas));
  hl_tool_bridge_changed (HL_CIRCUIT_VIEW (canvas)->bridge, changes);
  if (changes & HL_CHANGED_DOCUMENT)
    hl_canvas_box_changed (canvas);
  if (changes &
      (HL_CHANGED_NUMBERS | HL_CHANGED_RUN | HL_CHANGED_TIME | HL_CHANGED_SELECTION | HL_CHANGED_HOVER |
       HL_CHANGED_FINDINGS | HL_CHANGED_UNITS | HL_CHANGED_MODE | HL_CHANGED_PHASE))
    hl_pixels_queue_draw (GTK_WIDGET (canvas));
}

/* Shows the circuit that a tool waited for. */
static void tool_changed_cb (HlToolBridge *bridge, HlCircuitView *self) {
  if (!self->is_waiting || hl_tool_sheet_or_wait (hl_tool_bridge_tool (bridge)) == NULL)
    return;
  self->is_waiting = FALSE;
  forget_picture (self);
  hl_canvas_expect_slow (HL_CANVAS (self));
  hl_canvas_box_changed (HL_CANVAS (self));
}

/* Returns whether an event is on the block of a controller, which has no position of its own: a click on it
 * selects its element. */
static gboolean is_on_block (HlCircuitView *self, const HlCanvasEvent *event) {
  const HlCircuitPicture *picture = update (self);

  if (event->type != HL_CANVAS_PRESS || event->button != GDK_BUTTON_PRIMARY ||
      hl_tool_is_busy (hl_tool_bridge_tool (self->bridge)))
    return FALSE;
  for (int k = 0; k < picture->n_controls; k++)
    if (hl_rect_contains (picture->controls[k].box, event->at))
      return TRUE;
  return FALSE;
}

static gboolean hl_circuit_view_event (HlCanvas *canvas, const HlCanvasEvent *event) {
  if (is_on_block (HL_CIRCUIT_VIEW (canvas), event))
    return FALSE;
  return hl_tool_bridge_event (HL_CIRCUIT_VIEW (canvas)->bridge, event);
}

HlToolBridge *hl_circuit_view_bridge (HlCircuitView *self) {
  return self->bridge;
}

static void hl_circuit_view_dispose (GObject *object) {
  if (HL_CIRCUIT_VIEW (object)->bridge != NULL)
    g_object_run_dispose (G_OBJECT (HL_CIRCUIT_VIEW (object)->bridge));
  G_OBJECT_CLASS (hl_circuit_view_parent_class)->dispose (object);
}

static void hl_circuit_view_finalize (GObject *object) {
  hl_circuit_scene_free (HL_CIRCUIT_VIEW (object)->scene);
  g_array_unref (HL_CIRCUIT_VIEW (object)->mode_nets);
  g_string_chunk_free (HL_CIRCUIT_VIEW (object)->mode_texts);
  hl_document_unref (HL_CIRCUIT_VIEW (object)->made.document);
  g_object_unref (HL_CIRCUIT_VIEW (object)->bridge);
  G_OBJECT_CLASS (hl_circuit_view_parent_class)->finalize (object);
}

static void hl_circuit_view_class_init (HlCircuitViewClass *klass) {
  HlCanvasClass *canvas_class = HL_CANVAS_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_circuit_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_circuit_view_finalize;
  canvas_class->foot_px = LEGEND_PX;
  canvas_class->event = hl_circuit_view_event;
  canvas_class->turn = 0;
  canvas_class->paint = hl_circuit_view_paint;
  canvas_class->paint_over = hl_circuit_view_paint_over;
  canvas_class->fingerprint = hl_circuit_view_fingerprint;
  canvas_class->fingerprint_over = hl_circuit_view_fingerprint_over;
  canvas_class->box = hl_circuit_view_box;
  canvas_class->hit = hl_circuit_view_hit;
  canvas_class->where = hl_circuit_view_where;
  canvas_class->changed = hl_circuit_view_changed;
}

static void hl_circuit_view_init (HlCircuitView *self) {
  self->bridge = hl_tool_bridge_new (HL_CANVAS (self), HL_TOOL_CIRCUIT);
  g_signal_connect (self->bridge, "changed", G_CALLBACK (tool_changed_cb), self);
  self->scene = hl_circuit_scene_new ();
  self->mode_nets = g_array_new (FALSE, FALSE, sizeof (HlCircuitNet));
  self->mode_texts = g_string_chunk_new (128);
  hl_canvas_set_scale_limits (HL_CANVAS (self), FALSE, MIN_SCALE, MAX_SCALE, FIT_SCALE);
}
