/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-slider-panel.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/modes/hl-eigen-table-text.h"
#include "ui/plot/hl-plot-view.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

#define ENTRY_DIGITS 6
#define DECADE 10.0

struct _HlSliderEditor {
  GtkPopover parent_instance;
  HlWorkbench *workbench; /* outlives the popover's row */
  int index;
  GtkWidget *grid, *title, *from, *from_unit, *to, *to_unit, *log, *message;
  const HlUnit *unit;
  HlQuantity quantity;
};

G_DEFINE_FINAL_TYPE (HlSliderEditor, hl_slider_editor, GTK_TYPE_POPOVER)

/* --- added --- */

static HlValue *slider_entry (const char *path, double from, double to, gboolean log) {
  static const char *const keys[] = {"path", "from", "to", "scale"};
  HlValue *members[] = {hl_value_new_string (path), hl_value_new_number (from), hl_value_new_number (to),
                        hl_value_new_string (log ? "log" : "linear")};
  return hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
}

gboolean hl_slider_add (HlWorkbench *workbench, const char *path, GError **error) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  double value;

  if (!hl_document_get_number (document, path, &value, NULL, error))
    return FALSE;
  HlPathInfo info;
  gboolean log = value > 0;
  double reach = value != 0 ? 2 * fabs (value) : 1;
  double from = log ? value / DECADE : -reach, to = log ? value * DECADE : reach;
  if (hl_path_find (document, path, &info, NULL))
    hl_path_narrow (&info, &from, &to); /* no slider goes where the number may not */
  HlDocument *with = hl_edit_insert_entry (document, HL_SECTION_SLIDERS, hl_document_n_sliders (document),
                                           slider_entry (path, from, to, log), error);
  if (with == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Slider for %s"), path);
  hl_editing_commit (hl_workbench_editing (workbench), with, step, NULL);
  return TRUE;
}

/* --- its limits --- */

static gboolean read_number (HlSliderEditor *self, GtkWidget *entry, double *value) {
  g_autoptr (GError) error = NULL;

  if (hl_document_read_typed (hl_editing_document (hl_workbench_editing (self->workbench)),
                              gtk_editable_get_text (GTK_EDITABLE (entry)), self->quantity, self->unit, value,
                              NULL, &error))
    return TRUE;
  gtk_label_set_text (GTK_LABEL (self->message), error->message);
  return FALSE;
}

static void apply_cb (HlSliderEditor *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  gboolean log = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->log));
  g_autoptr (GError) error = NULL;
  HlSlider slider;
  double from, to;

  gtk_label_set_text (GTK_LABEL (self->message), "");
  if (!hl_document_slider (document, self->index, &slider) || !read_number (self, self->from, &from) ||
      !read_number (self, self->to, &to))
    return;
  if (!(from < to) || (log && !(from > 0))) {
    gtk_label_set_text (GTK_LABEL (self->message),
                        from < to ? _ ("The ends of a logarithmic slider must be above zero.")
                                  : _ ("“From” must be less than “to”."));
    return;
  }
  HlDocument *with = hl_edit_replace_entry (document, HL_SECTION_SLIDERS, self->index,
                                            slider_entry (slider.path, from, to, log), &error);
  if (with == NULL) {
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
    return;
  }
  gtk_popover_popdown (GTK_POPOVER (self));
  hl_editing_commit (hl_workbench_editing (self->workbench), with, _ ("Limits of a slider"), NULL);
}

static void remove_cb (HlSliderEditor *self) {
  HlDocument *without = hl_edit_remove_entry (hl_editing_document (hl_workbench_editing (self->workbench)),
                                              HL_SECTION_SLIDERS, self->index, NULL);
  if (without == NULL)
    return;
  gtk_popover_popdown (GTK_POPOVER (self));
  hl_editing_commit (hl_workbench_editing (self->workbench), without, _ ("Remove a slider"), NULL);
}

/* --- life --- */

static void show_limit (HlSliderEditor *self, GtkWidget *entry, GtkWidget *unit, double value) {
  g_autofree char *text = hl_unit_format_entry (self->unit, value, ENTRY_DIGITS);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_label_set_text (GTK_LABEL (unit), self->quantity != HL_QUANTITY_NONE ? self->unit->symbol : "");
}

static void hl_slider_editor_class_init (HlSliderEditorClass *klass) {
  hl_widget_tree_load (klass, "hl-slider-editor");
  HL_TREE_CHILD (klass, HlSliderEditor, grid);
  HL_TREE_CHILD (klass, HlSliderEditor, title);
  HL_TREE_CHILD (klass, HlSliderEditor, from);
  HL_TREE_CHILD (klass, HlSliderEditor, from_unit);
  HL_TREE_CHILD (klass, HlSliderEditor, to);
  HL_TREE_CHILD (klass, HlSliderEditor, to_unit);
  HL_TREE_CHILD (klass, HlSliderEditor, log);
  HL_TREE_CHILD (klass, HlSliderEditor, message);
  HL_TREE_CALLBACK (klass, apply_cb);
  HL_TREE_CALLBACK (klass, remove_cb);
}

