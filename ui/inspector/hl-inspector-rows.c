/* SPDX-License-Identifier: MIT */
/* The rows of the inspector: one for each field of the selected element, with its symbol; outputs of a run,
 * and the quantities measured on a body. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/edit/hl-nominal-flow.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/inspector/hl-friction-curve.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/paint/circuit/hl-symbol-shape.h"
#include "ui/plot/hl-plot-view.h"
#include "ui/widget/hl-element-description.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-tooltip.h"

#include <math.h>
#include <string.h>

/* Values of an element in a run, at the time cursor: its outputs, and the numbers of the file that change during the
 * run. */

#define FLOW "flow_" /* prefix of outputs of ports */
#define PATH_KEY "hl-quantity-path"
#define DIGITS 4

/* Returns whether the element has the port: a kind with several forms has flows of ports that the element may
 * lack. */
static gboolean has_port_of (const HlInspectorRows *rows, const HlOutput *output) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  HlSection section;
  int index;

  if (!g_str_has_prefix (output->name, FLOW) ||
      hl_document_find (document, rows->ids[0], &section, &index) == NULL || section != HL_SECTION_COMPONENTS)
    return TRUE;
  const char *port = output->name + strlen (FLOW);
  const HlKind *kind = hl_document_element_kind (document, section, index);
  HlShapeKind shape = hl_shape_kind_of (document, index);
  gboolean is_of_kind = FALSE, is_drawn = FALSE;
  for (int k = 0; k < kind->n_ports; k++)
    is_of_kind |= strcmp (kind->ports[k], port) == 0;
  for (int k = 0; k < hl_shape_n_ports (shape); k++)
    is_drawn |= !hl_shape_port (shape, k)->is_absent && strcmp (hl_shape_port (shape, k)->name, port) == 0;
  return is_drawn || !is_of_kind;
}

static void add_output (HlInspectorRows *rows, const char *name) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  char *path = g_strconcat (rows->ids[0], ".", name, NULL);
  g_autofree char *words = hl_element_number_words (document, path);
  GtkWidget *value = hl_inspector_read_only ("–");
  GtkWidget *menu = hl_inspector_output_menu_new (rows->workbench, path, words);

  g_object_set_data_full (G_OBJECT (value), PATH_KEY, path, g_free);
  g_ptr_array_add (rows->outputs, value);
  hl_inspector_add_row (rows, words, path, value, menu);
  hl_plot_drag_source_add_text (gtk_grid_get_child_at (rows->grid, 0, rows->row - 1), path);
}

/* Returns the states of an element in a run: numbers of the file that are start values. */
static const char *const *states_of (const HlKind *kind) {
  static const char *const of_body[] = {"x", "y", "angle", "vx", "vy", "omega", NULL};
  static const char *const of_line[] = {"pressure", NULL};
  static const char *const of_spool[] = {"spool", NULL};
  static const char *const none[] = {NULL};

  if (kind->section == HL_SECTION_BODIES)
    return of_body;
  if (kind->section == HL_SECTION_LINES)
    return of_line;
  for (int i = 0; i < kind->n_fields; i++)
    if (strcmp (kind->fields[i].name, of_spool[0]) == 0)
      return of_spool;
  return none;
}

/* Adds the rows of an element's values in a run, at the time cursor. */
static void add_outputs (HlInspectorRows *rows, const HlKind *kind) {
  const char *const *states = states_of (kind);
  gboolean has_signal = FALSE;

  for (int i = 0; i < kind->n_fields; i++)
    has_signal |= kind->fields[i].type == HL_FIELD_SIGNAL;
  if (kind->n_outputs == 0 && states[0] == NULL && !has_signal)
    return;
  hl_inspector_add_heading (rows, _ ("In the run"));
  for (int i = 0; states[i] != NULL; i++)
    add_output (rows, states[i]);
  for (int i = 0; i < kind->n_fields; i++)
    if (kind->fields[i].type == HL_FIELD_SIGNAL)
      add_output (rows, kind->fields[i].name);
  for (int i = 0; i < kind->n_outputs; i++)
    if (has_port_of (rows, &kind->outputs[i]))
      add_output (rows, kind->outputs[i].name);
}

void hl_inspector_refresh_outputs (HlWorkbench *workbench, GPtrArray *outputs) {
  HlRuns *runs = hl_workbench_runs (workbench);
  HlRun *run = hl_runs_shown (runs);
  HlInstant instant = {run != NULL ? run->results : NULL, hl_runs_time (runs)};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));

  for (guint i = 0; i < outputs->len; i++) {
    const char *path = g_object_get_data (G_OBJECT (outputs->pdata[i]), PATH_KEY);
    double value = hl_instant_value (&instant, document, path);
    HlPathInfo info;
    g_autofree char *text =
        isfinite (value) && hl_path_find (document, path, &info, NULL)
            ? hl_units_format (hl_workbench_units (workbench), info.quantity, value, DIGITS)
            : g_strdup ("–");
    if (strcmp (gtk_label_get_text (GTK_LABEL (outputs->pdata[i])), text) != 0)
      gtk_label_set_text (GTK_LABEL (outputs->pdata[i]), text);
  }
}

/* Dimensions of a body that follow from its points: a typed value changes points and poses, with the joints closed. Of
 * a mass that was typed: what moment of inertia a bar of it has. */

