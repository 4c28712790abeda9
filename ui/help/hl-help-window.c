/* SPDX-License-Identifier: MIT */
#include "ui/help/hl-help-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/help/hl-help-page.h"
#include "core/help/hl-help-law-evaluation.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/system/hl-hydraulic-model.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/formula/hl-formula-typesetting.h"
#include "ui/paint/formula/hl-paint-law-curve.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

/* A page of the help: text, formulas and curves with the numbers of the element. Widgets refer to their formula or
 * curve by its number on the page, so that the next page, with other numbers, is shown by drawing them again. */

/* Asks for a number of the element; NULL: the drag has ended. */
typedef void (*HlHelpCurveSet) (gpointer owner, const HlField *field, double number);

#define HEIGHT_PX 250
#define GRAB_PX 12.0
#define CURVE_DIGITS 4
#define CURVE_KEY "hl-help-curve"

typedef struct {
  GtkWidget *widget; /* borrowed: it owns this */
  HlHelpCurveSet set;
  gpointer owner;
  HlCurvePicture picture; /* .part NULL: nothing is shown yet */
  HlCurveAxes axes;       /* while it is dragged */
  gboolean is_live, is_held;
  const HlField *field; /* that a drag sets, or would; NULL: none */
  double x, grip;       /* where it was taken [SI]; from the pointer to the curve [px] */
  char *note;
} Curve;

static Curve *curve_of (GtkWidget *widget) {
  return g_object_get_data (G_OBJECT (widget), CURVE_KEY);
}

static void let_go (Curve *self) {
  if (!self->is_held)
    return;
  self->is_held = FALSE;
  self->picture.held = NULL;
  self->set (self->owner, NULL, NAN);
}

static void curve_free (gpointer data) {
  Curve *self = data;

  let_go (self);
  g_free (self->note);
  g_free (self);
}

static HlRect area_of (Curve *self) {
  return (HlRect){0.0, 0.0, gtk_widget_get_width (self->widget), gtk_widget_get_height (self->widget)};
}

/* Describes the number that a drag sets: "Diameter: 3.2 mm". */
static void describe_curve (Curve *self) {
  g_clear_pointer (&self->note, g_free);
  for (int k = 0; self->field != NULL && k < self->picture.part->help->n_letters; k++) {
    const HlLetter *letter = &self->picture.part->help->letters[k];
    if (self->picture.part->law->field (self->picture.part, letter) != self->field)
      continue;
    g_autofree char *number =
        hl_units_format (self->picture.units, self->field->quantity,
                         hl_help_part_letter (self->picture.part, letter), CURVE_DIGITS);
    self->note = g_strdup_printf ("↕ %s: %s", _ (self->field->label), number);
    break;
  }
  self->picture.note = self->note;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->note != NULL ? self->note : "", -1);
  hl_pixels_queue_draw (self->widget);
}

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  Curve *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));

  if (self->picture.part == NULL)
    return;
  hl_paint_background (cr, 0.0, 0.0, width, height, &style);
  hl_paint_curve (cr, &self->picture, (HlRect){0.0, 0.0, width, height}, &style);
}

/* --- pointer --- */

/* Returns whether the spot is on the curve; then the abscissa, and how far above the curve it is. */
static gboolean is_on (Curve *self, HlSpot spot, double *x, double *grip) {
  HlStyle style = hl_widget_style (self->widget);
  double y;

  if (!self->is_live || !hl_curve_read (&self->picture, area_of (self), &style, spot, x, &y))
    return FALSE;
  *grip = hl_curve_height (&self->picture, area_of (self), &style, *x) - spot.y;
  return fabs (*grip) <= GRAB_PX;
}

static void choose_field (Curve *self, const HlField *field) {
  if (self->field == field)
    return;
  self->field = field;
  gtk_widget_set_cursor_from_name (self->widget, field != NULL ? "ns-resize" : NULL);
  describe_curve (self);
}

static void motion_cb (GtkEventControllerMotion *controller, double x, double y, Curve *self) {
  double at, grip;

  if (self->is_held)
    return;
  gboolean takes = is_on (self, (HlSpot){x, y}, &at, &grip);
  choose_field (self, takes ? hl_help_shape_at (self->picture.part, self->picture.curve, at).field : NULL);
}

static void leave_cb (GtkEventControllerMotion *controller, Curve *self) {
  if (!self->is_held)
    choose_field (self, NULL);
}

static void drag_begin_cb (GtkGestureDrag *gesture, double x, double y, Curve *self) {
  HlHelpShape shape = {NULL, NULL, NAN};

  if (is_on (self, (HlSpot){x, y}, &self->x, &self->grip))
    shape = hl_help_shape_at (self->picture.part, self->picture.curve, self->x);
  if (shape.field == NULL) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->axes = hl_curve_axes (&self->picture);
  self->picture.held = &self->axes;
  self->is_held = TRUE;
  choose_field (self, shape.field);
}

/* Returns the letter of the field, with its present number. */
static HlHelpShape shape_of (Curve *self) {
  const HlHelpPart *part = self->picture.part;

  for (int k = 0; k < part->help->n_letters; k++)
    if (part->law->field (part, &part->help->letters[k]) == self->field)
      return (HlHelpShape){self->field, &part->help->letters[k],
                           hl_help_part_letter (part, &part->help->letters[k])};
  return (HlHelpShape){NULL, NULL, NAN};
}

static void drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, Curve *self) {
  HlStyle style = hl_widget_style (self->widget);
  double start_x, start_y, x, y;

  if (!self->is_held || !gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y))
    return;
  HlHelpShape shape = shape_of (self);
  hl_curve_read (&self->picture, area_of (self), &style, (HlSpot){start_x, start_y + dy + self->grip}, &x,
                 &y);
  if (shape.field == NULL || !isfinite (y))
    return;
  double number = hl_help_shape_solve (self->picture.part, self->picture.curve, &shape, self->x, y);
  if (isfinite (number) && number != shape.number)
    self->set (self->owner, shape.field, number);
}