static void hl_slider_editor_init (HlSliderEditor *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Limits, scale and removal of entry `index` of the file's sliders. */
static GtkWidget *slider_editor_new (HlWorkbench *workbench, int index) {
  HlSliderEditor *self = g_object_new (HL_TYPE_SLIDER_EDITOR, NULL);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  HlSlider slider = {0};
  HlPathInfo info;

  self->workbench = workbench;
  self->index = index;
  gboolean is_there =
      hl_document_slider (document, index, &slider) && hl_path_find (document, slider.path, &info, NULL);
  gtk_widget_set_visible (self->grid, is_there);
  if (!is_there)
    return GTK_WIDGET (self);
  self->quantity = info.quantity;
  self->unit = hl_workbench_units (workbench)[info.quantity];
  gtk_label_set_text (GTK_LABEL (self->title), slider.path);
  show_limit (self, self->from, self->from_unit, slider.from);
  show_limit (self, self->to, self->to_unit, slider.to);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->log), slider.log);
  return GTK_WIDGET (self);
}

/* Numbers stand below the element they are of, in the words of the schema; their paths in the file follow in pale text
 * and are found too. */

#define MOST_SHOWN 200 /* rows of the list: more are found by typing */

struct _HlSliderChooser {
  GtkPopover parent_instance;
  HlWorkbench *workbench; /* outlives the popover */
  GPtrArray *entries;     /* Entry */
  GtkWidget *search, *list;
};

G_DEFINE_FINAL_TYPE (HlSliderChooser, hl_slider_chooser, GTK_TYPE_POPOVER)

typedef struct {
  char *path;
  char *title;
  char *heading; /* "cyl, Cylinder" */
  char *words;   /* text for searches, case folded */
} Entry;

static void entry_free (gpointer data) {
  Entry *entry = data;

  g_free (entry->path);
  g_free (entry->title);
  g_free (entry->heading);
  g_free (entry->words);
  g_free (entry);
}

/* --- what there is --- */