static gboolean measure_distance (const HlDocument *document, const char *id, double *length, double *angle) {
  int body;

  if (!hl_document_resolve_body (document, id, &body, NULL) || body < 0)
    return FALSE;
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new_of_body (document, body);
  return hl_linkage_measure (plan, body, length, angle);
}

static double get_length (const HlDocument *document, const char *id, gpointer unused) {
  double length, angle;
  return measure_distance (document, id, &length, &angle) ? length : NAN;
}

static double get_angle (const HlDocument *document, const char *id, gpointer unused) {
  double length, angle;
  return measure_distance (document, id, &length, &angle) ? angle : NAN;
}

static double get_density (const HlDocument *document, const char *id, gpointer unused) {
  return hl_linkage_follows_density (document, id) ? hl_linkage_density (document, id) : NAN;
}

static const struct {
  const char *label, *help;
  HlQuantity quantity;
  HlNumberSource source;
} measures[] = {
    {N_ ("Length"),
     N_ ("Distance of the first two points; the linkage is assembled again"),
     HL_QUANTITY_LENGTH,
     {get_length, hl_linkage_set_length}},
    {N_ ("Direction"),
     N_ ("Angle of the line through the first two points; the linkage follows within its joints"),
     HL_QUANTITY_ANGLE,
     {get_angle, hl_linkage_set_angle}},
    {N_ ("Mass per length"),
     N_ ("Mass and moment of inertia are computed from it as for slender rods, unless they are entered"),
     HL_QUANTITY_LINE_DENSITY,
     {get_density, hl_linkage_set_density}},
};

static gboolean has_body_rows (const HlDocument *document, const char *const *ids) {
  double length, angle;

  for (int i = 0; ids[i] != NULL; i++)
    if (!measure_distance (document, ids[i], &length, &angle))
      return FALSE;
  return ids[0] != NULL;
}

/* Adds length and angle of bodies, or their mass per length, which are no fields of the file. */
static void add_body_rows (HlInspectorRows *rows, gboolean of_mass) {
  if (!has_body_rows (hl_editing_document (hl_workbench_editing (rows->workbench)), rows->ids))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++) {
    if ((measures[i].quantity == HL_QUANTITY_LINE_DENSITY) != of_mass)
      continue;
    GtkWidget *field = hl_number_field_new (rows->workbench, rows->ids, measures[i].quantity,
                                            _ (measures[i].label), _ (measures[i].help));
    hl_number_field_set_placeholder (HL_NUMBER_FIELD (field), _ ("entered"));
    hl_number_field_set_source (HL_NUMBER_FIELD (field), &measures[i].source, NULL);
    g_ptr_array_add (rows->fields, field);
    hl_inspector_add_row (rows, _ (measures[i].label), _ (measures[i].help), field, NULL);
  }
}

/* --- the bar's own moment of inertia --- */

#define OFF 1e-6 /* relative: less is the same moment of inertia */

typedef struct {
  HlWorkbench *workbench;
  char *id;
  GtkWidget *box, *label; /* borrowed */
} Own;

static void free_own (gpointer data, GClosure *closure) {
  Own *own = data;

  g_free (own->id);
  g_free (own);
}

/* Shows the body's own number only where the stated one differs. */
static void show_own (HlWorkbench *workbench, Own *own) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  g_autofree char *path = g_strconcat (own->id, ".inertia", NULL);
  double inertia = hl_linkage_rod_inertia (document, own->id), stated = NAN;

  hl_document_get_number (document, path, &stated, NULL, NULL);
  gboolean differs = isfinite (inertia) && fabs (stated - inertia) > OFF * inertia;
  gtk_widget_set_visible (own->box, differs);
  if (!differs)
    return;
  g_autofree char *value = hl_units_format (hl_workbench_units (workbench), HL_QUANTITY_INERTIA, inertia, 4);
  g_autofree char *text = g_strdup_printf (_ ("A bar of this mass has %s"), value);
  gtk_label_set_text (GTK_LABEL (own->label), text);
}

static void make_own_cb (GtkButton *button, Own *own) {
  HlEditing *editing = hl_workbench_editing (own->workbench);
  const HlDocument *document = hl_editing_document (editing);
  double inertia = hl_linkage_rod_inertia (document, own->id);
  HlDocument *next = isfinite (inertia)
                         ? hl_edit_set (document, own->id, "inertia", hl_value_new_number (inertia), NULL)
                         : NULL;

  if (next != NULL) {
    g_autofree char *step = g_strdup_printf (_ ("Moment of inertia of %s"), own->id);
    hl_editing_commit (editing, next, step, NULL);
  }
}

/* Adds a note with the moment of inertia of a rod of the body's mass, and a button that sets it, if the stated one
 * differs. */
static void add_inertia_note (HlInspectorRows *rows) {
  Own *own = g_new0 (Own, 1);
  GtkWidget *button = gtk_button_new_with_label (_ ("Use this value"));

  own->workbench = rows->workbench;
  own->id = g_strdup (rows->ids[0]);
  own->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  own->label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (own->label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (own->label), 0);
  gtk_widget_set_hexpand (own->label, TRUE);
  gtk_widget_add_css_class (own->label, "caption");
  gtk_widget_add_css_class (own->box, "own-inertia");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "mend");
  hl_tooltip_set (button, _ ("The moment of inertia does not change when a mass is entered; this sets it to "
                             "that of slender rods of that mass"));
  gtk_box_append (GTK_BOX (own->box), own->label);
  gtk_box_append (GTK_BOX (own->box), button);
  g_signal_connect_data (button, "clicked", G_CALLBACK (make_own_cb), own, free_own, 0);
  g_object_set_data (G_OBJECT (own->box), "own", own);
  gtk_grid_attach (rows->grid, own->box, 0, rows->row++, 3, 1);
  show_own (rows->workbench, own);
}