static void drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, Curve *self) {
  let_go (self);
  hl_pixels_queue_draw (self->widget);
}

static void drag_cancel_cb (GtkGesture *gesture, GdkEventSequence *sequence, Curve *self) {
  let_go (self);
}

/* --- for the page --- */

/* Shows a curve, borrowed until the next call. `is_live`: the curve of an element whose numbers can be set. */
static void curve_show (GtkWidget *widget, const HlHelpPart *part, const HlCurve *curve, HlUnits units,
                        gboolean is_live) {
  Curve *self = curve_of (widget);

  self->picture.part = part;
  self->picture.curve = curve;
  self->picture.units = units;
  self->is_live = is_live;
  describe_curve (self);
}

/* Returns a curve widget; `set` stores numbers; its owner outlives the widget. */
static GtkWidget *curve_new (const char *name, HlHelpCurveSet set, gpointer owner) {
  GtkWidget *widget = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  Curve *self = g_new0 (Curve, 1);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->widget = widget;
  self->set = set;
  self->owner = owner;
  g_object_set_data_full (G_OBJECT (widget), CURVE_KEY, self, curve_free);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (widget), HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (widget), draw_cb, self, NULL);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  return widget;
}

#define DIGITS 5
#define SYMBOL_PX 110
#define SPACING 6
#define NUMBER_KEY "hl-help-number"

struct _HlHelpView {
  GtkBox parent_instance;
  HlHelpPage *page;
  HlUnits units;
  GPtrArray *curves;   /* const HlCurve */
  GPtrArray *drawings; /* GtkWidget, borrowed */
  GPtrArray *plots;    /* of the curves, borrowed */
  GPtrArray *results;  /* GtkLabel of each formula */
  GPtrArray *numbers;  /* GtkLabel of each letter */
  GPtrArray *values;   /* GtkLabel of each field, or NULL */
  GtkWidget *pointed;  /* of the requested property, borrowed; NULL: none */
  HlHelpViewSet set;
  gpointer owner;
};

G_DEFINE_FINAL_TYPE (HlHelpView, hl_help_view, GTK_TYPE_BOX)

static int number_of (GtkWidget *widget) {
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), NUMBER_KEY));
}

/* --- pieces --- */

static GtkWidget *label_new (const char *text, const char *class) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static void add_child (HlHelpView *self, GtkWidget *child) {
  gtk_box_append (GTK_BOX (self), child);
}

static GtkWidget *drawing_new (HlHelpView *self, int number, GtkDrawingAreaDrawFunc draw, const char *name) {
  GtkWidget *drawing = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  g_object_set_data (G_OBJECT (drawing), NUMBER_KEY, GINT_TO_POINTER (number));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (drawing), draw, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drawing), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_ptr_array_add (self->drawings, drawing);
  return drawing;
}

/* --- the drawings --- */

static void draw_symbol_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlHelpView *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
  HlShapeKind kind = hl_shape_kind_from_name (self->page->kind->name);
  HlShapeState state = {0};
  HlPlacement place = {0};
  HlView view = {.scale = 1.0};

  hl_view_fit (&view, hl_shape_box (kind), (HlRect){0.0, 0.0, width, height}, 6.0, 16.0);
  hl_paint_symbol (cr, kind, &state, &place, &view, 1.0, &style);
}

static void draw_formula_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlHelpView *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
  guint k = (guint)number_of (GTK_WIDGET (area));
  double wide, above, below;

  if (k >= self->page->formulas->len)
    return;
  const HlHelpFormula *formula = &g_array_index (self->page->formulas, HlHelpFormula, k);
  g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, formula->term, &style);
  hl_formula_box_size (box, &wide, &above, &below);
  hl_formula_box_paint (cr, box, (HlSpot){2.0, 0.5 * (height - above - below) + above}, style.ink);
}

/* Sets the size of the drawing to that of its formula in the style of the window. */
static void fit_formula (GtkWidget *drawing, const HlTerm *term) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  HlStyle style = hl_widget_style (drawing);
  g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, term, &style);
  double width, above, below;

  hl_formula_box_size (box, &width, &above, &below);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (drawing), (int)ceil (width) + 4);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (drawing), (int)ceil (above + below) + 4);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* --- building a page --- */

static void add_head (HlHelpView *self) {
  const HlKind *kind = self->page->kind;
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2 * SPACING);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  g_autofree char *ports = hl_help_page_ports (self->page);
  g_autofree char *title = self->page->id != NULL
                               ? g_strdup_printf ("%s: %s", self->page->id, _ (kind->label))
                               : g_strdup (_ (kind->label));

  if (kind->section == HL_SECTION_COMPONENTS) {
    GtkWidget *symbol = drawing_new (self, 0, draw_symbol_cb, _ ("Symbol"));
    gtk_widget_set_size_request (symbol, SYMBOL_PX, SYMBOL_PX);
    gtk_box_append (GTK_BOX (row), symbol);
  }
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (words), label_new (title, "title-2"));
  gtk_box_append (GTK_BOX (words), label_new (_ (kind->help), NULL));
  if (ports != NULL) {
    g_autofree char *line = g_strdup_printf ("%s %s", _ ("Ports:"), ports);
    gtk_box_append (GTK_BOX (words), label_new (line, NULL));
  }
  gtk_box_append (GTK_BOX (row), words);
  add_child (self, row);
}