static void add_paths_of (const HlDocument *document, const HlKind *kind, const char *id, GPtrArray *paths) {
  for (int field = 0; kind != NULL && field < kind->n_fields; field++) {
    g_autofree char *path = g_strdup_printf ("%s.%s", id, kind->fields[field].name);
    if (hl_document_get_number (document, path, &(double){0}, NULL, NULL))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
}

GPtrArray *hl_slider_paths (const HlDocument *document) {
  static const char *const motion[] = {"x", "y", "angle", "vx", "vy", "omega"};
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (int section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int index = 0; index < hl_document_n_elements (document, section); index++) {
      const char *id = hl_document_element_id (document, section, index);
      if (section == HL_SECTION_PROBES || id == NULL)
        continue;
      add_paths_of (document, hl_document_element_kind (document, section, index), id, paths);
      for (guint k = 0; section == HL_SECTION_BODIES && k < G_N_ELEMENTS (motion); k++)
        g_ptr_array_add (paths, g_strdup_printf ("%s.%s", id, motion[k]));
    }
  add_paths_of (document, hl_schema_kind_of (HL_SECTION_FLUID, NULL), "fluid", paths);
  for (int index = 0; index < hl_document_n_parameters (document); index++)
    g_ptr_array_add (paths, g_strdup (hl_document_parameter_name (document, index)));
  return paths;
}

/* --- in words --- */

static const struct {
  const char *name, *title;
} starts[] = {
    {"x", N_ ("Start position x")},     {"y", N_ ("Start position y")},
    {"angle", N_ ("Start angle")},      {"vx", N_ ("Start speed along x")},
    {"vy", N_ ("Start speed along y")}, {"omega", N_ ("Start angular speed")},
};

/* Returns the label in the schema or the file, without the element. */
static char *title_of (const HlPathInfo *info) {
  for (gsize i = 0; info->section == HL_SECTION_BODIES && i < G_N_ELEMENTS (starts); i++)
    if (strcmp (info->name, starts[i].name) == 0)
      return g_strdup (_ (starts[i].title));
  return g_strdup (info->field != NULL && info->field->label != NULL ? _ (info->field->label) : info->name);
}

static char *heading_of (const HlPathInfo *info) {
  const char *kind = info->kind != NULL ? _ (info->kind->label) : info->id;
  gboolean is_named = info->section < HL_N_ELEMENT_SECTIONS;

  return is_named ? g_strdup_printf ("%s, %s", info->id, kind) : g_strdup (kind);
}

static Entry *entry_new (const HlDocument *document, const char *path) {
  Entry *entry = g_new0 (Entry, 1);
  HlPathInfo info;

  entry->path = g_strdup (path);
  if (hl_path_find (document, path, &info, NULL)) {
    entry->title = title_of (&info);
    entry->heading = heading_of (&info);
  } else {
    entry->title = g_strdup (path);
    entry->heading = g_strdup (_ ("Named parameters"));
  }
  g_autofree char *all = g_strjoin (" ", entry->path, entry->heading, entry->title, NULL);
  entry->words = g_utf8_casefold (all, -1);
  return entry;
}

static gboolean has_slider (const HlDocument *document, const char *path) {
  HlSlider slider;

  for (int index = 0; index < hl_document_n_sliders (document); index++)
    if (hl_document_slider (document, index, &slider) && strcmp (slider.path, path) == 0)
      return TRUE;
  return FALSE;
}

static gboolean matches (const Entry *entry, char **wished) {
  for (int i = 0; wished[i] != NULL; i++)
    if (strstr (entry->words, wished[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* --- the list --- */

static void choose_path (HlSliderChooser *self, const char *path) {
  g_autofree char *kept = g_strdup (path); /* the row goes with the popover */
  HlWorkbench *workbench = self->workbench;

  gtk_popover_popdown (GTK_POPOVER (self));
  hl_slider_add (workbench, kept, NULL);
}

static const Entry *entry_of (GtkListBoxRow *row) {
  return g_object_get_data (G_OBJECT (row), "entry");
}

static GtkWidget *new_row (const Entry *entry) {
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (entry->title), *path = gtk_label_new (entry->path);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (path, "dim-label");
  gtk_widget_add_css_class (path, "caption");
  gtk_box_append (GTK_BOX (box), title);
  if (strcmp (entry->title, entry->path) != 0)
    gtk_box_append (GTK_BOX (box), path);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, entry->title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, entry->heading, -1);
  g_object_set_data (G_OBJECT (row), "entry", (gpointer)entry);
  return row;
}

static void head_row (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data) {
  const char *heading = entry_of (row)->heading;

  if (before != NULL && strcmp (entry_of (before)->heading, heading) == 0) {
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  GtkWidget *label = gtk_label_new (heading);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_list_box_row_set_header (row, label);
}

static void fill_list (HlSliderChooser *self) {
  g_autofree char *folded = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  g_auto (GStrv) wished = g_strsplit (folded, " ", -1);
  GtkWidget *row;
  int shown = 0;

  while ((row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0))) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (guint i = 0; i < self->entries->len && shown < MOST_SHOWN; i++)
    if (matches (self->entries->pdata[i], wished)) {
      gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (self->entries->pdata[i]));
      shown++;
    }
}

static void row_activated_cb (GtkListBox *list, GtkListBoxRow *row, HlSliderChooser *self) {
  choose_path (self, entry_of (row)->path);
}

static void typed_cb (HlSliderChooser *self) {
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->search));

  fill_list (self); /* the entry waits a moment before it says what was typed */
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0);
  if (hl_document_get_number (hl_editing_document (hl_workbench_editing (self->workbench)), typed,
                              &(double){0}, NULL, NULL))
    choose_path (self, typed);
  else if (first != NULL)
    row_activated_cb (NULL, first, self);
}

/* --- life --- */

static void slider_chooser_finalize (GObject *object) {
  HlSliderChooser *self = HL_SLIDER_CHOOSER (object);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_slider_chooser_parent_class)->finalize (object);
}

static void hl_slider_chooser_class_init (HlSliderChooserClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = slider_chooser_finalize;
  hl_widget_tree_load (klass, "hl-slider-chooser");
  HL_TREE_CHILD (klass, HlSliderChooser, search);
  HL_TREE_CHILD (klass, HlSliderChooser, list);
  HL_TREE_CALLBACK (klass, fill_list);
  HL_TREE_CALLBACK (klass, typed_cb);
  HL_TREE_CALLBACK (klass, row_activated_cb);
}

static void hl_slider_chooser_init (HlSliderChooser *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "slider-chooser");
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), head_row, NULL, NULL);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list),
                                gtk_label_new (_ ("No matching number of the model.")));
}

/* Returns a searchable list of all paths; what is typed may be a path of its own. */
static GtkWidget *slider_chooser_new (HlWorkbench *workbench) {
  HlSliderChooser *self = g_object_new (HL_TYPE_SLIDER_CHOOSER, NULL);

  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  g_autoptr (GPtrArray) paths = hl_slider_paths (document);

  self->workbench = workbench;
  for (guint i = 0; i < paths->len; i++)
    if (!has_slider (document, paths->pdata[i]))
      g_ptr_array_add (self->entries, entry_new (document, paths->pdata[i]));
  fill_list (self);
  return GTK_WIDGET (self);
}

static char *target_text (HlWorkbench *workbench, gboolean is_brief);

#define THICK_PX 4.0
#define LEAST_PX 3.0 /* of a range that is a point */

typedef struct {
  double from, to;
} Ends;

struct _HlSliderBand {
  GtkDrawingArea parent_instance;
  GtkRange *range; /* below, as long as this */
  GArray *ends;    /* Ends */
};

