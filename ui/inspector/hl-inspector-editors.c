/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-inspector-editors.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-property-label.h"
#include "core/edit/hl-edit.h"
#include "core/edit/hl-nominal-flow.h"
#include "core/system/hl-signal-block.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/modes/hl-slider-panel.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/plot/hl-trace-picker.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-tooltip.h"

#include <math.h>
#include <string.h>

#define DIGITS 6
#define ROW_KEY "hl-constraint-row"

typedef struct {
  HlWorkbench *workbench; /* borrowed: the row does not outlive it */
  char **paths;
  const HlField *field; /* NULL: an output, or a number without a field */
  HlQuantity quantity;
  gboolean is_output;
} Row;

static void free_row (gpointer data) {
  Row *row = data;

  g_strfreev (row->paths);
  g_free (row);
}

/* --- what the items do --- */

/* Returns the body whose mass or inertia a path is, when it is drawn of rods: it has a better default. */
static char *drawn_body (const HlDocument *document, const char *path) {
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL) || info.section != HL_SECTION_BODIES ||
      info.field == NULL ||
      (strcmp (info.field->name, "mass") != 0 && strcmp (info.field->name, "inertia") != 0) ||
      hl_document_n_points (document, info.index) < 2)
    return NULL;
  return g_strdup (info.id);
}

static HlDocument *reset_one (const HlDocument *document, const char *path, GError **error) {
  g_autofree char *body = drawn_body (document, path);

  if (body != NULL)
    return hl_linkage_set_density (document, body, hl_linkage_density (document, body), error);
  return hl_edit_reset_number (document, path, error);
}

/* Applies one change to every path, as one step. */
static gboolean on_all (HlEditing *editing, const char *const *paths,
                        HlDocument *(*verb) (const HlDocument *, const char *, GError **),
                        const char *step_format, GError **error) {
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing));

  for (int i = 0; paths[i] != NULL; i++) {
    HlDocument *next = verb (document, paths[i], error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  g_autoptr (GString) step = g_string_new (step_format);
  g_autofree char *label = hl_path_label (document, paths[0]);
  g_string_replace (step, "%s", label, 1);
  hl_editing_commit (editing, hl_document_ref (document), step->str, NULL);
  return TRUE;
}

gboolean hl_inspector_reset (HlEditing *editing, const char *const *paths, GError **error) {
  return on_all (editing, paths, reset_one, _ ("Reset %s"), error);
}

static gboolean is_held (const Row *row) {
  return hl_document_is_held (hl_editing_document (hl_workbench_editing (row->workbench)), row->paths[0]);
}

static void hold_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;
  on_all (hl_workbench_editing (row->workbench), (const char *const *)row->paths, hl_edit_toggle_hold,
          is_held (row) ? _ ("Release %s in the equilibrium") : _ ("Hold %s in the equilibrium"), NULL);
}

static HlDocument *plot_one (const HlDocument *document, const char *path, GError **error) {
  return hl_edit_plot_path (document, path, NULL, error);
}

gboolean hl_inspector_plot (HlEditing *editing, const char *const *paths, GError **error) {
  return on_all (editing, paths, plot_one, _ ("Plot %s"), error);
}

gboolean hl_inspector_put_in_set (HlEditing *editing, const char *const *paths, const char *set,
                                  GError **error) {
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing));
  double value;

  for (int i = 0; paths[i] != NULL; i++) {
    HlDocument *next = hl_document_get_number (document, paths[i], &value, NULL, error)
                           ? hl_edit_put_in_set (document, set, paths[i], value, error)
                           : NULL;
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  g_autofree char *step = g_strdup_printf (_ ("Add %s to %s"), paths[0], set);
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
  return TRUE;
}

/* Returns the owner and the point of "link2.points.C.x" and "ground.O1.x". */
static gboolean point_of_path (const HlDocument *document, const char *path, char **owner, char **point) {
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL) || info.field == NULL ||
      info.field->type != HL_FIELD_POINTS)
    return FALSE;
  g_auto (GStrv) parts = g_strsplit (path, ".", -1);
  guint n = g_strv_length (parts);
  if (n < 3)
    return FALSE;
  *owner = g_strdup (parts[0]);
  *point = g_strdup (parts[n - 2]);
  return TRUE;
}