static GtkWidget *formulas_new (HlHelpView *self) {
  const GArray *formulas = self->page->formulas;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);

  for (guint k = 0; k < formulas->len; k++) {
    const HlHelpFormula *formula = &g_array_index (formulas, HlHelpFormula, k);
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3 * SPACING);
    GtkWidget *drawing = drawing_new (self, (int)k, draw_formula_cb, formula->text->text);
    GtkWidget *result = label_new ("", "accent");
    gtk_label_set_wrap (GTK_LABEL (result), FALSE);
    fit_formula (drawing, formula->term);
    gtk_widget_set_halign (drawing, GTK_ALIGN_START);
    gtk_box_append (GTK_BOX (row), drawing);
    gtk_box_append (GTK_BOX (row), result);
    g_ptr_array_add (self->results, result);
    gtk_box_append (GTK_BOX (box), row);
    if (formula->text->when != NULL)
      gtk_box_append (GTK_BOX (box), label_new (_ (formula->text->when), "dim-label"));
  }
  return box;
}

static char *letter_markup (const char *letter) {
  g_autofree char *index = NULL;
  g_autofree char *shown = hl_term_letter_shown (letter, &index, NULL);

  return index != NULL ? g_markup_printf_escaped ("<i>%s</i><sub>%s</sub>", shown, index)
                       : g_markup_printf_escaped ("<i>%s</i>", shown);
}

static GtkWidget *grid_new (void) {
  return g_object_new (GTK_TYPE_GRID, "column-spacing", 18, "row-spacing", 3, NULL);
}

static GtkWidget *legend_new (HlHelpView *self) {
  const GArray *letters = self->page->letters;
  GtkWidget *grid = grid_new ();

  for (guint k = 0; k < letters->len; k++) {
    const HlHelpLetter *letter = &g_array_index (letters, HlHelpLetter, k);
    g_autofree char *markup = letter_markup (letter->letter->name);
    g_autofree char *words = hl_help_letter_words (self->page, letter);
    GtkWidget *name = label_new ("", NULL), *number = label_new ("", "numeric");
    gtk_label_set_markup (GTK_LABEL (name), markup);
    gtk_label_set_xalign (GTK_LABEL (number), 1.0);
    gtk_grid_attach (GTK_GRID (grid), name, 0, (int)k, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), number, 1, (int)k, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), label_new (words, NULL), 2, (int)k, 1, 1);
    g_ptr_array_add (self->numbers, number);
  }
  return grid;
}

/* Returns "= 31.2 L/min"; a result without a quantity has the SI unit of its dimension. */
static char *result_text (HlHelpView *self, const HlHelpFormula *formula) {
  HlQuantity quantity;
  HlDimension dimension;
  char text[48];

  if (!isfinite (formula->value))
    return g_strdup ("");
  if (hl_help_formula_quantity (self->page, formula, &quantity)) {
    g_autofree char *number = hl_units_format (self->units, quantity, formula->value, DIGITS);
    return g_strconcat ("= ", number, NULL);
  }
  hl_axis_format (formula->value, DIGITS, text, sizeof text);
  if (!hl_help_formula_dimension (self->page, formula, &dimension) || hl_dimension_is_none (dimension))
    return g_strconcat ("= ", text, NULL);
  g_autofree char *unit = hl_dimension_text (dimension);
  return g_strconcat ("= ", text, " ", unit, NULL);
}

static void show_results (HlHelpView *self) {
  for (guint k = 0; k < self->results->len; k++) {
    g_autofree char *text = result_text (self, &g_array_index (self->page->formulas, HlHelpFormula, k));
    gtk_label_set_text (g_ptr_array_index (self->results, k), text);
  }
}
#define BESIDE_PX 540 /* width of equations up to which the legend stands beside them */
#define BESIDE_SPACING 24

/* Appends the equations with the legend of their letters beside them, or below very wide ones. */
static void add_equations (HlHelpView *self) {
  GtkWidget *formulas = formulas_new (self), *letters = legend_new (self);
  int width;

  if (self->page->formulas->len > 0)
    add_child (self, label_new (_ ("Equations"), "heading"));
  if (self->page->id != NULL && self->page->formulas->len > 0)
    add_child (self, label_new (_ ("Numbers at the time cursor"), "dim-label"));
  show_results (self); /* as wide as they are with their numbers */
  gtk_widget_measure (formulas, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gboolean is_beside = width <= BESIDE_PX;
  GtkWidget *row =
      gtk_box_new (is_beside ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, BESIDE_SPACING);
  gtk_widget_set_valign (letters, GTK_ALIGN_START);
  gtk_widget_set_hexpand (letters, TRUE);
  gtk_box_append (GTK_BOX (row), formulas);
  gtk_box_append (GTK_BOX (row), letters);
  add_child (self, row);
}

static void set_cb (gpointer owner, const HlField *field, double number) {
  HlHelpView *self = owner;

  if (self->set != NULL)
    self->set (self->owner, field, number);
}

static void add_curves (HlHelpView *self) {
  for (guint k = 0; k < self->curves->len; k++) {
    const HlCurve *curve = g_ptr_array_index (self->curves, k);
    GtkWidget *plot = curve_new (_ (curve->title), set_cb, self);
    g_ptr_array_add (self->plots, plot);
    add_child (self, label_new (_ (curve->title), "heading"));
    add_child (self, plot);
  }
  if (self->curves->len > 0)
    add_child (self,
               label_new (_ ("The point is the state of the run at the time cursor, or a typical one. The "
                             "line through the point is the tangent, which the linear model uses."),
                          "dim-label"));
  if (self->curves->len > 0 && self->page->id != NULL && self->set != NULL)
    add_child (
        self,
        label_new (
            _ ("Drag a curve to change the number that determines it most at that place; the model follows."),
            "dim-label"));
}

/* Goes to the page of a signal. */
static gboolean link_cb (GtkLabel *label, const char *field, HlHelpView *self) {
  gtk_widget_activate_action (GTK_WIDGET (self), "help.signal", "s", field);
  return TRUE;
}

static void add_fields (HlHelpView *self) {
  const HlKind *kind = self->page->kind;
  GtkWidget *grid = grid_new ();

  if (kind->n_fields > 0)
    add_child (self, label_new (_ ("Properties"), "heading"));
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    g_autofree char *range = hl_help_field_range (field, NULL);
    GtkWidget *value = label_new ("", "numeric");
    g_signal_connect (value, "activate-link", G_CALLBACK (link_cb), self);
    gtk_grid_attach (GTK_GRID (grid), label_new (_ (field->label), NULL), 0, k, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), value, 1, k, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), label_new (range, "dim-label"), 2, k, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), label_new (field->help != NULL ? _ (field->help) : "", NULL), 3, k, 1,
                     1);
    g_ptr_array_add (self->values, value);
  }
  add_child (self, grid);
}

