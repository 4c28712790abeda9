/* SPDX-License-Identifier: MIT */
/* Editor of a signal at a path of an element: "signal", or "signal.of.1" for a term of a sum. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-signal-block.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-popover.h"
#include "ui/widget/hl-tooltip.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

#define HEIGHT_PX 48
#define MARGIN_PX 5.0
#define DIGITS 4

typedef struct {
  HlWorkbench *workbench; /* borrowed: the inspector that shows the picture keeps it */
  char *id, *where;
  HlQuantity quantity;
} Sketch;

static void sketch_free (gpointer data) {
  Sketch *self = data;

  g_free (self->id);
  g_free (self->where);
  g_free (self);
}

static int points_of (const Sketch *self, double **t, double **y) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  const HlValue *element = hl_document_find (document, self->id, NULL, NULL);

  return hl_signal_curve (hl_value_at (element, self->where),
                          hl_document_object_number (document, HL_SECTION_SIMULATION, "t_end"), t, y);
}

/* Finds the range: it includes zero if the signal comes near it; a constant is in the middle. */
static void find_range (const double y[], int n, double *low, double *high) {
  *low = *high = y[0];
  for (int k = 1; k < n; k++) {
    *low = fmin (*low, y[k]);
    *high = fmax (*high, y[k]);
  }
  double span = *high - *low;
  if (*low > 0.0 && *low < span)
    *low = 0.0;
  if (*high < 0.0 && -*high < span)
    *high = 0.0;
  if (!(*high > *low)) {
    *low -= 1.0;
    *high += 1.0;
  }
}

static void draw_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer data) {
  HlStyle style = hl_widget_style (GTK_WIDGET (widget));
  g_autofree double *t = NULL;
  g_autofree double *y = NULL;
  int n = points_of (data, &t, &y);
  double w = width - 2 * MARGIN_PX, h = height - 2 * MARGIN_PX, low, high;

  hl_paint_background (cr, 0, 0, width, height, &style);
  if (n == 0 || w <= 0.0 || h <= 0.0)
    return;
  find_range (y, n, &low, &high);
  if (low <= 0.0 && high >= 0.0) {
    double zero = floor (MARGIN_PX + h * high / (high - low)) + 0.5;
    hl_color_set (cr, style.grid);
    cairo_set_line_width (cr, style.hair_width);
    cairo_move_to (cr, 0, zero);
    cairo_line_to (cr, width, zero);
    cairo_stroke (cr);
  }
  for (int k = 0; k < n; k++)
    cairo_line_to (cr, MARGIN_PX + w * t[k] / t[n - 1], MARGIN_PX + h * (high - y[k]) / (high - low));
  hl_color_set (cr, style.trace[0]);
  cairo_set_line_width (cr, style.trace_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
}

/* Describes the picture in words: "0 N·m to 250 N·m in 4 s". */
static void describe_sketch (GtkWidget *widget, const Sketch *self) {
  HlUnits units = hl_workbench_units (self->workbench);
  g_autofree double *t = NULL;
  g_autofree double *y = NULL;
  int n = points_of (self, &t, &y);
  double low = NAN, high = NAN;

  for (int k = 0; k < n; k++) {
    low = fmin (low, y[k]);
    high = fmax (high, y[k]);
  }
  g_autofree char *least = hl_units_format (units, self->quantity, low, DIGITS);
  g_autofree char *most = hl_units_format (units, self->quantity, high, DIGITS);
  g_autofree char *end = hl_units_format (units, HL_QUANTITY_TIME, n > 0 ? t[n - 1] : 0, DIGITS);
  g_autofree char *text = n == 0        ? g_strdup (_ ("This signal cannot be drawn yet"))
                          : low == high ? g_strdup_printf (_ ("%s for %s"), least, end)
                                        : g_strdup_printf (_ ("%s to %s in %s"), least, most, end);

  hl_tooltip_set (widget, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Signal over time"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  hl_pixels_queue_draw (widget);
}

static void changed_cb (HlWorkbench *workbench, guint changes, GtkWidget *widget) {
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS))
    describe_sketch (widget, g_object_get_data (G_OBJECT (widget), "hl-sketch"));
}