void hl_inspector_refresh_notes (GtkGrid *grid) {
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (grid)); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    Own *own = g_object_get_data (G_OBJECT (child), "own");
    if (own != NULL)
      show_own (own->workbench, own);
  }
}

/* Returns the nominal flows of openings in the inspector, as in catalogues. */

static double flow_of (const HlDocument *document, const char *path, gpointer data) {
  (void)data;
  return hl_rating_flow (document, path);
}

/* Adds below an opening the flow that it passes at a pressure drop. */
static void add_rating (HlInspectorRows *rows, const HlField *field) {
  static const HlNumberSource source = {flow_of, hl_rating_with_flow, hl_rating_parse};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  g_autofree char *path = g_strconcat (rows->ids[0], ".", field->name, NULL);
  const char *const paths[] = {path, NULL};

  if (rows->ids[1] != NULL || !hl_rating_has (document, path))
    return;
  g_autofree char *drop =
      hl_units_format (hl_workbench_units (rows->workbench), HL_QUANTITY_PRESSURE_DIFFERENCE,
                       hl_rating_drop (document, path), 4);
  /* the main opening needs no name; a by-pass or a cushion has that of its area */
  gboolean is_main = strchr (field->name, '.') == NULL && !g_str_has_prefix (field->name, "check_");
  g_autofree char *label = is_main ? g_strdup_printf (_ ("Flow at %s"), drop)
                                   : g_strdup_printf (_ ("%s: flow at %s"), _ (field->label), drop);
  GtkWidget *menu = hl_inspector_menu_new (rows->workbench, paths, field, field->quantity, label);
  hl_inspector_add_number (rows,
                           &(HlInspectorNumber){field->name, label,
                                                _ ("Flow of the fully open valve, as in catalogues. Another "
                                                   "pressure drop can be entered: 40 L/min at 5 bar"),
                                                NULL, HL_QUANTITY_FLOW, NULL, &source, menu});
}

/* Positions of the symbols of components on paper: typed, turned and mirrored as one step each. */

/* Returns the component of "dcv.x", the name that the undo step shows. Owned. */
static char *owner_of (const char *path) {
  return g_strndup (path, strcspn (path, "."));
}

/* Laying out a large circuit takes long: the rows of an element share what they read, from one
 * refresh to the next. */
typedef struct {
  HlCircuitSheet *places;
} Reader;

static void reader_clear (gpointer data) {
  g_clear_pointer (&((Reader *)data)->places, hl_circuit_sheet_free);
}

static void reader_unref (gpointer data) {
  g_rc_box_release_full (data, reader_clear);
}

static double get_x (const HlDocument *document, const char *path, gpointer reader) {
  g_autofree char *id = owner_of (path);
  HlPlacement place;
  return hl_circuit_symbol_place_on (&((Reader *)reader)->places, document, id, &place) ? place.x : NAN;
}

static double get_y (const HlDocument *document, const char *path, gpointer reader) {
  g_autofree char *id = owner_of (path);
  HlPlacement place;
  return hl_circuit_symbol_place_on (&((Reader *)reader)->places, document, id, &place) ? place.y : NAN;
}

static HlDocument *set_x (const HlDocument *document, const char *path, double value, GError **error) {
  g_autofree char *id = owner_of (path);
  HlPlacement place = {0};

  hl_circuit_symbol_place (document, id, &place);
  place.x = value;
  return hl_circuit_set_place (document, id, &place, error);
}

static HlDocument *set_y (const HlDocument *document, const char *path, double value, GError **error) {
  g_autofree char *id = owner_of (path);
  HlPlacement place = {0};

  hl_circuit_symbol_place (document, id, &place);
  place.y = value;
  return hl_circuit_set_place (document, id, &place, error);
}

static const struct {
  const char *name, *label, *help;
  HlNumberSource source;
} places[] = {
    {"x",
     N_ ("Position x"),
     N_ ("Position of the symbol to the right, in modules of the drawing (ISO 1219-1), on a grid of 2; its "
         "lines follow"),
     {get_x, set_x}},
    {"y",
     N_ ("Position y"),
     N_ ("Position of the symbol downwards, in modules of the drawing (ISO 1219-1), on a grid of 2; its "
         "lines follow"),
     {get_y, set_y}},
};

/* --- turning and mirroring --- */

/* Data of a choice; owned by its widget. */
typedef struct {
  HlWorkbench *workbench; /* borrowed: the row does not outlive it */
  char *id;
} Owner;

static void owner_free (gpointer data) {
  Owner *owner = data;

  g_free (owner->id);
  g_free (owner);
}

static Owner *attach_owner (GtkWidget *widget, const HlInspectorRows *rows) {
  Owner *owner = g_new0 (Owner, 1);

  owner->workbench = rows->workbench;
  owner->id = g_strdup (rows->ids[0]);
  g_object_set_data_full (G_OBJECT (widget), "hl-owner", owner, owner_free);
  return owner;
}