G_DEFINE_FINAL_TYPE (HlSliderBand, hl_slider_band, GTK_TYPE_DRAWING_AREA)

static GtkWidget *find_node (GtkWidget *widget, const char *css_name) {
  GtkWidget *found = NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = strcmp (gtk_widget_get_css_name (child), css_name) == 0 ? child : find_node (child, css_name);
  return found;
}

/* Finds trough and slider; gtk_range_get_slider_range () of GTK 4.8 begins at the y of a horizontal one. */
static gboolean find_parts (HlSliderBand *self, graphene_rect_t *trough, graphene_rect_t *slider) {
  GtkWidget *below = find_node (GTK_WIDGET (self->range), "trough");
  GtkWidget *model_slider = below != NULL ? find_node (below, "slider") : NULL;

  return model_slider != NULL && gtk_widget_compute_bounds (below, GTK_WIDGET (self), trough) &&
         gtk_widget_compute_bounds (model_slider, GTK_WIDGET (self), slider);
}

double hl_slider_band_x (HlSliderBand *self, double fraction) {
  graphene_rect_t trough, slider;

  if (!find_parts (self, &trough, &slider))
    return NAN;
  double at = gtk_range_get_value (self->range), middle = slider.origin.x + 0.5 * slider.size.width;
  /* margins of the slider let it stand over the ends of the trough */
  double reach =
      at > 0.5 ? (middle - trough.origin.x) / at : (trough.origin.x + trough.size.width - middle) / (1 - at);
  return at > 0.5 ? trough.origin.x + fraction * reach
                  : trough.origin.x + trough.size.width - (1 - fraction) * reach;
}

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlSliderBand *self = HL_SLIDER_BAND (area);
  HlStyle style = hl_widget_style (GTK_WIDGET (self));
  graphene_rect_t trough, slider;

  if (self->ends->len == 0 || !find_parts (self, &trough, &slider))
    return;
  double start = slider.origin.x, end = start + slider.size.width;
  double y = trough.origin.y + 0.5 * (trough.size.height - THICK_PX);
  /* the slider itself stays on top */
  cairo_rectangle (cr, 0, 0, start, height);
  cairo_rectangle (cr, end, 0, width - end, height);
  cairo_clip (cr);
  hl_color_set (cr, style.good);
  for (guint i = 0; i < self->ends->len; i++) {
    const Ends *one = &g_array_index (self->ends, Ends, i);
    double x0 = hl_slider_band_x (self, one->from), x1 = hl_slider_band_x (self, one->to);
    double more = fmax (0.5 * (LEAST_PX - (x1 - x0)), 0.0);
    cairo_rectangle (cr, x0 - more, y, x1 - x0 + 2 * more, THICK_PX);
    cairo_fill (cr);
  }
}

static void slider_band_finalize (GObject *object) {
  g_array_unref (HL_SLIDER_BAND (object)->ends);
  G_OBJECT_CLASS (hl_slider_band_parent_class)->finalize (object);
}

static void hl_slider_band_class_init (HlSliderBandClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = slider_band_finalize;
}

static void hl_slider_band_init (HlSliderBand *self) {
  self->ends = g_array_new (FALSE, FALSE, sizeof (Ends));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw_cb, NULL, NULL);
}