static HlDocument *remove_one_point (const HlDocument *document, const char *path, GError **error) {
  g_autofree char *owner = NULL;
  g_autofree char *point = NULL;

  if (!point_of_path (document, path, &owner, &point))
    return hl_document_ref (document);
  return hl_linkage_remove_point (document, owner, point, error);
}

gboolean hl_inspector_remove_point (HlEditing *editing, const char *const *paths, GError **error) {
  return on_all (editing, paths, remove_one_point, _ ("Delete the point of %s"), error);
}

gboolean hl_inspector_signal_kind (HlEditing *editing, const char *const *paths, const char *kind,
                                   GError **error) {
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing));

  for (int i = 0; paths[i] != NULL; i++) {
    HlPathInfo info;
    HlDocument *next = hl_path_find (document, paths[i], &info, error)
                           ? hl_edit_signal_kind (document, info.id, info.name, kind, error)
                           : NULL;
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  g_autofree char *step = g_strdup_printf (_ ("Change %s over time"), paths[0]);
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
  return TRUE;
}

/* --- the menu --- */

char *hl_inspector_range_text (HlWorkbench *workbench, const HlField *field, HlQuantity quantity) {
  HlUnits units = hl_workbench_units (workbench);
  GString *text = g_string_new (NULL);

  if (field == NULL) {
    g_string_free (text, TRUE);
    return NULL;
  }
  g_autofree char *low = hl_units_format (units, quantity, field->min, DIGITS);
  g_autofree char *high = hl_units_format (units, quantity, field->max, DIGITS);
  if (field->min_bound == HL_BOUND_CLOSED && field->max_bound == HL_BOUND_CLOSED)
    g_string_append_printf (text, _ ("from %s to %s"), low, high);
  else if (field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE)
    g_string_append_printf (text, _ ("between %s and %s"), low, high);
  else if (field->min_bound == HL_BOUND_OPEN)
    g_string_append_printf (text, _ ("more than %s"), low);
  else if (field->min_bound == HL_BOUND_CLOSED)
    g_string_append_printf (text, _ ("%s or more"), low);
  else if (field->max_bound != HL_BOUND_NONE)
    g_string_append_printf (text, _ ("at most %s"), high);
  if (field->need == HL_NEED_DEFAULT && isfinite (field->fallback)) {
    g_autofree char *usual = hl_units_format (units, quantity, field->fallback, DIGITS);
    g_string_append_printf (text, text->len > 0 ? _ ("; default: %s") : _ ("Default: %s"), usual);
  }
  return g_string_free (text, text->len == 0);
}

static void reset_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;
  hl_inspector_reset (hl_workbench_editing (row->workbench), (const char *const *)row->paths, NULL);
}

static void plot_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;
  hl_inspector_plot (hl_workbench_editing (row->workbench), (const char *const *)row->paths, NULL);
}

static void slider_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;

  for (char **path = row->paths; *path != NULL; path++)
    hl_slider_add (row->workbench, *path, NULL);
}

static void set_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;
  hl_inspector_put_in_set (hl_workbench_editing (row->workbench), (const char *const *)row->paths,
                           g_variant_get_string (parameter, NULL), NULL);
}

static void remove_point_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;
  hl_inspector_remove_point (hl_workbench_editing (row->workbench), (const char *const *)row->paths, NULL);
}

static void add_action (GSimpleActionGroup *group, Row *row, const char *name, const GVariantType *type,
                        GCallback activate, gboolean enabled) {
  g_autoptr (GSimpleAction) action = g_simple_action_new (name, type);

  g_simple_action_set_enabled (action, enabled);
  g_signal_connect (action, "activate", activate, row);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
}

/* Returns "Reset to 200 kPa". */
static char *reset_label (const Row *row) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (row->workbench));
  g_autofree char *body = drawn_body (document, row->paths[0]);
  double value;

  if (body != NULL)
    return g_strdup (_ ("Compute from mass per length"));
  if (!hl_edit_default_number (document, row->paths[0], &value))
    return g_strdup (_ ("Reset"));
  if (isnan (value))
    return g_strdup (_ ("Remove value"));
  g_autofree char *text = hl_units_format (hl_workbench_units (row->workbench), row->quantity, value, DIGITS);
  return g_strdup_printf (_ ("Reset to %s"), text);
}