static void add_widget (const Owner *owner, GtkWidget *widget, const HlPlacement *place,
                        const char *step_format) {
  HlEditing *editing = hl_workbench_editing (owner->workbench);
  HlDocument *document = hl_circuit_set_place (hl_editing_document (editing), owner->id, place, NULL);

  if (document == NULL)
    return;
  g_autoptr (GString) step = g_string_new (step_format);
  g_string_replace (step, "%s", owner->id, 1);
  hl_editing_commit (editing, document, step->str, NULL);
}

static void turned_cb (GtkDropDown *drop_down, GParamSpec *pspec, const Owner *owner) {
  HlPlacement place;

  if (!hl_circuit_symbol_place (hl_editing_document (hl_workbench_editing (owner->workbench)), owner->id,
                                &place))
    return;
  place.rotation = 90 * (int)gtk_drop_down_get_selected (drop_down);
  add_widget (owner, GTK_WIDGET (drop_down), &place, _ ("Rotate %s"));
}

static void mirrored_cb (GtkCheckButton *button, const Owner *owner) {
  HlPlacement place;

  if (!hl_circuit_symbol_place (hl_editing_document (hl_workbench_editing (owner->workbench)), owner->id,
                                &place))
    return;
  place.mirror = gtk_check_button_get_active (button);
  add_widget (owner, GTK_WIDGET (button), &place, _ ("Mirror %s"));
}

static void add_turn (HlInspectorRows *rows, const HlPlacement *place) {
  static const char *const turns[] = {"0°", "90°", "180°", "270°", NULL};
  GtkWidget *turn = gtk_drop_down_new_from_strings (turns), *mirror = gtk_check_button_new ();

  gtk_drop_down_set_selected (GTK_DROP_DOWN (turn), (guint)(place->rotation / 90));
  g_signal_connect (turn, "notify::selected", G_CALLBACK (turned_cb), attach_owner (turn, rows));
  hl_inspector_add_row (rows, _ ("Rotated"), _ ("Clockwise (R rotates by 90°)"), turn, NULL);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (mirror), place->mirror);
  g_signal_connect (mirror, "toggled", G_CALLBACK (mirrored_cb), attach_owner (mirror, rows));
  hl_inspector_add_row (rows, _ ("Mirrored"), _ ("Left and right are exchanged before the rotation (M)"),
                        mirror, NULL);
}

/* Adds the positions of the symbols of components on paper; nothing for other elements. */
static void add_symbol_rows (HlInspectorRows *rows) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  Reader *reader = g_rc_box_new0 (Reader);
  HlPlacement place;

  for (int i = 0; rows->ids[i] != NULL; i++)
    if (!hl_circuit_symbol_place_on (&reader->places, document, rows->ids[i], &place)) {
      reader_unref (reader);
      return;
    }
  hl_inspector_add_heading (rows, _ ("In the drawing"));
  for (guint k = 0; k < G_N_ELEMENTS (places); k++) {
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    for (int i = 0; rows->ids[i] != NULL; i++)
      g_ptr_array_add (paths, g_strconcat (rows->ids[i], ".", places[k].name, NULL));
    g_ptr_array_add (paths, NULL);
    GtkWidget *field = hl_number_field_new (rows->workbench, (const char *const *)paths->pdata,
                                            HL_QUANTITY_NONE, _ (places[k].label), _ (places[k].help));
    g_object_set_data_full (G_OBJECT (field), "hl-reader", g_rc_box_acquire (reader), reader_unref);
    hl_number_field_set_source (HL_NUMBER_FIELD (field), &places[k].source, reader);
    g_ptr_array_add (rows->fields, field);
    hl_inspector_add_row (rows, _ (places[k].label), _ (places[k].help), field, NULL);
  }
  if (rows->ids[1] == NULL)
    add_turn (rows, &place);
  reader_unref (reader);
}

/* Appends the symbol data that the rows depend on besides numbers. */
static void append_symbol (GString *text, const HlDocument *document, const char *id) {
  HlPlacement place;

  if (hl_circuit_place_parse (document, id, &place))
    g_string_append_printf (text, "=%d %d", place.rotation, place.mirror);
}

#define LEAST_CHARS 11 /* of a name, in a narrow pane */
#define MOST_LINES 4

static char *join_strings (const HlValue *array) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < hl_value_length (array); i++) {
    const char *item = hl_value_string (hl_value_item (array, i));
    if (item != NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", item);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- rows --- */

static void secondary_cb (GtkGestureClick *gesture, int n_press, double x, double y, GtkMenuButton *menu) {
  gtk_menu_button_popup (menu);
}

void hl_inspector_add_heading (HlInspectorRows *rows, const char *text) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_grid_attach (rows->grid, label, 0, rows->row++, 3, 1);
}

#define BETWEEN ": " /* a group and what the label is in it */

/* Returns the label of a row: below the heading of its group without the words of the heading. Owned. */
static char *name_of_row (const HlInspectorRows *rows, const char *label) {
  const char *rest = rows->is_grouped ? strstr (label, BETWEEN) : NULL;

  if (rest == NULL)
    return g_strdup (label);
  rest += strlen (BETWEEN);
  char first[8] = "";
  g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (rest)), first);
  return g_strconcat (first, g_utf8_next_char (rest), NULL);
}