static void add_rest (HlHelpView *self) {
  g_autofree char *states = hl_help_page_states (self->page);

  add_child (self, label_new (_ ("States"), "heading"));
  add_child (self, label_new (states != NULL ? states : _ ("None."), NULL));
  if (self->page->kind->section == HL_SECTION_COMPONENTS)
    add_child (self, label_new (_ ("In the oil models"), "heading"));
  for (int oil = 0; oil < HL_N_OIL_MODELS && self->page->kind->section == HL_SECTION_COMPONENTS; oil++) {
    g_autofree char *taken = hl_help_page_oil (self->page, oil);
    g_autofree char *line =
        g_strdup_printf ("%s: %s", g_dpgettext2 (NULL, "choice", hl_oil_models[oil]->label), taken);
    add_child (self, label_new (line, NULL));
  }
  add_child (self, label_new (_ ("Sources"), "heading"));
  add_child (self, label_new (hl_help_page_sources (self->page), NULL));
}

static void clear (HlHelpView *self) {
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_box_remove (GTK_BOX (self), child);
  g_ptr_array_set_size (self->drawings, 0);
  g_ptr_array_set_size (self->plots, 0);
  self->pointed = NULL;
  g_ptr_array_set_size (self->results, 0);
  g_ptr_array_set_size (self->numbers, 0);
  g_ptr_array_set_size (self->values, 0);
}

/* --- numbers --- */

static void show_field (HlHelpView *self, int k) {
  const HlKind *kind = self->page->kind;
  const HlField *field = &kind->fields[k];
  const HlValue *element = self->page->element;
  const HlKind *signal = hl_help_signal_kind (self->page, field);
  g_autofree char *text = NULL;
  if (signal != NULL) {
    g_autofree char *link = g_markup_printf_escaped ("<a href=\"%s\">%s</a>", field->name, _ (signal->label));
    gtk_label_set_markup (g_ptr_array_index (self->values, (guint)k), link);
    return;
  }

  if (field->type == HL_FIELD_NUMBER) {
    double value = hl_kind_number (kind, element, field->name, NULL);
    text = isfinite (value) ? hl_units_format (self->units, field->quantity, value, DIGITS) : NULL;
  } else if (field->type == HL_FIELD_CHOICE)
    text = g_strdup (hl_schema_word (hl_kind_text (kind, element, field->name)));
  else if (field->type == HL_FIELD_BOOLEAN)
    text = g_strdup (hl_kind_boolean (kind, element, field->name) ? _ ("yes") : _ ("no"));
  else
    text = g_strdup (hl_value_string (hl_value_at (element, field->name)));
  gtk_label_set_text (g_ptr_array_index (self->values, (guint)k), text != NULL ? text : "–");
}

static void show_numbers (HlHelpView *self) {
  show_results (self);
  for (guint k = 0; k < self->numbers->len; k++) {
    const HlHelpLetter *letter = &g_array_index (self->page->letters, HlHelpLetter, k);
    g_autofree char *text =
        isfinite (letter->value) ? hl_units_format (self->units, letter->quantity, letter->value, DIGITS)
        : letter->quantity == HL_QUANTITY_NONE
            ? g_strdup ("–")
            : g_strdup_printf ("[%s]", self->units[letter->quantity]->symbol); /* no value now */
    gtk_label_set_text (g_ptr_array_index (self->numbers, k), text);
  }
  for (guint k = 0; k < self->values->len; k++)
    show_field (self, (int)k);
  for (guint k = 0; k < self->drawings->len; k++)
    hl_pixels_queue_draw (g_ptr_array_index (self->drawings, k));
  for (guint k = 0; k < self->plots->len; k++)
    curve_show (g_ptr_array_index (self->plots, k), self->page->part, g_ptr_array_index (self->curves, k),
                self->units, self->page->id != NULL && self->set != NULL);
}

/* Returns whether the widgets of one serve the other. */
static gboolean is_alike (HlHelpView *self, const HlHelpPage *b, const GPtrArray *curves) {
  const HlHelpPage *a = self->page;
  gboolean alike = a != NULL && a->kind == b->kind && g_strcmp0 (a->id, b->id) == 0 &&
                   a->formulas->len == b->formulas->len && a->letters->len == b->letters->len &&
                   self->curves->len == curves->len;

  for (guint k = 0; alike && k < curves->len; k++)
    alike = g_ptr_array_index (self->curves, k) == g_ptr_array_index (curves, k);

  for (guint k = 0; alike && k < a->formulas->len; k++)
    alike = g_array_index (a->formulas, HlHelpFormula, k).text ==
            g_array_index (b->formulas, HlHelpFormula, k).text;
  return alike;
}

/* Shows a page, which is taken. One with the same equations as before keeps the widgets and changes
 * their numbers only. */