static gboolean can_reset (const Row *row) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (row->workbench));

  for (char **path = row->paths; *path != NULL; path++) {
    g_autoptr (HlDocument) reset = reset_one (document, *path, NULL);
    if (reset != NULL && !hl_document_equal (reset, document))
      return TRUE;
  }
  return FALSE;
}

static gboolean has_slider (const Row *row) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (row->workbench));

  for (int index = 0; index < hl_document_n_sliders (document); index++) {
    HlSlider slider;
    if (hl_document_slider (document, index, &slider) && g_strcmp0 (slider.path, row->paths[0]) == 0)
      return TRUE;
  }
  return FALSE;
}

static GMenuModel *sets_menu (const Row *row) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (row->workbench));
  GMenu *menu = g_menu_new ();

  for (int set = 0; set <= hl_document_n_sets (document); set++) {
    gboolean is_new = set == hl_document_n_sets (document);
    g_autofree char *name = NULL;
    for (int number = set + 1; name == NULL; number++) {
      name =
          is_new ? g_strdup_printf (_ ("Set %d"), number) : g_strdup (hl_document_set_name (document, set));
      if (is_new && hl_document_find_set (document, name) >= 0)
        g_clear_pointer (&name, g_free);
    }
    g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);
    g_autofree char *label = is_new ? g_strdup (_ ("New set")) : g_strdup (name);
    g_auto (GStrv) parts = g_strsplit (label, "_", -1); /* "_" would be a mnemonic */
    g_autofree char *plain = g_strjoinv ("__", parts);
    g_menu_item_set_label (item, plain);
    g_menu_item_set_action_and_target (item, "row.set", "s", name);
    g_menu_append_item (menu, item);
  }
  return G_MENU_MODEL (menu);
}

static void signal_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;
  hl_inspector_signal_kind (hl_workbench_editing (row->workbench), (const char *const *)row->paths,
                            g_variant_get_string (parameter, NULL), NULL);
}

static void append_kind (GMenu *menu, const char *action, const char *kind, const char *label) {
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", kind);
  g_menu_append_item (menu, item);
}

GMenuModel *hl_inspector_signal_menu (const char *action, const HlValue *signal) {
  static const struct {
    const char *kind, *label;
  } kinds[] = {{"constant", N_ ("Constant")},   {"step", N_ ("Step")},     {"ramp", N_ ("Ramp")},
               {"table", N_ ("Table")},         {"motion", N_ ("Motion")}, {"sine", N_ ("Sine")},
               {"lever", N_ ("Moved by hand")}, {"sum", N_ ("Sum")}};
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) measuring = g_menu_new ();
  g_autoptr (GMenu) around = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    append_kind (menu, action, kinds[i].kind, _ (kinds[i].label));
  for (int k = 0; k < hl_n_blocks; k++)
    append_kind (hl_blocks[k]->measures ? measuring : around, action, hl_blocks[k]->kind.name,
                 _ (hl_blocks[k]->kind.label));
  if (hl_edit_inner_signal (signal) != NULL)
    append_kind (around, action, "inner", _ ("Remove this block"));
  g_menu_append_section (menu, _ ("Feedback"), G_MENU_MODEL (measuring));
  g_menu_append_section (menu, _ ("Insert a Block"), G_MENU_MODEL (around));
  return G_MENU_MODEL (menu);
}

static void size_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  Row *row = data;
  hl_editing_set_numbers (hl_workbench_editing (row->workbench), (const char *const *)row->paths,
                          g_variant_get_double (parameter), NULL, NULL);
}

/* Diameters that can be bought. */
static void add_sizes (GMenu *items, const Row *row) {
  int n;
  const double *sizes = hl_standard_sizes (row->paths[0], &n);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (int k = 0; k < n; k++) {
    g_autofree char *text =
        hl_units_format (hl_workbench_units (row->workbench), row->quantity, sizes[k], DIGITS);
    g_autoptr (GMenuItem) item = g_menu_item_new (text, NULL);
    g_menu_item_set_action_and_target (item, "row.size", "d", sizes[k]);
    g_menu_append_item (menu, item);
  }
  if (n > 0)
    g_menu_append_submenu (items, _ ("Sizes of ISO 3320"), G_MENU_MODEL (menu));
}