void hl_inspector_add_row (HlInspectorRows *rows, const char *label, const char *help, GtkWidget *editor,
                           GtkWidget *menu) {
  g_autofree char *shown = name_of_row (rows, label);
  g_autofree char *broken = hl_syllables_break (shown);
  GtkWidget *name = gtk_label_new (broken);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (name), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (name), MOST_LINES);
  gtk_label_set_width_chars (GTK_LABEL (name), LEAST_CHARS);
  gtk_widget_set_hexpand (name, TRUE);
  hl_tooltip_set (name, help);
  hl_tooltip_set (editor, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (editor), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_grid_attach (rows->grid, name, 0, rows->row, 1, 1);
  gboolean is_wide = menu == NULL && (GTK_IS_ENTRY (editor) || GTK_IS_DROP_DOWN (editor));
  gtk_grid_attach (rows->grid, editor, 1, rows->row, is_wide ? 2 : 1, 1);
  if (menu != NULL) {
    GtkGesture *click = gtk_gesture_click_new ();
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
    g_signal_connect (click, "pressed", G_CALLBACK (secondary_cb), menu);
    gtk_widget_add_controller (name, GTK_EVENT_CONTROLLER (click));
    gtk_grid_attach (rows->grid, menu, 2, rows->row, 1, 1);
  }
  rows->row++;
}

/* Returns ID.NAME for every element; members of the top level have their own name: "gravity.x". Free with
 * g_strfreev. */