/* Returns the signal at a dotted place of an element. */
static GtkWidget *signal_sketch_new (HlWorkbench *workbench, const char *id, const char *where,
                                     HlQuantity quantity) {
  GtkWidget *widget = gtk_drawing_area_new ();
  Sketch *self = g_new0 (Sketch, 1);

  self->workbench = workbench;
  self->id = g_strdup (id);
  self->where = g_strdup (where);
  self->quantity = quantity;
  g_object_set_data_full (G_OBJECT (widget), "hl-sketch", self, sketch_free);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (widget), HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (widget), draw_cb, self, NULL);
  gtk_widget_add_css_class (widget, "sketch");
  gtk_widget_set_hexpand (widget, TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), widget, 0);
  describe_sketch (widget, self);
  return widget;
}

static void add_parts (HlInspectorRows *rows, const HlField *field, const HlValue *signal, const char *where,
                       const char *number);

static const char *signal_words (const HlValue *value) {
  const char *kind = hl_value_string (hl_value_member (value, "kind"));
  if (g_strcmp0 (kind, "table") == 0)
    return _ ("table over time");
  if (g_strcmp0 (kind, "sine") == 0)
    return _ ("sine");
  if (g_strcmp0 (kind, "motion") == 0)
    return _ ("motion");
  if (g_strcmp0 (kind, "sum") == 0)
    return _ ("sum of signals");
  if (g_strcmp0 (kind, "lever") == 0)
    return _ ("moved by hand");
  const HlBlockClass *block = hl_block_class (kind);
  if (block != NULL)
    return _ (block->kind.label);
  return kind != NULL ? kind : "–";
}

/* --- terms of a sum --- */

/* Target of a button or a menu of a term; owned by its widget. */
typedef struct {
  HlWorkbench *workbench; /* borrowed: the row does not outlive it */
  char *id, *where;
} Term;

static void free_term (gpointer data) {
  Term *term = data;

  g_free (term->id);
  g_free (term->where);
  g_free (term);
}

static Term *attach_term (GtkWidget *widget, const HlInspectorRows *rows, const char *where) {
  Term *term = g_new0 (Term, 1);

  term->workbench = rows->workbench;
  term->id = g_strdup (rows->ids[0]);
  term->where = g_strdup (where);
  g_object_set_data_full (G_OBJECT (widget), "hl-formula-tree", term, free_term);
  return term;
}

/* Commits the document, which is taken; NULL is no change. */
static void commit (const Term *term, HlDocument *document, const char *step_format) {
  if (document == NULL)
    return;
  g_autofree char *path = g_strconcat (term->id, ".", term->where, NULL);
  g_autoptr (GString) step = g_string_new (step_format);
  g_string_replace (step, "%s", path, 1);
  hl_editing_commit (hl_workbench_editing (term->workbench), document, step->str, NULL);
}

static void add_cb (GtkButton *button, const Term *term) {
  commit (term,
          hl_edit_add_term (hl_editing_document (hl_workbench_editing (term->workbench)), term->id,
                            term->where, NULL),
          _ ("Add a term to %s"));
}

static void kind_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  const Term *term = data;
  commit (term,
          hl_edit_signal_kind (hl_editing_document (hl_workbench_editing (term->workbench)), term->id,
                               term->where, g_variant_get_string (parameter, NULL), NULL),
          _ ("Change %s over time"));
}

static void remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  const Term *term = data;
  commit (term,
          hl_edit_remove_term (hl_editing_document (hl_workbench_editing (term->workbench)), term->id,
                               term->where, NULL),
          _ ("Remove %s"));
}

static void move_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  const Term *term = data;
  commit (term,
          hl_edit_move_term (hl_editing_document (hl_workbench_editing (term->workbench)), term->id,
                             term->where, g_variant_get_int32 (parameter), NULL),
          _ ("Move %s"));
}

static void add_action (GSimpleActionGroup *group, const char *name, const GVariantType *type,
                        GCallback activate, Term *term, gboolean enabled) {
  g_autoptr (GSimpleAction) action = g_simple_action_new (name, type);

  g_simple_action_set_enabled (action, enabled);
  g_signal_connect (action, "activate", activate, term);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
}