static GMenuModel *make_menu (Row *row, GtkWidget *button) {
  HlEditing *editing = hl_workbench_editing (row->workbench);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) items = g_menu_new ();
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  const HlDocument *document = hl_editing_document (editing);
  g_autofree char *owner = NULL;
  g_autofree char *point = NULL;
  g_autofree char *range = hl_inspector_range_text (row->workbench, row->field, row->quantity);
  double value;
  gboolean is_number =
      !row->is_output && hl_document_get_number (document, row->paths[0], &value, NULL, NULL);
  gboolean is_stated = is_number && isfinite (value);
  gboolean can_hold = hl_edit_can_hold (document, row->paths[0]);
  gboolean is_point = point_of_path (document, row->paths[0], &owner, &point);

  add_action (group, row, "reset", NULL, G_CALLBACK (reset_cb), can_reset (row));
  add_action (group, row, "slider", NULL, G_CALLBACK (slider_cb), is_stated && !has_slider (row));
  add_action (group, row, "set", G_VARIANT_TYPE_STRING, G_CALLBACK (set_cb), is_stated);
  add_action (group, row, "size", G_VARIANT_TYPE_DOUBLE, G_CALLBACK (size_cb), is_number);
  add_action (group, row, "plot", NULL, G_CALLBACK (plot_cb), hl_editing_can_record (editing, row->paths[0]));
  add_action (group, row, "hold", NULL, G_CALLBACK (hold_cb), can_hold);
  add_action (group, row, "remove-point", NULL, G_CALLBACK (remove_point_cb), is_point);
  add_action (group, row, "signal", G_VARIANT_TYPE_STRING, G_CALLBACK (signal_cb), TRUE);
  gtk_widget_insert_action_group (button, "row", G_ACTION_GROUP (group));
  if (row->field != NULL && row->field->type == HL_FIELD_SIGNAL) {
    HlPathInfo signal;
    const HlValue *now = hl_path_find (document, row->paths[0], &signal, NULL)
                             ? hl_value_at (hl_document_find (document, signal.id, NULL, NULL), signal.name)
                             : NULL;
    g_autoptr (GMenuModel) kinds = hl_inspector_signal_menu ("row.signal", now);
    g_menu_append_submenu (items, _ ("Over time"), kinds);
  }
  if (!row->is_output) {
    g_autofree char *reset = reset_label (row);
    g_menu_append (items, reset, "row.reset");
    add_sizes (items, row);
    g_menu_append (items, _ ("Make slider"), "row.slider");
    g_autoptr (GMenuModel) sets = sets_menu (row);
    g_menu_append_submenu (items, _ ("Add to parameter set"), sets);
  }
  g_menu_append (items, _ ("Plot this"), "row.plot");
  if (can_hold)
    g_menu_append (items, is_held (row) ? _ ("Release in equilibrium") : _ ("Hold in equilibrium"),
                   "row.hold");
  if (is_point)
    g_menu_append (items, _ ("Delete point"), "row.remove-point");
  g_menu_append_section (menu, range, G_MENU_MODEL (items));
  return G_MENU_MODEL (menu);
}

/* Makes the menu when it is opened: most are never. */
static void fill_menu_cb (GtkMenuButton *button, gpointer data) {
  g_autoptr (GMenuModel) menu = make_menu (data, GTK_WIDGET (button));
  gtk_menu_button_set_menu_model (button, menu);
}

GtkWidget *hl_inspector_menu_button_new (const char *name) {
  GtkWidget *button = gtk_menu_button_new ();
  g_autofree char *label = g_strdup_printf (_ ("More about %s"), name);

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "row-menu");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  hl_tooltip_set (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return button;
}

static GtkWidget *new_menu_button (Row *row, const char *name) {
  GtkWidget *button = hl_inspector_menu_button_new (name);

  g_object_set_data_full (G_OBJECT (button), ROW_KEY, row, free_row);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), fill_menu_cb, row, NULL);
  return button;
}