static char **paths_of (const HlInspectorRows *rows, const char *name) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  for (int i = 0; rows->ids[i] != NULL; i++)
    g_ptr_array_add (paths, strcmp (rows->ids[i], "model") == 0
                                ? g_strdup (name)
                                : g_strconcat (rows->ids[i], ".", name, NULL));
  g_ptr_array_add (paths, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

/* Says below a row that the present oil does not read its number, and pales its name. */
static void add_idle_note (HlInspectorRows *rows, const HlField *field) {
  HlOil oil = hl_document_oil (hl_editing_document (hl_workbench_editing (rows->workbench)));
  const char *text = field != NULL ? hl_field_idle_text (field, oil) : NULL;

  if (text == NULL)
    return;
  g_autofree char *help = hl_field_idle_help (field, oil);
  GtkWidget *note = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_add_css_class (note, "caption");
  hl_tooltip_set (note, help);
  gtk_widget_add_css_class (gtk_grid_get_child_at (rows->grid, 0, rows->row - 1), "dim-label");
  gtk_grid_attach (rows->grid, note, 0, rows->row++, 3, 1);
}

void hl_inspector_add_number (HlInspectorRows *rows, const HlInspectorNumber *number) {
  g_auto (GStrv) list = paths_of (rows, number->name);
  const char *const *paths = (const char *const *)list;

  if (g_strv_contains (hl_workbench_veiled (rows->workbench), list[0]))
    return;
  g_autofree char *range = hl_inspector_range_text (rows->workbench, number->field, number->quantity);
  g_autofree char *help =
      range != NULL ? g_strdup_printf ("%s\n%s", number->help, range) : g_strdup (number->help);
  GtkWidget *field = hl_number_field_new (rows->workbench, paths, number->quantity, number->label, help);
  GtkWidget *menu = number->menu != NULL ? number->menu
                                         : hl_inspector_menu_new (rows->workbench, paths, number->field,
                                                                  number->quantity, number->label);

  if (number->placeholder != NULL)
    hl_number_field_set_placeholder (HL_NUMBER_FIELD (field), number->placeholder);
  if (number->source != NULL)
    hl_number_field_set_source (HL_NUMBER_FIELD (field), number->source, NULL);
  g_ptr_array_add (rows->fields, field);
  hl_inspector_add_row (rows, number->label, help, field, menu);
  hl_plot_drag_source_add_text (gtk_grid_get_child_at (rows->grid, 0, rows->row - 1), list[0]);
  add_idle_note (rows, number->field);
}

static void add_parts (HlInspectorRows *rows, const HlField *field) {
  static const struct {
    HlFieldType type;
    const char *names[4];
    HlQuantity quantities[3];
  } parts[] = {
      {HL_FIELD_POSE, {"x", "y", N_ ("angle")}, {HL_QUANTITY_LENGTH, HL_QUANTITY_LENGTH, HL_QUANTITY_ANGLE}},
      {HL_FIELD_VELOCITY,
       {"vx", "vy", "omega"},
       {HL_QUANTITY_SPEED, HL_QUANTITY_SPEED, HL_QUANTITY_ANGULAR_SPEED}},
  };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    for (int part = 0; parts[i].type == field->type && parts[i].names[part] != NULL; part++) {
      const char *word = strcmp (parts[i].names[part], "omega") == 0 ? "ω" : _ (parts[i].names[part]);
      g_autofree char *label = g_strdup_printf ("%s %s", _ (field->label), word);
      hl_inspector_add_number (rows, &(HlInspectorNumber){parts[i].names[part], label, _ (field->help), NULL,
                                                          parts[i].quantities[part], NULL, NULL, NULL});
    }
  for (int axis = 0; field->type == HL_FIELD_VEC2 && axis < 2; axis++) {
    g_autofree char *label = g_strdup_printf ("%s %c", _ (field->label), "xy"[axis]);
    g_autofree char *name = g_strdup_printf ("%s.%c", field->name, "xy"[axis]);
    hl_inspector_add_number (
        rows, &(HlInspectorNumber){name, label, _ (field->help), NULL, field->quantity, NULL, NULL, NULL});
  }
}

static void add_points (HlInspectorRows *rows, const HlValue *points) {
  static const HlNumberSource source = {NULL, hl_linkage_set_number};
  gboolean is_ground = strcmp (rows->ids[0], "ground") == 0;

  for (gsize i = 0; i < hl_value_length (points); i++)
    for (int axis = 0; axis < 2; axis++) {
      const char *name = hl_value_key (points, i);
      g_autofree char *path = g_strdup_printf (is_ground ? "%s.%c" : "points.%s.%c", name, "xy"[axis]);
      g_autofree char *label = g_strdup_printf (_ ("Point %s %c"), name, "xy"[axis]);
      const char *help = is_ground ? _ ("In the frame of the ground") : _ ("In the frame of the body");
      hl_inspector_add_number (
          rows, &(HlInspectorNumber){path, label, help, NULL, HL_QUANTITY_LENGTH, NULL, &source, NULL});
    }
}

/* Adds the name of the model, which gets all the room that its label leaves. */
static void add_title (HlInspectorRows *rows, const HlField *field, GtkWidget *entry) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_box_append (GTK_BOX (box), gtk_label_new (_ (field->label)));
  gtk_box_append (GTK_BOX (box), entry);
  hl_tooltip_set (box, _ (field->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (field->label),
                                  -1);
  gtk_grid_attach (rows->grid, box, 0, rows->row++, 3, 1);
}

static void add_rows_of_field (HlInspectorRows *rows, const HlField *field, const HlValue *element) {
  const HlValue *value = hl_value_at (element, field->name);
  HlEditTarget target = {rows->workbench, rows->ids, field, NULL};
  GtkWidget *editor = NULL;
  g_autofree char *text = NULL;

  if (hl_inspector_is_text (field)) {
    gboolean is_prose = strcmp (field->name, "description") == 0;
    editor = is_prose ? hl_inspector_prose (&target) : hl_inspector_text (&target);
    g_ptr_array_add (rows->texts, editor);
  }
  switch (field->type) {
  case HL_FIELD_TEXT:
    if (strcmp (field->name, "description") == 0) {
      GtkWidget *name = gtk_label_new (_ (field->label)); /* above what it names, so not narrow */
      gtk_label_set_xalign (GTK_LABEL (name), 0);
      hl_tooltip_set (name, _ (field->help));
      gtk_grid_attach (rows->grid, name, 0, rows->row++, 3, 1);
      gtk_grid_attach (rows->grid, editor, 0, rows->row++, 3, 1);
      return;
    }
    if (strcmp (rows->ids[0], "model") == 0) {
      add_title (rows, field, editor);
      return;
    }
    break;
  case HL_FIELD_SIGNAL:
    if (value != NULL && !hl_value_is_number (value)) {
      hl_inspector_add_signal (rows, field, value);
      return;
    }
    /* fall through */
  case HL_FIELD_NUMBER:
    hl_inspector_add_number (
        rows, &(HlInspectorNumber){field->name, _ (field->label), _ (field->help), field, field->quantity,
                                   field->need == HL_NEED_ABSENT ? _ ("none") : NULL, NULL, NULL});
    add_rating (rows, field);
    return;
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
  case HL_FIELD_VEC2:
    add_parts (rows, field);
    return;
  case HL_FIELD_POINTS:
    add_points (rows, value);
    return;
  case HL_FIELD_CHOICE:
    editor = hl_inspector_choice (&target);
    break;
  case HL_FIELD_BOOLEAN:
    editor = hl_inspector_flag (&target);
    break;
  case HL_FIELD_POINT:
  case HL_FIELD_BODY:
  case HL_FIELD_PATH:
    break;
  case HL_FIELD_PORTS:
  case HL_FIELD_IDS:
  case HL_FIELD_PATHS:
    text = join_strings (value);
    editor = hl_inspector_read_only (text);
    break;
  case HL_FIELD_NUMBERS:
  case HL_FIELD_SIGNALS:
  case HL_FIELD_VALUES:
    return;
  }
  hl_inspector_add_row (rows, _ (field->label), _ (field->help), editor, NULL);
}

/* Adds a row, which stores its field, so that one can be found by the other. */
static void add_field (HlInspectorRows *rows, const HlField *field, const HlValue *element) {
  int first = rows->row;

  add_rows_of_field (rows, field, element);
  for (int row = first; row < rows->row; row++)
    for (int column = 0; column <= 2; column++) {
      GtkWidget *child = gtk_grid_get_child_at (rows->grid, column, row);
      if (child != NULL)
        g_object_set_data (G_OBJECT (child), HL_INSPECTOR_FIELD_KEY, (gpointer)field->name);
    }
}

/* --- which fields there are --- */

/* Returns whether a row of the field stands for an element by itself. */
static gboolean is_shown (const HlKind *kind, const HlField *field, const HlValue *element) {
  /* Shows the stated one of two alternative quantities (diameter, area). */
  if (field->need == HL_NEED_GROUP && hl_value_at (element, field->name) == NULL)
    return FALSE;
  return hl_field_matters (kind, field, element);
}

/* Returns whether a field refers to other elements: such a field is not a common property. */
static gboolean is_private (const HlField *field) {
  return field->type == HL_FIELD_POINTS || field->type == HL_FIELD_POINT || field->type == HL_FIELD_BODY ||
         field->type == HL_FIELD_PATH || field->type == HL_FIELD_PORTS || field->type == HL_FIELD_IDS ||
         field->type == HL_FIELD_PATHS;
}

static gboolean is_common (const HlDocument *document, const HlField *field, const char *const *ids) {
  gboolean is_single = ids[1] == NULL;

  for (int i = 0; ids[i] != NULL; i++) {
    const HlKind *kind;
    const HlValue *element = hl_inspector_object (document, ids[i], &kind);
    const HlField *same = kind != NULL ? hl_kind_find_field (kind, field->name) : NULL;
    const HlValue *value = hl_value_at (element, field->name);
    if (same == NULL || same->type != field->type || same->quantity != field->quantity ||
        g_strcmp0 (same->choices, field->choices) != 0 ||
        !is_shown (kind, is_single ? field : same, element) || (!is_single && is_private (field)) ||
        (!is_single && field->type == HL_FIELD_SIGNAL && value != NULL && !hl_value_is_number (value)))
      return FALSE;
  }
  return TRUE;
}

/* Adds the friction curve below the choice of a friction law, for one element that has one. */
static void add_friction_curve (HlInspectorRows *rows, const HlKind *kind, const HlField *field,
                                const HlValue *element) {
  if (rows->ids[1] != NULL || strcmp (field->name, "friction.model") != 0 ||
      strcmp (hl_kind_text (kind, element, field->name), "none") == 0)
    return;
  gtk_grid_attach (rows->grid, hl_friction_curve_new (rows->workbench, rows->ids[0]), 0, rows->row++, 3, 1);
}

/* --- a cylinder as in a catalogue --- */

static double dead_length (const HlDocument *document, const char *id, const char *name) {
  g_autofree char *path = g_strconcat (id, ".", name, NULL);
  double value = 0;

  return hl_document_get_number (document, path, &value, NULL, NULL) && isfinite (value) ? value : 0;
}

static double get_retracted (const HlDocument *document, const char *path, gpointer data) {
  g_autofree char *id = owner_of (path);

  return dead_length (document, id, "c1") + dead_length (document, id, "c2");
}

/* Sets the retracted length; the part at the rod stays as long as it fits. */
static HlDocument *set_retracted (const HlDocument *document, const char *path, double value,
                                  GError **error) {
  g_autofree char *id = owner_of (path);

  if (!(value >= 0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("The retracted length must not be negative."));
    return NULL;
  }
  double rod = fmin (dead_length (document, id, "c2"), value);
  g_autoptr (HlDocument) with_base =
      hl_edit_set (document, id, "c1", hl_value_new_number (value - rod), error);

  if (with_base == NULL || rod == dead_length (document, id, "c2"))
    return g_steal_pointer (&with_base);
  return hl_edit_set (with_base, id, "c2", hl_value_new_number (rod), error);
}

static void add_retracted (HlInspectorRows *rows) {
  static const HlNumberSource source = {get_retracted, set_retracted};
  const char *label = _ ("Retracted length"),
             *help =
                 _ ("Pin to pin, with the piston at the stop; its parts at base and rod are under Advanced");
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; rows->ids[i] != NULL; i++)
    g_ptr_array_add (paths, g_strconcat (rows->ids[i], ".retracted", NULL));
  g_ptr_array_add (paths, NULL);
  GtkWidget *field = hl_number_field_new (rows->workbench, (const char *const *)paths->pdata,
                                          HL_QUANTITY_LENGTH, label, help);
  hl_number_field_set_source (HL_NUMBER_FIELD (field), &source, NULL);
  g_ptr_array_add (rows->fields, field);
  hl_inspector_add_row (rows, label, help, field, NULL);
}