/* Returns a widget to be placed over a horizontal scale from 0 to 1 that does not grow to the left. */
static GtkWidget *slider_band_new (GtkRange *range) {
  HlSliderBand *self = g_object_new (HL_TYPE_SLIDER_BAND, NULL);

  self->range = range;
  g_signal_connect_object (range, "value-changed", G_CALLBACK (hl_pixels_queue_draw), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

/* Ends of n ranges as fractions of the slider's way, from the left; n = 0: none. */
static void slider_band_set (HlSliderBand *self, const double ends[][2], int n) {
  g_array_set_size (self->ends, 0);
  for (int i = 0; i < n; i++) {
    Ends one = {CLAMP (ends[i][0], 0, 1), CLAMP (ends[i][1], 0, 1)};
    g_array_append_val (self->ends, one);
  }
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

#define MOST_RANGES 8
#define DIGITS 4
#define BRIEF_DIGITS 3

#define HL_TYPE_TARGET_EDITOR (hl_target_editor_get_type ())
G_DECLARE_FINAL_TYPE (HlTargetEditor, hl_target_editor, HL, TARGET_EDITOR, GtkPopover)

struct _HlTargetEditor {
  GtkPopover parent_instance;
  HlWorkbench *workbench;
  GtkSpinButton *zeta, *omega;
  GtkLabel *met;
};

G_DEFINE_FINAL_TYPE (HlTargetEditor, hl_target_editor, GTK_TYPE_POPOVER)

/* Handles a changed target; 0 sets no bound. */
static void aim_changed_cb (GtkSpinButton *spin, HlTargetEditor *self) {
  double zeta = gtk_spin_button_get_value (self->zeta);
  double omega = gtk_spin_button_get_value (self->omega);
  HlLocusTarget target = {zeta > 0 ? zeta : NAN, omega > 0 ? omega : NAN};

  hl_locus_study_set_target (hl_workbench_locus (self->workbench), &target);
}

/* Shows the result of the target, in a label of constant height, so that the popover keeps its height. */
static void say_met (HlWorkbench *workbench, guint changes, GtkLabel *met) {
  g_autofree char *text = target_text (workbench, FALSE);

  if (changes & (HL_CHANGED_LOCUS | HL_CHANGED_UNITS))
    gtk_label_set_text (met, text != NULL ? text : "");
}

static void target_editor_dispose (GObject *object) {
  g_clear_object (&HL_TARGET_EDITOR (object)->workbench);
  G_OBJECT_CLASS (hl_target_editor_parent_class)->dispose (object);
}

static void hl_target_editor_class_init (HlTargetEditorClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = target_editor_dispose;
  hl_widget_tree_load (klass, "hl-target-editor");
  HL_TREE_CHILD (klass, HlTargetEditor, zeta);
  HL_TREE_CHILD (klass, HlTargetEditor, omega);
  HL_TREE_CHILD (klass, HlTargetEditor, met);
}

static void hl_target_editor_init (HlTargetEditor *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

static GtkWidget *target_editor_new (HlWorkbench *workbench) {
  HlTargetEditor *self = g_object_new (HL_TYPE_TARGET_EDITOR, NULL);
  const HlLocusTarget *target = hl_locus_study_target (hl_workbench_locus (workbench));

  self->workbench = g_object_ref (workbench);
  gtk_spin_button_set_value (self->zeta, isnan (target->zeta) ? 0 : target->zeta);
  gtk_spin_button_set_value (self->omega, isnan (target->omega) ? 0 : target->omega);
  g_signal_connect (self->zeta, "value-changed", G_CALLBACK (aim_changed_cb), self);
  g_signal_connect (self->omega, "value-changed", G_CALLBACK (aim_changed_cb), self);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (say_met), self->met, 0);
  say_met (workbench, HL_CHANGED_LOCUS, self->met);
  return GTK_WIDGET (self);
}

/* Returns "0.1 kN to 0.4 kN, 0.9 kN to 1 kN". */
static char *ranges_text (const double ranges[][2], int n, HlUnits units, HlQuantity quantity, int digits) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < n; i++) {
    g_autofree char *from = hl_units_format (units, quantity, ranges[i][0], digits);
    g_autofree char *to = hl_units_format (units, quantity, ranges[i][1], digits);
    if (i > 0)
      g_string_append (text, ", ");
    /* translators: a range: "0.1 kN to 0.4 kN" */
    g_string_append_printf (text, _ ("%s to %s"), from, to);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns "Target met with F_c from 120 N to 210 N", briefly "120 N to 210 N": of the slider of the locus,
 * one line for all ranges; NULL: there is no target, or there are no branches. Owned by the caller. */
static char *target_text (HlWorkbench *workbench, gboolean is_brief) {
  HlLocusStudy *study = hl_workbench_locus (workbench);
  const HlLocus *locus = hl_locus_study_locus (study);
  const HlLocusTarget *target = hl_locus_study_target (study);
  int model_slider = hl_locus_study_model_slider (study);
  double ranges[MOST_RANGES][2];

  if (!hl_locus_target_is_set (target) || locus == NULL || model_slider < 0)
    return NULL;
  const HlModelSlider *what = hl_locus_study_model_sliders (study)->pdata[model_slider];
  int n = hl_locus_target_ranges (locus, target, ranges, MOST_RANGES);
  if (n == 0 && is_brief)
    return g_strdup (_ ("never satisfied"));
  if (n == 0)
    return g_strdup_printf (_ ("No value of %s satisfies the target"), what->label);
  g_autofree char *text = ranges_text (ranges, n, hl_workbench_units (workbench), what->quantity,
                                       is_brief ? BRIEF_DIGITS : DIGITS);
  return is_brief ? g_steal_pointer (&text)
                  : g_strdup_printf (_ ("Target satisfied with %s from %s"), what->label, text);
}

#define STEP 0.005 /* of the slider's way, arrow keys */
#define PAGE 0.05
#define SETTLE_MS 500 /* after the last key press a gesture counts as ended */

typedef struct {
  GtkWidget *label, *scale, *field, *band;
  GtkWidget *over; /* the scale with its band */
} Row;

struct _HlSliderPanel {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *grid;
  GtkWidget *empty, *add, *met, *target, *since;
  GArray *rows; /* Row */
  gboolean refreshing, in_hall;
  gboolean held; /* a button is down on a slider */
  gboolean one_line;
  gboolean has_before;
  HlEigenvalue before; /* the one that is watched, as it was when a slider was taken */
  guint settle_source;
};

G_DEFINE_FINAL_TYPE (HlSliderPanel, hl_slider_panel, GTK_TYPE_BOX)

/* Finds the eigenvalue whose change is shown: that of the examined mode, else the least damped oscillation. */
static gboolean find_watched (HlSliderPanel *self, HlEigenvalue *watched) {
  const HlWorkingPoint *point = hl_editing_point (hl_workbench_editing (self->workbench));
  const HlLinearization *lin = point != NULL ? point->linearization : NULL;
  int found = hl_locus_study_mode (hl_workbench_locus (self->workbench));

  if (lin == NULL)
    return FALSE;
  for (int k = 0, is_chosen = found >= 0; k < lin->n && !is_chosen; k++)
    if (!lin->eigenvalues[k].null && lin->eigenvalues[k].frequency_hz > 0 && lin->eigenvalues[k].im > 0 &&
        (found < 0 || lin->eigenvalues[k].damping_ratio < lin->eigenvalues[found].damping_ratio))
      found = k;
  if (found < 0 || found >= lin->n)
    return FALSE;
  *watched = lin->eigenvalues[found];
  return TRUE;
}

/* Shows frequency and damping ratio before and after the slider was moved, for example 72.7 → 71.8 Hz. */
static void show_since (HlSliderPanel *self) {
  HlEigenvalue now = {.damping_ratio = NAN, .null = TRUE};
  g_autofree char *text = NULL;

  if (self->has_before)
    find_watched (self, &now); /* without an oscillation both have a dash */
  if (self->has_before && (now.re != self->before.re || now.im != self->before.im)) {
    const HlEigenvalue *before = &self->before;
    g_autofree char *hz = hl_eigen_text_hz (before, TRUE, 3), *zeta = hl_eigen_text_zeta (before, TRUE, 3);
    g_autofree char *hz_now = hl_eigen_text_hz (&now, TRUE, 3),
                    *zeta_now = hl_eigen_text_zeta (&now, TRUE, 3);
    text = g_strdup_printf ("%s → %s Hz, ζ %s → %s", hz, hz_now, zeta, zeta_now);
  }
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->since)), text != NULL ? text : "") != 0)
    gtk_label_set_text (GTK_LABEL (self->since), text != NULL ? text : "");
}