GtkWidget *hl_inspector_menu_new (HlWorkbench *workbench, const char *const *paths, const HlField *field,
                                  HlQuantity quantity, const char *name) {
  Row *row = g_new0 (Row, 1);

  *row = (Row){workbench, g_strdupv ((char **)paths), field, quantity, FALSE};
  return new_menu_button (row, name);
}

GtkWidget *hl_inspector_output_menu_new (HlWorkbench *workbench, const char *path, const char *name) {
  const char *paths[] = {path, NULL};
  Row *row = g_new0 (Row, 1);

  *row = (Row){workbench, g_strdupv ((char **)paths), NULL, HL_QUANTITY_NONE, TRUE};
  return new_menu_button (row, name);
}

#define LEAST_CHARS 8 /* of a choice */
#define MOST_CHARS 18
#define TEXT_CHARS 8       /* at least: a row gives what it has */
#define PROSE_HEIGHT_PX 50 /* three lines */
#define PROSE_MOST_PX 92
#define WRITER_KEY "hl-writer"

/* A target that outlives the call. */
typedef struct {
  HlWorkbench *workbench; /* borrowed: the editor does not outlive it */
  char **ids;
  const HlField *field;
  char *where; /* dotted place in the elements */
  char *shown; /* of a text: the one that was set from the document */
} Writer;

static void free_writer (gpointer data) {
  Writer *writer = data;

  g_strfreev (writer->ids);
  g_free (writer->where);
  g_free (writer->shown);
  g_free (writer);
}

static const char *place_of (const HlEditTarget *target) {
  return target->where != NULL ? target->where : target->field->name;
}

/* Attaches a writer to its widget, which owns it. */
static Writer *attach_writer (GtkWidget *widget, const HlEditTarget *target) {
  Writer *writer = g_new0 (Writer, 1);

  writer->workbench = target->workbench;
  writer->ids = g_strdupv ((char **)target->ids);
  writer->field = target->field;
  writer->where = g_strdup (place_of (target));
  g_object_set_data_full (G_OBJECT (widget), WRITER_KEY, writer, free_writer);
  return writer;
}

const HlValue *hl_inspector_object (const HlDocument *document, const char *id, const HlKind **kind) {
  static const struct {
    const char *id;
    HlSection section;
  } objects[] = {{"model", HL_SECTION_MODEL},
                 {"fluid", HL_SECTION_FLUID},
                 {"ground", HL_SECTION_GROUND},
                 {"simulation", HL_SECTION_SIMULATION}};
  HlSection section;
  int index;
  const HlValue *element = hl_document_find (document, id, &section, &index);

  if (element != NULL) {
    *kind = hl_schema_kind_of (section, element);
    return element;
  }
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    if (strcmp (objects[i].id, id) == 0) {
      *kind = hl_schema_find_kind (objects[i].section, NULL);
      return hl_document_object (document, objects[i].section);
    }
  *kind = NULL;
  return NULL;
}

/* Writes the value (taken; NULL removes) into every element, as one step. */
static void write_value (const Writer *writer, HlValue *value) {
  HlEditing *editing = hl_workbench_editing (writer->workbench);
  g_autoptr (HlValue) kept = value;
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing));

  for (char **id = writer->ids; *id != NULL; id++) {
    g_autoptr (HlDocument) set = hl_edit_set (document, *id, writer->where, hl_value_ref (kept), NULL);
    HlDocument *next = set != NULL ? hl_edit_complete (set, *id, NULL) : NULL;
    if (next == NULL)
      return;
    hl_document_unref (document);
    document = next;
  }
  g_autofree char *path = g_strconcat (writer->ids[0], ".", writer->where, NULL);
  g_autofree char *label =
      writer->ids[1] == NULL ? hl_path_label (document, path) : hl_field_label (writer->field);
  g_autofree char *step = writer->ids[1] == NULL ? g_strdup_printf (_ ("Set %s"), label)
                                                 : g_strdup_printf (_ ("Set %s of %d elements"), label,
                                                                    (int)g_strv_length (writer->ids));
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
}