static GtkWidget *term_menu_new (const HlInspectorRows *rows, const char *where, gsize index, gsize n,
                                 const char *label) {
  GtkWidget *button = hl_inspector_menu_button_new (label);
  Term *term = attach_term (button, rows, where);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) order = g_menu_new ();
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  g_autoptr (GMenuModel) kinds = hl_inspector_signal_menu (
      "term.kind", hl_value_at (hl_document_find (document, rows->ids[0], NULL, NULL), where));
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  add_action (group, "kind", G_VARIANT_TYPE_STRING, G_CALLBACK (kind_cb), term, TRUE);
  gboolean is_term = n > 0;
  add_action (group, "remove", NULL, G_CALLBACK (remove_cb), term, n > 1);
  add_action (group, "up", G_VARIANT_TYPE_INT32, G_CALLBACK (move_cb), term, index > 0);
  add_action (group, "down", G_VARIANT_TYPE_INT32, G_CALLBACK (move_cb), term, index + 1 < n);
  gtk_widget_insert_action_group (button, "term", G_ACTION_GROUP (group));
  g_menu_append_submenu (menu, _ ("Over time"), kinds);
  if (is_term) {
    g_menu_append (order, _ ("Move up"), "term.up(-1)");
    g_menu_append (order, _ ("Move down"), "term.down(1)");
    g_menu_append (order, _ ("Remove term"), "term.remove");
  }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (order));
  hl_late_menu_set (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  return button;
}

static void add_term (HlInspectorRows *rows, const HlField *field, const HlValue *terms, gsize index,
                      const char *where, const char *number) {
  const HlValue *term = hl_value_item (terms, index);
  g_autofree char *label = g_strdup_printf (_ ("Term %s"), number);
  GtkWidget *menu = term_menu_new (rows, where, index, hl_value_length (terms), label);

  if (hl_value_is_number (term)) {
    hl_inspector_add_number (rows, &(HlInspectorNumber){where, label, _ ("Constant term of the sum"), NULL,
                                                        field->quantity, NULL, NULL, menu});
    return;
  }
  hl_inspector_add_row (rows, label, _ ("Term of the sum"), hl_inspector_read_only (signal_words (term)),
                        menu);
  add_parts (rows, field, term, where, number);
}

static void add_terms (HlInspectorRows *rows, const HlField *field, const HlValue *terms, const char *where,
                       const char *number) {
  for (gsize i = 0; i < hl_value_length (terms); i++) {
    g_autofree char *place = g_strdup_printf ("%s.of.%d", where, (int)i);
    g_autofree char *name = g_strdup_printf ("%s%s%d", number, *number != '\0' ? "." : "", (int)i + 1);
    add_term (rows, field, terms, i, place, name);
  }
  g_autofree char *label =
      *number != '\0' ? g_strdup_printf (_ ("Add a Term to %s"), number) : g_strdup (_ ("Add a Term"));
  GtkWidget *button = gtk_button_new_with_label (label);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  g_signal_connect (button, "clicked", G_CALLBACK (add_cb), attach_term (button, rows, where));
  hl_inspector_add_row (rows, "", _ ("A new term of the sum, 0 at first"), button, NULL);
}

/* --- one signal --- */

/* Returns the label of a part, "Amplitude", in a sum "2 · Amplitude". */
static char *part_label (const char *number, const char *label) {
  return *number != '\0' ? g_strdup_printf ("%s · %s", number, label) : g_strdup (label);
}

static void add_table (HlInspectorRows *rows, const HlField *field, const char *where, const char *number) {
  HlEditTarget target = {rows->workbench, rows->ids, field, where};
  int n;
  const char *unit = hl_quantity_units (field->quantity, &n)[0].symbol;
  g_autofree char *label = *unit != '\0' ? g_strdup_printf (_ ("Times [s], values [%s]"), unit)
                                         : g_strdup (_ ("Times [s], values"));
  g_autofree char *named = part_label (number, label);

  hl_inspector_add_row (rows, named,
                        _ ("Rows of a time and a value, separated by semicolons: “0 0; 1 250; 1.5 250; 1.5 "
                           "0”. Two equal times make a jump."),
                        hl_inspector_table (&target), NULL);
}