static void view_show (HlHelpView *self, HlHelpPage *page, HlUnits units) {
  GPtrArray *curves = hl_help_page_curves (page);
  gboolean keeps = is_alike (self, page, curves);

  if (!keeps)
    clear (self);
  g_clear_pointer (&self->page, hl_help_page_free);
  g_clear_pointer (&self->curves, g_ptr_array_unref);
  self->page = page;
  self->units = units;
  self->curves = curves;
  if (!keeps) {
    add_head (self);
    add_equations (self);
    add_curves (self);
    add_fields (self);
    add_rest (self);
  }
  show_numbers (self);
}

const HlHelpPage *hl_help_view_page (HlHelpView *self) {
  return self->page;
}

static void view_set_setter (HlHelpView *self, HlHelpViewSet set, gpointer owner) {
  self->set = set;
  self->owner = owner;
}

GtkWidget *hl_help_view_point_at (HlHelpView *self, const char *field) {
  const HlKind *kind = self->page != NULL ? self->page->kind : NULL;

  if (self->pointed != NULL)
    gtk_widget_remove_css_class (self->pointed, "pointed");
  self->pointed = NULL;
  for (int k = 0; kind != NULL && field != NULL && k < kind->n_fields; k++)
    if (strcmp (kind->fields[k].name, field) == 0) {
      self->pointed = gtk_widget_get_prev_sibling (g_ptr_array_index (self->values, (guint)k));
      gtk_widget_add_css_class (self->pointed, "pointed");
    }
  return self->pointed;
}

/* --- pages on what is no part --- */

static void add_shortcuts (HlHelpView *self, const GPtrArray *shortcuts) {
  GtkWidget *grid = grid_new ();

  if (shortcuts->len > 0)
    add_child (self, label_new (_ ("Keys"), "heading"));
  for (guint k = 0; k + 1 < shortcuts->len; k += 2) {
    gtk_grid_attach (GTK_GRID (grid), label_new (g_ptr_array_index (shortcuts, k), "numeric"), 0, (int)k, 1,
                     1);
    gtk_grid_attach (GTK_GRID (grid), label_new (g_ptr_array_index (shortcuts, k + 1), NULL), 1, (int)k, 1,
                     1);
  }
  add_child (self, grid);
}

/* Shows a page on what is no part; `shortcuts`: keys and what they do alternately. Its page is NULL. */
static void view_show_topic (HlHelpView *self, const HlHelpTopic *topic, const GPtrArray *shortcuts) {
  clear (self);
  g_clear_pointer (&self->page, hl_help_page_free);
  g_clear_pointer (&self->curves, g_ptr_array_unref);
  add_child (self, label_new (_ (topic->label), "title-2"));
  for (int k = 0; k < HL_TOPIC_MOST_LINES && topic->lines[k] != NULL; k++)
    add_child (self, label_new (_ (topic->lines[k]), NULL));
  add_shortcuts (self, shortcuts);
  if (topic->sources != NULL) {
    add_child (self, label_new (_ ("Sources"), "heading"));
    add_child (self, label_new (topic->sources, NULL));
  }
}

/* --- life --- */

static void help_view_finalize (GObject *object) {
  HlHelpView *self = HL_HELP_VIEW (object);

  hl_help_page_free (self->page);
  g_clear_pointer (&self->curves, g_ptr_array_unref);
  g_ptr_array_unref (self->drawings);
  g_ptr_array_unref (self->plots);
  g_ptr_array_unref (self->results);
  g_ptr_array_unref (self->numbers);
  g_ptr_array_unref (self->values);
  G_OBJECT_CLASS (hl_help_view_parent_class)->finalize (object);
}

static void hl_help_view_class_init (HlHelpViewClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = help_view_finalize;
}

static void hl_help_view_init (HlHelpView *self) {
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), SPACING);
  self->drawings = g_ptr_array_new ();
  self->plots = g_ptr_array_new ();
  self->results = g_ptr_array_new ();
  self->numbers = g_ptr_array_new ();
  self->values = g_ptr_array_new ();
}

/* Keeps what stands there when nothing is known. */
static void set_if_known (double *place, double value) {
  if (isfinite (value))
    *place = value;
}

/* Returns the line at a port; NULL: it is on none. */
static const char *line_at (const HlHelpPage *page, const HlDocument *document, int port) {
  g_autofree char *path = g_strconcat (page->id, ".", page->kind->ports[port], NULL);
  int line = hl_document_line_of_port (document, path);

  return line >= 0 ? hl_value_string (
                         hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "id"))
                   : NULL;
}

static void set_pressures (HlHelpPage *page, const HlDocument *document, const HlInstant *instant) {
  for (int port = 0; port < page->kind->n_ports; port++) {
    const char *id = line_at (page, document, port);
    if (id != NULL)
      set_if_known (&page->part->p[port], hl_instant_value_of (instant, document, id, "pressure"));
  }
  for (int port = 0; port < page->kind->n_ports; port++)
    if (line_at (page, document, port) == NULL)
      hl_help_part_leave_open (page->part, port);
}

static double read_cb (void *data, const char *id, const char *name) {
  return hl_instant_recorded (data, id, name);
}

/* Moves the page's part to the instant: pressures of its lines, states, signals and motion from the run where it has
 * them, else from the document; the rest stays. Works the page out. */
static void live_look (HlHelpPage *page, const HlDocument *document, const HlInstant *instant) {
  HlHelpPart *part = page->part;
  int signal = 0;

  if (part == NULL || page->id == NULL)
    return;
  if (part->element != NULL) {
    hl_help_page_look (page, read_cb, (void *)instant, instant->t);
    return;
  }
  set_pressures (page, document, instant);
  for (int state = 0; state < part->c.n_states; state++) {
    char room[HL_STATE_NAME_ROOM];
    set_if_known (&part->state[state], hl_instant_value_of (instant, document, page->id,
                                                            hl_component_state_name (&part->c, state, room)));
  }
  for (int k = 0; k < page->kind->n_fields; k++)
    if (page->kind->fields[k].type == HL_FIELD_SIGNAL && signal < HL_MOST_COMMANDS)
      set_if_known (&part->signal[signal++],
                    hl_instant_value_of (instant, document, page->id, page->kind->fields[k].name));
  set_if_known (
      &part->length,
      hl_instant_recorded (instant, page->id, hl_cylinder_terms (part->c.klass->is_rotary)->place_output));
  set_if_known (&part->speed, hl_instant_recorded (instant, page->id, "speed"));
  hl_help_page_work_out (page);
}