static gboolean settled_cb (gpointer data) {
  HlSliderPanel *self = data;
  self->settle_source = 0;
  if (!self->held)
    hl_editing_end_gesture (hl_workbench_editing (self->workbench));
  return G_SOURCE_REMOVE;
}

static void value_changed_cb (GtkRange *range, HlSliderPanel *self) {
  if (self->refreshing || hl_rebuild_is_due (GTK_WIDGET (self)))
    return;
  int index = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (range), "knob"));
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));
  if (index >= (int)model_sliders->len)
    return;
  const HlModelSlider *model_slider = model_sliders->pdata[index];
  g_autofree char *key = g_strdup_printf ("knob %s", model_slider->paths[0]);
  hl_editing_set_numbers (hl_workbench_editing (self->workbench), (const char *const *)model_slider->paths,
                          hl_model_slider_at (model_slider, gtk_range_get_value (range)), key, NULL);
  g_clear_handle_id (&self->settle_source, g_source_remove);
  if (!self->held)
    self->settle_source = g_timeout_add (SETTLE_MS, settled_cb, self);
}

/* Handles raw events, which mark the start and the end of a drag, since GtkRange keeps its own gestures to
 * itself. */
static gboolean raw_event_cb (GtkEventControllerLegacy *controller, GdkEvent *event, HlSliderPanel *self) {
  switch ((int)gdk_event_get_event_type (event)) {
  case GDK_BUTTON_PRESS:
  case GDK_TOUCH_BEGIN:
    self->held = TRUE;
    self->has_before = TRUE;
    if (!find_watched (self, &self->before))
      self->before = (HlEigenvalue){.damping_ratio = NAN, .null = TRUE};
    break;
  case GDK_BUTTON_RELEASE:
  case GDK_TOUCH_END:
  case GDK_TOUCH_CANCEL:
    self->held = FALSE;
    hl_editing_end_gesture (hl_workbench_editing (self->workbench));
    break;
  default:
    break;
  }
  return FALSE;
}

static void edit_slider_cb (GtkMenuButton *button, gpointer data) {
  HlSliderPanel *self = data;
  int slider = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "slider"));
  gtk_menu_button_set_popover (button, slider_editor_new (self->workbench, slider));
}

static void add_slider_cb (GtkMenuButton *button, gpointer data) {
  HlSliderPanel *self = data;
  gtk_menu_button_set_popover (button, slider_chooser_new (self->workbench));
}

static void target_cb (GtkMenuButton *button, gpointer data) {
  HlSliderPanel *self = data;
  gtk_menu_button_set_popover (button, target_editor_new (self->workbench));
}