static gboolean has_dead_lengths (const HlKind *kind) {
  return hl_kind_find_field (kind, "c1") != NULL && hl_kind_find_field (kind, "c2") != NULL;
}

/* --- groups --- */

/* The numbers of a body in the usual order; what belongs to none comes first. */
typedef enum { NO_GROUP, GEOMETRY, MASS, START, ADVANCED, N_GROUPS } Group;

static Group group_of (const HlKind *kind, const HlField *field) {
  static const char *const advanced[] = {"c1",
                                         "c2",
                                         "wall_modulus",
                                         "leakage",
                                         "external_leakage",
                                         "vent_pressure",
                                         "spring_stiffness",
                                         "spring_preload",
                                         "virtual_stiffness",
                                         "virtual_damping",
                                         NULL};

  if (has_dead_lengths (kind) && g_strv_contains (advanced, field->name))
    return ADVANCED;
  if (kind->section != HL_SECTION_BODIES)
    return NO_GROUP;
  if (field->type == HL_FIELD_POINTS)
    return GEOMETRY;
  if (field->type == HL_FIELD_POSE || field->type == HL_FIELD_VELOCITY)
    return START;
  return field->quantity == HL_QUANTITY_MASS || field->quantity == HL_QUANTITY_INERTIA ||
                 field->type == HL_FIELD_VEC2
             ? MASS
             : NO_GROUP;
}