/* Adds the signal that a block works on: a number, or its kind and its rows. */
static void add_inner (HlInspectorRows *rows, const HlField *field, const HlField *part, const HlValue *inner,
                       const char *where, const char *label) {
  GtkWidget *menu = term_menu_new (rows, where, 0, 0, label);
  g_autofree char *path = g_strconcat (rows->ids[0], ".", where, NULL);
  HlPathInfo info;
  HlField of_inner = *field;

  if (hl_path_find (hl_editing_document (hl_workbench_editing (rows->workbench)), path, &info, NULL))
    of_inner.quantity = info.quantity;
  if (hl_value_is_number (inner)) {
    hl_inspector_add_number (
        rows, &(HlInspectorNumber){where, label, _ (part->help), NULL, of_inner.quantity, NULL, NULL, menu});
    return;
  }
  hl_inspector_add_row (rows, label, _ (part->help), hl_inspector_read_only (signal_words (inner)), menu);
  add_parts (rows, &of_inner, inner, where, label);
}

/* --- units of a controller's numbers --- */

/* Appends a unit to a product; one that is a quotient gets brackets. */
static void append_factor (GString *product, const char *unit) {
  if (*unit == '\0' || strcmp (unit, "1") == 0)
    return;
  if (product->len > 0)
    g_string_append (product, "·");
  g_string_append_printf (product, strchr (unit, '/') != NULL ? "(%s)" : "%s", unit);
}

/* Returns output s^seconds / measured as text: "1/(m·s)". */
static char *quotient_text (const char *output, const char *measured, int seconds) {
  g_autoptr (GString) above = g_string_new (NULL), below = g_string_new (NULL);

  if (strcmp (output, measured) != 0) {
    append_factor (above, output);
    append_factor (below, measured);
  }
  append_factor (seconds > 0 ? above : below, seconds != 0 ? "s" : "");
  if (below->len == 0)
    return g_strdup (above->str);
  return g_strdup_printf (strstr (below->str, "·") != NULL ? "%s/(%s)" : "%s/%s",
                          above->len > 0 ? above->str : "1", below->str);
}

static const char *si_symbol (HlQuantity quantity) {
  int n;
  return hl_quantity_units (quantity, &n)[0].symbol;
}

/* Returns the unit of a number of a PID controller in SI: k_p is output per measured, k_i that per s, k_d that
 * times s; its bounds have the unit of the output. NULL: the number has a unit of its own, or what is measured
 * is not known. `field`: what the signal is for. */
static char *unit_of_part (const HlInspectorRows *rows, const HlField *field, const HlValue *signal,
                           const HlField *part) {
  static const struct {
    const char *name;
    gboolean per_measured;
    int seconds;
  } units[] = {{"kp", TRUE, 0}, {"ki", TRUE, -1}, {"kd", TRUE, 1}, {"min", FALSE, 0}, {"max", FALSE, 0}};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  const char *path = hl_value_string (hl_value_member (signal, "of"));
  HlPathInfo measured;

  if (g_strcmp0 (hl_value_string (hl_value_member (signal, "kind")), "pid") != 0 || path == NULL ||
      !hl_path_find (document, path, &measured, NULL))
    return NULL;
  for (gsize k = 0; k < G_N_ELEMENTS (units); k++)
    if (strcmp (units[k].name, part->name) == 0)
      return quotient_text (si_symbol (field->quantity),
                            units[k].per_measured ? si_symbol (measured.quantity) : "", units[k].seconds);
  return NULL;
}

/* Takes the unit; NULL: none. */
static void add_part_number (HlInspectorRows *rows, const HlInspectorNumber *number, char *unit) {
  guint before = rows->fields->len;

  hl_inspector_add_number (rows, number);
  if (unit != NULL && rows->fields->len > before)
    hl_number_field_set_unit_text (rows->fields->pdata[before], unit);
  g_free (unit);
}