/* Returns the text or choice that all elements have; *differ: they have several. Borrowed. */
static const char *common_text (const HlEditTarget *target, gboolean *differ) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (target->workbench));
  const char *common = NULL;

  *differ = FALSE;
  for (int i = 0; target->ids[i] != NULL; i++) {
    const HlKind *kind;
    const HlValue *element = hl_inspector_object (document, target->ids[i], &kind);
    const char *text = kind != NULL && target->field->type == HL_FIELD_CHOICE && target->where == NULL
                           ? hl_kind_text (kind, element, target->field->name)
                           : hl_value_string (hl_value_at (element, place_of (target)));
    *differ |= i > 0 && g_strcmp0 (text, common) != 0;
    common = text;
  }
  return common;
}

/* Returns the displayed text that all elements have in common. Borrowed. */
static const char *shown_text (const HlEditTarget *target, gboolean *differ) {
  const char *text = common_text (target, differ);
  gboolean is_model = strcmp (target->ids[0], "model") == 0 && target->field->type == HL_FIELD_TEXT;

  return *differ || text == NULL ? "" : is_model ? hl_document_shown_text (text) : text;
}

/* --- choices --- */

static void choice_cb (GtkDropDown *drop_down, GParamSpec *pspec, const Writer *writer) {
  g_auto (GStrv) choices = g_strsplit (writer->field->choices, "|", -1);
  guint chosen = gtk_drop_down_get_selected (drop_down);

  if (chosen < g_strv_length (choices))
    write_value (writer, hl_value_new_string (choices[chosen]));
}

static void setup_word_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), LEAST_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  gtk_list_item_set_child (item, label);
}

static void bind_word_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkStringObject *object = gtk_list_item_get_item (item);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (object));
}

/* Shortens long words in the button, which would widen the pane, but not in the list. */
static void narrow (GtkDropDown *drop_down) {
  g_autoptr (GtkListItemFactory) short_words = gtk_signal_list_item_factory_new ();

  g_signal_connect (short_words, "setup", G_CALLBACK (setup_word_cb), NULL);
  g_signal_connect (short_words, "bind", G_CALLBACK (bind_word_cb), NULL);
  gtk_drop_down_set_list_factory (drop_down, gtk_drop_down_get_factory (drop_down));
  gtk_drop_down_set_factory (drop_down, short_words);
}

GtkWidget *hl_inspector_choice (const HlEditTarget *target) {
  g_auto (GStrv) choices = g_strsplit (target->field->choices, "|", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; choices[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer)hl_schema_word (choices[i]));
  g_ptr_array_add (words, NULL);
  GtkWidget *drop_down = gtk_drop_down_new_from_strings ((const char *const *)words->pdata);
  narrow (GTK_DROP_DOWN (drop_down));
  Writer *writer = attach_writer (drop_down, target);
  gboolean differ;
  const char *present = common_text (target, &differ);

  if (differ)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), GTK_INVALID_LIST_POSITION);
  for (guint i = 0; !differ && choices[i] != NULL; i++)
    if (g_strcmp0 (choices[i], present != NULL ? present : choices[0]) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), i);
  g_signal_connect (drop_down, "notify::selected", G_CALLBACK (choice_cb), writer);
  return drop_down;
}

/* --- flags --- */

static void toggled_cb (GtkCheckButton *button, const Writer *writer) {
  gtk_check_button_set_inconsistent (button, FALSE);
  write_value (writer, hl_value_new_boolean (gtk_check_button_get_active (button)));
}

GtkWidget *hl_inspector_flag (const HlEditTarget *target) {
  GtkWidget *button = gtk_check_button_new ();
  Writer *writer = attach_writer (button, target);
  int n_on = 0, n = 0;

  for (; target->ids[n] != NULL; n++) {
    const HlKind *kind;
    const HlValue *element = hl_inspector_object (
        hl_editing_document (hl_workbench_editing (target->workbench)), target->ids[n], &kind);
    n_on += kind != NULL && hl_kind_boolean (kind, element, target->field->name);
  }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), n_on == n);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (button), n_on > 0 && n_on < n);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), writer);
  return button;
}

/* --- texts --- */