#define OVERLAY "/io/github/hydrolink/Hydrolink/ui/help-overlay.ui"
#define BETWEEN "   "

/* Returns "Ctrl+F   Alt+Left" for a list of accelerators separated by blanks, or a range "1...9". */
static char *shown_keys (const char *accelerators) {
  g_auto (GStrv) each = g_strsplit (accelerators, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int k = 0; each[k] != NULL; k++) {
    guint key;
    GdkModifierType modifiers;
    g_autofree char *label = gtk_accelerator_parse (each[k], &key, &modifiers)
                                 ? gtk_accelerator_get_label (key, modifiers)
                                 : g_strdup (each[k]);
    g_string_append_printf (text, "%s%s", text->len > 0 ? BETWEEN : "", label);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the keys of an action in the application; owned by the caller. */
static char *keys_of_action (const char *action) {
  GApplication *application = g_application_get_default ();

  if (!GTK_IS_APPLICATION (application))
    return g_strdup ("");
  g_auto (GStrv) keys = gtk_application_get_accels_for_action (GTK_APPLICATION (application), action);
  return g_strjoinv (" ", keys);
}

GPtrArray *hl_help_keys (const char *group) {
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  if (group == NULL)
    return list;
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (OVERLAY);
  GtkWidget *box = GTK_WIDGET (gtk_builder_get_object (builder, group));
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));
  for (GtkWidget *row = box != NULL ? gtk_widget_get_first_child (box) : NULL; row != NULL;
       row = gtk_widget_get_next_sibling (row)) {
    g_autofree char *title = NULL, *keys = NULL, *action = NULL;
    if (!GTK_IS_SHORTCUTS_SHORTCUT (row))
      continue;
    g_object_get (row, "title", &title, "accelerator", &keys, "action-name", &action, NULL);
    g_autofree char *own =
        action != NULL && (keys == NULL || *keys == '\0') ? keys_of_action (action) : g_strdup (keys);
    if (own == NULL || *own == '\0')
      continue;
    g_ptr_array_add (list, shown_keys (own));
    g_ptr_array_add (list, g_steal_pointer (&title));
  }
  gtk_window_destroy (window);
  return list;
}

#define KIND_KEY "hl-help-kind"
#define TOPIC_KEY "hl-help-topic"
#define PLACE_KEY "hl-help-place"
#define ROW_SYMBOL_WIDTH 40 /* px, of a symbol in the list */
#define ROW_SYMBOL_HEIGHT 24
#define POINTED_SHARE 0.3 /* of the height, above the requested property */

struct _HlHelpWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  int n_rows; /* of the list */
  GtkWidget *search, *list, *scroll, *view;
  const HlKind *kind; /* of the page; NULL: it is on a pane */
  char *id;           /* of the element; NULL: the kind */
  char *field;        /* requested property, until it is visible; NULL: none */
  gboolean is_choosing;
};

G_DEFINE_FINAL_TYPE (HlHelpWindow, hl_help_window, GTK_TYPE_WINDOW)

/* --- the page --- */

/* Returns whether the document has the element, or the signal "ELEMENT.FIELD" of one, of the shown kind. */
static gboolean is_there (const HlDocument *document, const HlKind *kind, const char *id) {
  g_auto (GStrv) parts = g_strsplit (id, ".", 2);
  const HlValue *element = hl_document_find (document, parts[0], NULL, NULL);

  if (element == NULL || parts[1] == NULL)
    return element != NULL;
  const HlValue *signal = hl_value_at (element, parts[1]);
  return signal != NULL && hl_schema_kind_of (HL_SECTION_SIGNAL, signal) == kind;
}

/* Returns whether a lesson hides a number of the element, which the page must not show. */
static gboolean is_hidden (HlHelpWindow *self) {
  const char *const *veiled = hl_workbench_veiled (self->workbench);
  gsize n = strcspn (self->id, ".");

  for (int k = 0; veiled[k] != NULL; k++)
    if (strncmp (veiled[k], self->id, n) == 0 && veiled[k][n] == '.')
      return TRUE;
  return FALSE;
}

static void refresh (HlHelpWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlRuns *runs = hl_workbench_runs (self->workbench);
  HlRun *run = hl_runs_shown (runs);
  const HlDocument *document = hl_editing_document (editing);
  HlInstant instant = {.results = run != NULL ? run->results : NULL, .t = hl_runs_time (runs)};

  if (self->kind == NULL)
    return;
  if (self->id != NULL && (!is_there (document, self->kind, self->id) || is_hidden (self)))
    g_clear_pointer (&self->id, g_free); /* it was deleted: its kind stays */
  HlHelpPage *page = hl_help_page_new (self->kind, document, self->id);
  live_look (page, document, &instant);
  view_show (HL_HELP_VIEW (self->view), page, hl_workbench_units (self->workbench));
}

static void open_page (HlHelpWindow *self, const HlKind *kind, const char *id) {
  self->kind = kind;
  g_free (self->id);
  self->id = g_strdup (id);
  refresh (self);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll)), 0.0);
}

static void go_to_topic (HlHelpWindow *self, const HlHelpTopic *topic) {
  g_autoptr (GPtrArray) keys = hl_help_keys (topic->shortcuts);

  self->kind = NULL;
  g_clear_pointer (&self->id, g_free);
  view_show_topic (HL_HELP_VIEW (self->view), topic, keys);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll)), 0.0);
}