/* Adds the rows below the one with the kind of the signal. */
static void add_parts (HlInspectorRows *rows, const HlField *field, const HlValue *signal, const char *where,
                       const char *number) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);

  if (kind != NULL && g_strcmp0 (kind->name, "table") == 0)
    add_table (rows, field, where, number);
  for (int i = 0; kind != NULL && i < kind->n_fields; i++) {
    const HlField *part = &kind->fields[i];
    g_autofree char *name = g_strconcat (where, ".", part->name, NULL);
    g_autofree char *label = part_label (number, _ (part->label));
    gboolean is_block = hl_block_class (kind->name) != NULL;
    HlQuantity quantity = part->quantity != HL_QUANTITY_NONE || is_block ? part->quantity : field->quantity;
    HlEditTarget target = {rows->workbench, rows->ids, part, name};
    if (part->type == HL_FIELD_NUMBER)
      add_part_number (rows,
                       &(HlInspectorNumber){name, label, _ (part->help), NULL, quantity,
                                            part->need == HL_NEED_ABSENT ? _ ("none") : NULL, NULL, NULL},
                       unit_of_part (rows, field, signal, part));
    else if (part->type == HL_FIELD_PATH)
      hl_inspector_add_row (rows, label, _ (part->help), hl_inspector_path (&target), NULL);
    else if (part->type == HL_FIELD_TEXT)
      hl_inspector_add_row (rows, label, _ (part->help), hl_inspector_text (&target), NULL);
    else if (part->type == HL_FIELD_SIGNAL)
      add_inner (rows, field, part, hl_value_member (signal, part->name), name, label);
    else if (part->type == HL_FIELD_CHOICE)
      hl_inspector_add_row (rows, label, _ (part->help), hl_inspector_choice (&target), NULL);
    else if (part->type == HL_FIELD_SIGNALS)
      add_terms (rows, field, hl_value_member (signal, part->name), where, number);
  }
}

void hl_inspector_add_signal (HlInspectorRows *rows, const HlField *field, const HlValue *signal) {
  g_autofree char *path = g_strconcat (rows->ids[0], ".", field->name, NULL);
  const char *const paths[] = {path, NULL};

  hl_inspector_add_row (
      rows, _ (field->label), _ (field->help), hl_inspector_read_only (signal_words (signal)),
      hl_inspector_menu_new (rows->workbench, paths, field, field->quantity, _ (field->label)));
  /* a signal that depends on the machine has no picture before a run: plot it instead */
  if (hl_block_class (hl_value_string (hl_value_member (signal, "kind"))) == NULL)
    gtk_grid_attach (rows->grid,
                     signal_sketch_new (rows->workbench, rows->ids[0], field->name, field->quantity), 0,
                     rows->row++, 3, 1);
  add_parts (rows, field, signal, field->name, "");
}

/* Appends the words of a lever. */
static void append_texts (GString *text, const HlValue *signal) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);

  for (int i = 0; kind != NULL && i < kind->n_fields; i++) {
    const char *words = hl_value_string (hl_value_member (signal, kind->fields[i].name));
    if (kind->fields[i].type == HL_FIELD_TEXT)
      g_string_append_printf (text, " %s", words != NULL ? words : "");
  }
}

void hl_inspector_append_signal (GString *text, const HlValue *signal) {
  const HlValue *terms = hl_value_member (signal, "of");
  const char *between = hl_value_string (hl_value_member (signal, "between"));
  int n_units;

  if (signal == NULL || hl_value_is_number (signal)) {
    g_string_append (text, "=");
    return;
  }
  g_autofree char *table = hl_edit_format_table (signal, &hl_quantity_units (HL_QUANTITY_NONE, &n_units)[0]);
  g_string_append_printf (text, "=%s %s %s(", signal_words (signal), table, between != NULL ? between : "");
  for (gsize i = 0; hl_value_is_array (terms) && i < hl_value_length (terms); i++)
    hl_inspector_append_signal (text, hl_value_item (terms, i));
  if (hl_value_is_string (terms))
    g_string_append (text, hl_value_string (terms));
  append_texts (text, signal);
  if (hl_edit_inner_signal (signal) != NULL)
    hl_inspector_append_signal (text, hl_edit_inner_signal (signal));
  g_string_append (text, ")");
}
