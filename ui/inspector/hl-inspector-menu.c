/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-inspector-menu.h"

#include "core/edit/hl-edit.h"
#include "core/edit/hl-rating.h"
#include "core/system/hl-block.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-tooltip.h"

#include <math.h>
#include <string.h>

#define DIGITS 6
#define ROW_KEY "hl-row"

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

/* Body whose mass or inertia a path is, when it is drawn of rods: it has a better default. */
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

/* One verb on every path, as one step. */
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
  g_string_replace (step, "%s", paths[0], 1);
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
          is_held (row) ? _ ("Let %s go in the equilibrium") : _ ("Hold %s in the equilibrium"), NULL);
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

/* "link2.points.C.x" and "ground.O1.x" name a point. */
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
    g_string_append_printf (text, text->len > 0 ? _ ("; usually %s") : _ ("usually %s"), usual);
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

/* "Reset to 200 kPa" */
static char *reset_label (const Row *row) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (row->workbench));
  g_autofree char *body = drawn_body (document, row->paths[0]);
  double value;

  if (body != NULL)
    return g_strdup (_ ("Follow the mass per length"));
  if (!hl_edit_default_number (document, row->paths[0], &value))
    return g_strdup (_ ("Reset"));
  if (isnan (value))
    return g_strdup (_ ("Leave out"));
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
  } kinds[] = {{"constant", N_ ("Constant")},
               {"table", N_ ("Table")},
               {"sine", N_ ("Sine")},
               {"lever", N_ ("Moved by Hand")},
               {"sum", N_ ("Sum")}};
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) measuring = g_menu_new ();
  g_autoptr (GMenu) around = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    append_kind (menu, action, kinds[i].kind, _ (kinds[i].label));
  for (int k = 0; k < hl_n_blocks; k++)
    append_kind (hl_blocks[k]->measures ? measuring : around, action, hl_blocks[k]->kind.name,
                 _ (hl_blocks[k]->kind.label));
  if (hl_edit_inner_signal (signal) != NULL)
    append_kind (around, action, "inner", _ ("Without This Block"));
  g_menu_append_section (menu, _ ("Feedback"), G_MENU_MODEL (measuring));
  g_menu_append_section (menu, _ ("Put a Block around It"), G_MENU_MODEL (around));
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
    g_menu_append_submenu (items, _ ("Over Time"), kinds);
  }
  if (!row->is_output) {
    g_autofree char *reset = reset_label (row);
    g_menu_append (items, reset, "row.reset");
    add_sizes (items, row);
    g_menu_append (items, _ ("Make Slider"), "row.slider");
    g_autoptr (GMenuModel) sets = sets_menu (row);
    g_menu_append_submenu (items, _ ("Add to Parameter Set"), sets);
  }
  g_menu_append (items, _ ("Plot This"), "row.plot");
  if (can_hold)
    g_menu_append (items, is_held (row) ? _ ("Let Go in Equilibrium") : _ ("Hold in Equilibrium"),
                   "row.hold");
  if (is_point)
    g_menu_append (items, _ ("Delete Point"), "row.remove-point");
  g_menu_append_section (menu, range, G_MENU_MODEL (items));
  return G_MENU_MODEL (menu);
}

/* Made when it is opened: most are never. */
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