/* Tables are read and written in SI, whatever is shown elsewhere: their label says so. */
static const HlUnit *table_unit (const HlField *field) {
  int n;
  return &hl_quantity_units (field->quantity, &n)[0];
}

static const HlValue *signal_of (const Writer *writer) {
  const HlKind *kind;
  const HlValue *element = hl_inspector_object (
      hl_editing_document (hl_workbench_editing (writer->workbench)), writer->ids[0], &kind);

  return hl_value_at (element, writer->where);
}

static gboolean apply_table (GtkEditable *entry, Writer *writer) {
  const char *text = gtk_editable_get_text (entry);
  g_autoptr (GError) error = NULL;
  HlValue *signal = hl_edit_parse_table (hl_editing_document (hl_workbench_editing (writer->workbench)), text,
                                         signal_of (writer), table_unit (writer->field), &error);

  if (signal != NULL) {
    gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
    write_value (writer, signal);
    return TRUE;
  }
  gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  hl_tooltip_set (GTK_WIDGET (entry), error->message);
  return FALSE;
}

static void write_text (Writer *writer, const char *text) {
  if (g_strcmp0 (text, writer->shown) == 0)
    return;
  g_free (writer->shown);
  writer->shown = g_strdup (text);
  write_value (writer, *text != '\0' ? hl_value_new_string (text) : NULL);
}

static void apply_text (GtkEditable *entry, Writer *writer) {
  const char *text = gtk_editable_get_text (entry);

  if (writer->field->type != HL_FIELD_SIGNAL)
    write_text (writer, text);
  else if (g_strcmp0 (text, writer->shown) != 0)
    apply_table (entry, writer); /* the rows are rebuilt with it */
}

static char *text_of_prose (GtkTextView *view) {
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter from, to;

  gtk_text_buffer_get_bounds (buffer, &from, &to);
  return gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
}

static void apply_prose (GtkTextView *view, Writer *writer) {
  g_autofree char *text = text_of_prose (view);
  write_text (writer, text);
}

static void flush_text (GtkWidget *focus) {
  GtkWidget *entry = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_ENTRY) : NULL;
  Writer *writer = entry != NULL ? g_object_get_data (G_OBJECT (entry), WRITER_KEY) : NULL;

  if (writer != NULL)
    apply_text (GTK_EDITABLE (entry), writer);
  else if (GTK_IS_TEXT_VIEW (focus) && (writer = g_object_get_data (G_OBJECT (focus), WRITER_KEY)) != NULL)
    apply_prose (GTK_TEXT_VIEW (focus), writer);
}

void hl_inspector_flush (GtkRoot *root) {
  GtkWidget *focus = gtk_root_get_focus (root);
  GtkWidget *field = focus != NULL ? gtk_widget_get_ancestor (focus, HL_TYPE_NUMBER_FIELD) : NULL;

  if (field != NULL)
    hl_number_field_flush (HL_NUMBER_FIELD (field));
  else
    flush_text (focus);
}

static void prose_leave_cb (GtkEventControllerFocus *controller, Writer *writer) {
  apply_prose (GTK_TEXT_VIEW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller))), writer);
}

static void text_leave_cb (GtkEventControllerFocus *controller, Writer *writer) {
  apply_text (GTK_EDITABLE (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller))), writer);
}

/* Returns an entry, which takes the text. */
static GtkWidget *new_entry (const HlEditTarget *target, char *text) {
  GtkWidget *entry = gtk_entry_new ();
  Writer *writer = attach_writer (entry, target);

  writer->shown = text;
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), TEXT_CHARS);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER); /* beside a label of two lines */
  gtk_editable_set_text (GTK_EDITABLE (entry), writer->shown);
  g_signal_connect (entry, "activate", G_CALLBACK (apply_text), writer);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (text_leave_cb), writer);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

GtkWidget *hl_inspector_text (const HlEditTarget *target) {
  gboolean differ;
  GtkWidget *entry = new_entry (target, g_strdup (shown_text (target, &differ)));

  if (differ)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("several"));
  return entry;
}

static void path_chosen_cb (HlTracePicker *picker, const char *path, GtkMenuButton *button) {
  gtk_menu_button_popdown (button);
  write_text (g_object_get_data (G_OBJECT (button), WRITER_KEY), path);
}