/* Scrolls to the requested property, once it has an allocation. */
static gboolean point_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlHelpWindow *self = HL_HELP_WINDOW (widget);
  GtkWidget *row = hl_help_view_point_at (HL_HELP_VIEW (self->view), self->field);
  graphene_rect_t place;

  if (row != NULL && gtk_widget_get_height (row) == 0)
    return G_SOURCE_CONTINUE;
  if (row != NULL && gtk_widget_compute_bounds (row, self->view, &place)) {
    GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll));
    gtk_adjustment_set_value (down, place.origin.y - POINTED_SHARE * gtk_adjustment_get_page_size (down));
  }
  g_clear_pointer (&self->field, g_free);
  return G_SOURCE_REMOVE;
}

void hl_help_window_point_at (HlHelpWindow *self, const char *field) {
  gboolean waits = self->field != NULL;

  g_free (self->field);
  self->field = g_strdup (field);
  if (!waits)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), point_cb, NULL, NULL);
}

/* --- numbers from curves that are dragged --- */

static void set_number (gpointer owner, const HlField *field, double number) {
  HlHelpWindow *self = owner;

  if (self->workbench == NULL)
    return;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  if (field == NULL || self->id == NULL) {
    hl_editing_end_gesture (editing);
    return;
  }
  g_autofree char *path = g_strconcat (self->id, ".", field->name, NULL);
  g_autofree char *key = g_strconcat ("curve ", path, NULL);
  hl_editing_set_numbers (editing, (const char *const[]){path, NULL}, number, key, NULL);
}

/* --- the list --- */

static const HlKind *kind_of (GtkListBoxRow *row) {
  return g_object_get_data (G_OBJECT (row), KIND_KEY);
}

static const HlHelpTopic *topic_of (GtkListBoxRow *row) {
  return g_object_get_data (G_OBJECT (row), TOPIC_KEY);
}

static int rank_of (HlHelpWindow *self, GtkListBoxRow *row) {
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->search));

  return kind_of (row) != NULL ? hl_help_kind_rank (kind_of (row), words)
                               : hl_help_topic_rank (topic_of (row), words);
}

static gboolean matches_cb (GtkListBoxRow *row, gpointer data) {
  return rank_of (data, row) > 0;
}

/* Orders results by their match; elements before pages of the window, otherwise in their order of insertion. */
static int order_cb (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data) {
  int of_window = (topic_of (a) != NULL) - (topic_of (b) != NULL),
      better = rank_of (data, b) - rank_of (data, a);
  int place = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (a), PLACE_KEY)) -
              GPOINTER_TO_INT (g_object_get_data (G_OBJECT (b), PLACE_KEY));

  return of_window != 0 ? of_window : better != 0 ? better : place;
}

static void search_cb (GtkSearchEntry *entry, HlHelpWindow *self) {
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
  gtk_list_box_invalidate_sort (GTK_LIST_BOX (self->list));
}

/* Handles Escape: clears the search first, then closes the window. */
static void stop_cb (GtkSearchEntry *entry, HlHelpWindow *self) {
  if (*gtk_editable_get_text (GTK_EDITABLE (entry)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (entry), "");
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* Handles Enter: opens the first match. */
static void open_first_cb (GtkSearchEntry *entry, HlHelpWindow *self) {
  GtkListBoxRow *row;

  search_cb (entry, self); /* which the entry calls some time after the last key */
  for (int k = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), k)) != NULL; k++)
    if (matches_cb (row, self)) {
      gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
      return;
    }
}

static void selected_cb (GtkListBox *list, GtkListBoxRow *row, HlHelpWindow *self) {
  if (row == NULL || self->is_choosing)
    return;
  if (kind_of (row) != NULL)
    open_page (self, kind_of (row), NULL);
  else
    go_to_topic (self, topic_of (row));
}

static void draw_row_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  const HlKind *kind = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
  HlShapeKind shape = hl_shape_kind_from_name (kind->name);
  HlShapeState state = {0};
  HlPlacement place = {0};
  HlView view = {.scale = 1.0};

  hl_view_fit (&view, hl_shape_box (shape), (HlRect){0.0, 0.0, width, height}, 1.0, 100.0);
  hl_paint_symbol (cr, shape, &state, &place, &view, 1.0, &style);
}

/* Returns the content of a row: a component has its symbol beside its name; other rows leave its place empty. */
static GtkWidget *row_content_new (const char *label, const HlKind *kind) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *area = gtk_drawing_area_new ();
  GtkWidget *text = gtk_label_new (label);

  gtk_label_set_xalign (GTK_LABEL (text), 0.0);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), ROW_SYMBOL_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), ROW_SYMBOL_HEIGHT);
  if (kind != NULL && kind->section == HL_SECTION_COMPONENTS)
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_row_cb, (gpointer)kind, NULL);
  gtk_box_append (GTK_BOX (box), area);
  gtk_box_append (GTK_BOX (box), text);
  return box;
}

static void add_row (HlHelpWindow *self, const char *label, const char *key, gconstpointer what) {
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row),
                              row_content_new (label, strcmp (key, KIND_KEY) == 0 ? what : NULL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_set_data (G_OBJECT (row), key, (gpointer)what);
  g_object_set_data (G_OBJECT (row), PLACE_KEY, GINT_TO_POINTER (self->n_rows++));
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

/* Adds the header of a group: the panes of the window follow the elements. */
static void header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data) {
  GtkWidget *header = NULL;

  if (topic_of (row) != NULL && (before == NULL || topic_of (before) == NULL)) {
    header = gtk_label_new (_ ("The window"));
    gtk_label_set_xalign (GTK_LABEL (header), 0.0);
    gtk_widget_add_css_class (header, "list-header");
  }
  gtk_list_box_row_set_header (row, header);
}