/* Shows a band on the slider of the locus where the target is met. */
static void show_target (HlSliderPanel *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);
  const HlLocus *locus = hl_locus_study_locus (study);
  GPtrArray *model_sliders = hl_locus_study_model_sliders (study);
  g_autofree char *brief = target_text (self->workbench, TRUE);
  g_autofree char *whole = target_text (self->workbench, FALSE);
  double ranges[MOST_RANGES][2];
  int n = brief != NULL && locus != NULL
              ? hl_locus_target_ranges (locus, hl_locus_study_target (study), ranges, MOST_RANGES)
              : 0;

  for (guint index = 0; index < self->rows->len && index < model_sliders->len; index++) {
    GtkWidget *band = g_array_index (self->rows, Row, index).band;
    double ends[MOST_RANGES][2];
    for (int i = 0; i < n; i++)
      for (int end = 0; end < 2; end++)
        ends[i][end] = hl_model_slider_fraction (model_sliders->pdata[index], ranges[i][end]);
    slider_band_set (HL_SLIDER_BAND (band), ends, (int)index == hl_locus_study_model_slider (study) ? n : 0);
  }
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->met)), brief != NULL ? brief : "") != 0)
    gtk_label_set_text (GTK_LABEL (self->met), brief != NULL ? brief : "");
  hl_tooltip_set (self->met, whole);
}

/* Returns a label; the name of a slider of the file opens its limits; every name can be dragged, for example
 * into a study. */
static GtkWidget *new_label (HlSliderPanel *self, const HlModelSlider *model_slider) {
  GtkWidget *label = gtk_label_new (model_slider->label);
  g_autofree char *paths = g_strjoinv (",", model_slider->paths);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE); /* the long words of another language */
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_label_set_width_chars (GTK_LABEL (label), 9);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_widget_set_tooltip_text (label, model_slider->detail);
  hl_plot_drag_source_add_text (label, paths);
  if (model_slider->slider < 0)
    return label;
  GtkWidget *button = gtk_menu_button_new ();
  g_autofree char *help = g_strdup_printf (_ ("%s\nClick: limits, scale, remove"), model_slider->detail);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), label);
  gtk_widget_set_halign (button, GTK_ALIGN_START); /* in line with names that are no button */
  gtk_widget_set_tooltip_text (label, NULL);
  gtk_widget_set_tooltip_text (button, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, model_slider->label,
                                  -1);
  g_object_set_data (G_OBJECT (button), "slider", GINT_TO_POINTER (model_slider->slider));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), edit_slider_cb, self, NULL);
  return button;
}

/* Puts the widgets of a row into the grid: on one line, or the slider below its name and number: a long way for a small
 * hand in a narrow pane. */
static void place_row (HlSliderPanel *self, int index, const Row *row) {
  GtkGrid *grid = GTK_GRID (self->grid);

  gtk_widget_set_hexpand (row->label, !self->one_line);
  if (self->one_line) {
    gtk_grid_attach (grid, row->label, 0, index, 1, 1);
    gtk_grid_attach (grid, row->over, 1, index, 1, 1);
    gtk_grid_attach (grid, row->field, 2, index, 1, 1);
    return;
  }
  gtk_grid_attach (grid, row->label, 0, 2 * index, 1, 1);
  gtk_grid_attach (grid, row->field, 1, 2 * index, 1, 1);
  gtk_grid_attach (grid, row->over, 0, 2 * index + 1, 2, 1);
}

/* Shows the name in one line, where large text has no room for two, or in two. */
static void fit_name (HlSliderPanel *self, GtkWidget *name) {
  GtkWidget *label = GTK_IS_MENU_BUTTON (name) ? gtk_menu_button_get_child (GTK_MENU_BUTTON (name)) : name;

  gtk_label_set_wrap (GTK_LABEL (label), !self->in_hall);
  gtk_label_set_lines (GTK_LABEL (label), self->in_hall ? 1 : 2);
}

static void add_row (HlSliderPanel *self, int index, const HlModelSlider *model_slider) {
  Row row = {0};

  row.label = new_label (self, model_slider);
  fit_name (self, row.label);

  row.scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, STEP);
  gtk_scale_set_draw_value (GTK_SCALE (row.scale), FALSE);
  gtk_range_set_increments (GTK_RANGE (row.scale), STEP, PAGE);
  gtk_range_set_round_digits (GTK_RANGE (row.scale), -1);
  gtk_widget_set_hexpand (row.scale, TRUE);
  gtk_widget_set_size_request (row.scale, 160, -1);
  gtk_widget_set_tooltip_text (row.scale, model_slider->detail);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row.scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  model_slider->label, -1);
  g_object_set_data (G_OBJECT (row.scale), "knob", GINT_TO_POINTER (index));
  g_signal_connect (row.scale, "value-changed", G_CALLBACK (value_changed_cb), self);
  GtkEventController *raw = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (raw, GTK_PHASE_CAPTURE);
  g_signal_connect (raw, "event", G_CALLBACK (raw_event_cb), self);
  gtk_widget_add_controller (row.scale, raw);

  row.over = gtk_overlay_new ();
  row.band = slider_band_new (GTK_RANGE (row.scale));
  gtk_overlay_set_child (GTK_OVERLAY (row.over), row.scale);
  gtk_overlay_add_overlay (GTK_OVERLAY (row.over), row.band);

  row.field = hl_number_field_new (self->workbench, (const char *const *)model_slider->paths,
                                   model_slider->quantity, model_slider->label, model_slider->detail);
  gtk_widget_set_hexpand (row.field, FALSE);
  place_row (self, index, &row);
  g_array_append_val (self->rows, row);
}