/* Adds repeated groups of a kind, each below its own heading, after all other rows. */
static void add_named_groups (HlInspectorRows *rows, const HlKind *kind, const HlValue *element) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  g_autofree char *before = NULL;

  for (int index = 0; index < kind->n_fields; index++) {
    const HlField *field = &kind->fields[index];
    const char *label = _ (field->label);
    if (strstr (field->label, BETWEEN) == NULL || !is_common (document, field, rows->ids))
      continue;
    g_autofree char *heading = g_strndup (label, strcspn (label, ":"));
    if (g_strcmp0 (heading, before) != 0 && hl_inspector_is_part (rows))
      hl_inspector_add_heading (rows, heading);
    g_free (before);
    before = g_steal_pointer (&heading);
    rows->is_grouped = TRUE;
    if (hl_inspector_is_part (rows))
      add_field (rows, field, element);
    rows->is_grouped = FALSE;
  }
}

static void add_group (HlInspectorRows *rows, const HlKind *kind, const HlValue *element, Group group) {
  static const char *const headings[] = {[GEOMETRY] = N_ ("Geometry"),
                                         [MASS] = N_ ("Mass"),
                                         [START] = N_ ("Start"),
                                         [ADVANCED] = N_ ("Advanced")};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));

  if (group != NO_GROUP) {
    if (group == ADVANCED ? !has_dead_lengths (kind) : kind->section != HL_SECTION_BODIES)
      return;
    if (hl_inspector_is_part (rows))
      hl_inspector_add_heading (rows, _ (headings[group]));
  }
  if (group == GEOMETRY && hl_inspector_is_part (rows))
    add_body_rows (rows, FALSE);
  if (group == MASS && hl_inspector_is_part (rows))
    add_body_rows (rows, TRUE);
  for (int index = 0; index < kind->n_fields; index++)
    if (group_of (kind, &kind->fields[index]) == group &&
        strstr (kind->fields[index].label, BETWEEN) == NULL &&
        is_common (document, &kind->fields[index], rows->ids) && hl_inspector_is_part (rows)) {
      add_field (rows, &kind->fields[index], element);
      add_friction_curve (rows, kind, &kind->fields[index], element);
      if (has_dead_lengths (kind) && strcmp (kind->fields[index].name, "stroke") == 0)
        add_retracted (rows);
    }
  if (group == NO_GROUP)
    add_named_groups (rows, kind, element);
  if (group == MASS && rows->ids[1] == NULL && hl_inspector_is_part (rows))
    add_inertia_note (rows);
}

void hl_inspector_add_rows (HlInspectorRows *rows) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  const HlKind *kind;
  const HlValue *element = hl_inspector_object (document, rows->ids[0], &kind);

  if (kind == NULL)
    return;
  for (Group group = NO_GROUP; group < N_GROUPS; group++)
    add_group (rows, kind, element, group);
  if (hl_inspector_is_part (rows))
    add_symbol_rows (rows);
  if (rows->ids[1] == NULL && hl_inspector_is_part (rows))
    add_outputs (rows, kind);
}

static void append_signature (GString *text, const HlDocument *document, const char *id) {
  const HlKind *kind;
  const HlValue *element = hl_inspector_object (document, id, &kind);

  g_string_append_printf (text, "|%s", id);
  append_symbol (text, document, id);
  for (int index = 0; kind != NULL && index < kind->n_fields; index++) {
    const HlField *field = &kind->fields[index];
    const HlValue *value = hl_value_at (element, field->name);
    if (!hl_field_matters (kind, field, element))
      continue;
    if (hl_inspector_is_text (field)) { /* refreshed as they are */
      g_string_append_printf (text, ";%s", field->name);
      continue;
    }
    /* The row of a number that has a default is the same whether the file states it or not. */
    if (field->type == HL_FIELD_NUMBER && field->need == HL_NEED_DEFAULT) {
      g_string_append_printf (text, ";%s", field->name);
      continue;
    }
    g_string_append_printf (text, ";%s:%d:%d", field->name, (int)hl_value_type (value), value != NULL);
    if (field->type == HL_FIELD_POINTS)
      for (gsize i = 0; i < hl_value_length (value); i++)
        g_string_append_printf (text, ",%s", hl_value_key (value, i));
    /* Editors that do not refresh themselves are rebuilt with their value. */
    if (field->type == HL_FIELD_CHOICE)
      g_string_append_printf (text, "=%s", hl_value_string (value) != NULL ? hl_value_string (value) : "");
    if (field->type == HL_FIELD_BOOLEAN)
      g_string_append_printf (text, "=%d", hl_value_boolean (value));
    if (field->type == HL_FIELD_SIGNAL && hl_value_is_object (value))
      hl_inspector_append_signal (text, value);
    if (field->type == HL_FIELD_PORTS)
      for (gsize i = 0; i < hl_value_length (value); i++)
        g_string_append_printf (text, ",%s", hl_value_string (hl_value_item (value, i)));
  }
}

char *hl_inspector_signature (const HlDocument *document, const char *const *ids) {
  GString *text = g_string_new (NULL);

  for (int i = 0; ids[i] != NULL; i++)
    append_signature (text, document, ids[i]);
  g_string_append_printf (text, "|%d|%d", has_body_rows (document, ids), (int)hl_document_oil (document));
  return g_string_free (text, FALSE);
}