static void fill_page (HlHelpWindow *self) {
  for (int k = 0; hl_help_kind (k) != NULL; k++)
    add_row (self, _ (hl_help_kind (k)->label), KIND_KEY, hl_help_kind (k));
  for (int k = 0; hl_help_topic (k) != NULL; k++)
    add_row (self, _ (hl_help_topic (k)->label), TOPIC_KEY, hl_help_topic (k));
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), header_cb, NULL, NULL);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), matches_cb, self, NULL);
  gtk_list_box_set_sort_func (GTK_LIST_BOX (self->list), order_cb, self, NULL);
}

/* Scrolls to the chosen row, once the list has its height, unless it is visible. */
static gboolean show_row_cb (GtkWidget *list, GdkFrameClock *clock, gpointer data) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (list));
  GtkWidget *scroll = gtk_widget_get_ancestor (list, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroll));
  graphene_rect_t place;

  if (row != NULL && gtk_widget_get_height (GTK_WIDGET (row)) == 0)
    return G_SOURCE_CONTINUE;
  if (row != NULL && gtk_widget_compute_bounds (GTK_WIDGET (row), list, &place))
    gtk_adjustment_clamp_page (down, place.origin.y, place.origin.y + place.size.height);
  return G_SOURCE_REMOVE;
}

/* Chooses the row of a kind or of a pane, without going to its page. */
static void choose_row (HlHelpWindow *self, gconstpointer what) {
  GtkListBoxRow *row;

  self->is_choosing = TRUE;
  for (int k = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), k)) != NULL; k++)
    if ((gconstpointer)kind_of (row) == what || (gconstpointer)topic_of (row) == what)
      gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  self->is_choosing = FALSE;
  gtk_widget_add_tick_callback (self->list, show_row_cb, NULL, NULL);
}

/* Handles help.signal (FIELD): shows the help of the element's signal. */
static void signal_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  HlHelpWindow *self = HL_HELP_WINDOW (widget);
  const HlHelpPage *page = hl_help_view_page (HL_HELP_VIEW (self->view));
  const char *name = g_variant_get_string (parameter, NULL);
  const HlField *field = hl_kind_find_field (page->kind, name);
  const HlKind *kind = field != NULL ? hl_help_signal_kind (page, field) : NULL;

  (void)action;
  if (kind == NULL)
    return;
  g_autofree char *path = g_strconcat (page->id, ".", name, NULL);
  choose_row (self, kind);
  open_page (self, kind, path);
}

/* --- life --- */

static void changed_cb (HlWorkbench *workbench, guint changes, HlHelpWindow *self) {
  if (changes &
      (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS | HL_CHANGED_TIME | HL_CHANGED_RUN))
    refresh (self);
}

static void help_window_dispose (GObject *object) {
  HlHelpWindow *self = HL_HELP_WINDOW (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->id, g_free);
  g_clear_pointer (&self->field, g_free);
  G_OBJECT_CLASS (hl_help_window_parent_class)->dispose (object);
}

static void hl_help_window_class_init (HlHelpWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = help_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "help.signal", "s", signal_cb);
  g_type_ensure (HL_TYPE_HELP_VIEW);
  hl_widget_tree_load (klass, "hl-help-window");
  HL_TREE_CHILD (klass, HlHelpWindow, search);
  HL_TREE_CHILD (klass, HlHelpWindow, list);
  HL_TREE_CHILD (klass, HlHelpWindow, scroll);
  HL_TREE_CHILD (klass, HlHelpWindow, view);
  HL_TREE_CALLBACK (klass, search_cb);
  HL_TREE_CALLBACK (klass, stop_cb);
  HL_TREE_CALLBACK (klass, open_first_cb);
  HL_TREE_CALLBACK (klass, selected_cb);
}

static void hl_help_window_init (HlHelpWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  view_set_setter (HL_HELP_VIEW (self->view), set_number, self);
  fill_page (self);
}

/* Returns the kind of an element that has a page; NULL: none. */
static const HlKind *kind_with_page (const HlDocument *document, const char *id) {
  HlSection section;
  const HlValue *element = id != NULL ? hl_document_find (document, id, &section, NULL) : NULL;
  const HlKind *kind = element != NULL ? hl_schema_kind_of (section, element) : NULL;

  for (int k = 0; hl_help_kind (k) != NULL; k++)
    if (hl_help_kind (k) == kind)
      return kind;
  return NULL;
}

static const HlKind *kind_by_name (const char *name) {
  for (int k = 0; name != NULL && hl_help_kind (k) != NULL; k++)
    if (g_strcmp0 (hl_help_kind (k)->name, name) == 0)
      return hl_help_kind (k);
  return NULL;
}

static HlHelpWindow *window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlHelpWindow *self = g_object_new (HL_TYPE_HELP_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  return self;
}

GtkWidget *hl_help_window_new (HlWorkbench *workbench, GtkWindow *parent, const char *kind, const char *id) {
  HlHelpWindow *self = window_new (workbench, parent);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  const HlKind *named = kind_by_name (kind);
  const HlKind *own = named == NULL ? kind_with_page (document, id) : NULL;
  const HlKind *first = named != NULL ? named : own != NULL ? own : hl_help_kind (0);

  choose_row (self, first);
  open_page (self, first, own != NULL ? id : NULL);
  return GTK_WIDGET (self);
}

GtkWidget *hl_help_window_new_topic (HlWorkbench *workbench, GtkWindow *parent, const char *topic) {
  HlHelpWindow *self = window_new (workbench, parent);
  const HlHelpTopic *page = hl_help_topic_find (topic);

  page = page != NULL ? page : hl_help_topic (0);
  choose_row (self, page);
  go_to_topic (self, page);
  return GTK_WIDGET (self);
}

HlHelpView *hl_help_window_view (HlHelpWindow *self) {
  return HL_HELP_VIEW (self->view);
}