static void refresh (HlSliderPanel *self) {
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  self->refreshing = TRUE;
  for (guint index = 0; index < self->rows->len && index < model_sliders->len; index++) {
    const Row *row = &g_array_index (self->rows, Row, index);
    const HlModelSlider *model_slider = model_sliders->pdata[index];
    double fraction = hl_model_slider_fraction (model_slider, hl_model_slider_value (model_slider, document));
    if (isfinite (fraction) && fabs (fraction - gtk_range_get_value (GTK_RANGE (row->scale))) > 1e-9)
      gtk_range_set_value (GTK_RANGE (row->scale), CLAMP (fraction, 0, 1));
    hl_number_field_refresh (HL_NUMBER_FIELD (row->field));
  }
  self->refreshing = FALSE;
}

static void rebuild (GtkWidget *widget) {
  HlSliderPanel *self = HL_SLIDER_PANEL (widget);

  if (self->workbench == NULL)
    return;
  if (self->held) /* a slider that goes is let go */
    hl_editing_end_gesture (hl_workbench_editing (self->workbench));
  self->held = FALSE;

  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  g_array_set_size (self->rows, 0);
  self->refreshing = TRUE;
  for (guint index = 0; index < model_sliders->len; index++)
    add_row (self, (int)index, model_sliders->pdata[index]);
  self->refreshing = FALSE;
  gtk_widget_set_visible (self->empty, model_sliders->len == 0);
  refresh (self);
  show_target (self);
  self->has_before = FALSE;
  show_since (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlSliderPanel *self) {
  if (changes & HL_CHANGED_KNOBS)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  else if ((changes & (HL_CHANGED_NUMBERS | HL_CHANGED_UNITS)) && !hl_rebuild_is_due (GTK_WIDGET (self)))
    refresh (self);
  if ((changes & (HL_CHANGED_LOCUS | HL_CHANGED_UNITS)) && !hl_rebuild_is_due (GTK_WIDGET (self)))
    show_target (self);
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_MODE))
    show_since (self);
}

static void slider_panel_dispose (GObject *object) {
  HlSliderPanel *self = HL_SLIDER_PANEL (object);

  g_clear_handle_id (&self->settle_source, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_slider_panel_parent_class)->dispose (object);
}

static void slider_panel_finalize (GObject *object) {
  g_array_unref (HL_SLIDER_PANEL (object)->rows);
  G_OBJECT_CLASS (hl_slider_panel_parent_class)->finalize (object);
}

static void hl_slider_panel_class_init (HlSliderPanelClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = slider_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = slider_panel_finalize;
  hl_widget_tree_load (klass, "hl-slider-panel");
  HL_TREE_CHILD (klass, HlSliderPanel, grid);
  HL_TREE_CHILD (klass, HlSliderPanel, empty);
  HL_TREE_CHILD (klass, HlSliderPanel, add);
  HL_TREE_CHILD (klass, HlSliderPanel, met);
  HL_TREE_CHILD (klass, HlSliderPanel, since);
  HL_TREE_CHILD (klass, HlSliderPanel, target);
}

static void hl_slider_panel_init (HlSliderPanel *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->add), add_slider_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->target), target_cb, self, NULL);
}

void hl_slider_panel_set_workbench (HlSliderPanel *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  rebuild (GTK_WIDGET (self));
}

void hl_slider_panel_set_one_line (HlSliderPanel *self, gboolean one_line) {
  if (self->one_line == one_line)
    return;
  self->one_line = one_line;
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), one_line ? 4 : 0);
  for (guint index = 0; index < self->rows->len; index++) {
    Row row = g_array_index (self->rows, Row, index);
    GtkWidget *widgets[] = {row.label, row.over, row.field};
    for (guint k = 0; k < G_N_ELEMENTS (widgets); k++) {
      g_object_ref (widgets[k]);
      gtk_grid_remove (GTK_GRID (self->grid), widgets[k]);
    }
    place_row (self, (int)index, &row);
    for (guint k = 0; k < G_N_ELEMENTS (widgets); k++)
      g_object_unref (widgets[k]);
  }
}

void hl_slider_panel_set_hall (HlSliderPanel *self, gboolean in_hall) {
  self->in_hall = in_hall;
  gtk_widget_set_visible (gtk_widget_get_parent (self->add), !in_hall);
  for (guint index = 0; index < self->rows->len; index++)
    fit_name (self, g_array_index (self->rows, Row, index).label);
}