/* Builds the tree of paths on first use. */
static void make_paths_cb (GtkMenuButton *button, gpointer none) {
  const Writer *writer = g_object_get_data (G_OBJECT (button), WRITER_KEY);
  GtkWidget *picker = hl_trace_picker_new_of_path (writer->workbench, writer->shown);
  GtkWidget *popover = gtk_popover_new ();

  gtk_popover_set_child (GTK_POPOVER (popover), picker);
  gtk_popover_set_position (GTK_POPOVER (popover), GTK_POS_LEFT); /* the pane is at the right of the window */
  g_signal_connect_object (picker, "chosen", G_CALLBACK (path_chosen_cb), button, 0);
  gtk_menu_button_set_popover (button, popover);
}

GtkWidget *hl_inspector_path (const HlEditTarget *target) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *button = gtk_menu_button_new ();
  gboolean differ;

  attach_writer (button, target)->shown = g_strdup (shown_text (target, &differ));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), make_paths_cb, NULL, NULL);
  hl_tooltip_set (button, _ ("Choose from all measurable quantities"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Choose the measured quantity"), -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (box, "linked");
  gtk_box_append (GTK_BOX (box), hl_inspector_text (target));
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

gboolean hl_inspector_is_text (const HlField *field) {
  return field->type == HL_FIELD_TEXT || field->type == HL_FIELD_POINT || field->type == HL_FIELD_BODY ||
         field->type == HL_FIELD_PATH;
}

void hl_inspector_text_refresh (GtkWidget *editor) {
  GtkWidget *view =
      GTK_IS_SCROLLED_WINDOW (editor) ? gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (editor)) : NULL;
  Writer *writer = g_object_get_data (G_OBJECT (view != NULL ? view : editor), WRITER_KEY);
  HlEditTarget target = {writer->workbench, (const char *const *)writer->ids, writer->field, writer->where};
  gboolean differ;
  const char *text = shown_text (&target, &differ);
  g_autofree char *typed = view != NULL ? text_of_prose (GTK_TEXT_VIEW (view))
                                        : g_strdup (gtk_editable_get_text (GTK_EDITABLE (editor)));
  gboolean is_typing = g_strcmp0 (typed, writer->shown) != 0;

  const char *hint = differ ? _ ("several") : NULL;
  if (view == NULL && g_strcmp0 (gtk_entry_get_placeholder_text (GTK_ENTRY (editor)), hint) != 0)
    gtk_entry_set_placeholder_text (GTK_ENTRY (editor), hint);
  if (g_strcmp0 (text, writer->shown) == 0)
    return;
  g_free (writer->shown);
  writer->shown = g_strdup (text);
  if (is_typing)
    return;
  if (view != NULL)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  else
    gtk_editable_set_text (GTK_EDITABLE (editor), text);
}

GtkWidget *hl_inspector_prose (const HlEditTarget *target) {
  gboolean differ;
  GtkWidget *view = gtk_text_view_new (), *scrolled = gtk_scrolled_window_new ();
  Writer *writer = attach_writer (view, target);

  writer->shown = g_strdup (shown_text (target, &differ));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), writer->shown, -1);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  hl_tooltip_set (view, _ (target->field->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (target->field->label), -1);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (prose_leave_cb), writer);
  gtk_widget_add_controller (view, focus);
  /* No scroll bar: GTK 4.8 moves its slider while the text is laid out for painting, and warns of a
   * slider without a place. Caret and wheel scroll all the same. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), PROSE_HEIGHT_PX);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), PROSE_MOST_PX);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_add_css_class (scrolled, "prose");
  return scrolled;
}

GtkWidget *hl_inspector_table (const HlEditTarget *target) {
  const HlKind *kind;
  const HlValue *element = hl_inspector_object (
      hl_editing_document (hl_workbench_editing (target->workbench)), target->ids[0], &kind);

  return new_entry (
      target, hl_edit_format_table (hl_value_at (element, place_of (target)), table_unit (target->field)));
}

GtkWidget *hl_inspector_read_only (const char *text) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "read-only");
  return label;
}
