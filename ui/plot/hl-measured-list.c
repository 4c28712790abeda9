/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-measured-list.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-trace.h"
#include "ui/plot/hl-measured-window.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/bench/hl-measured-shelf.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-question.h"

struct _HlMeasuredList {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GPtrArray *shown; /* what the rows were made for; held, so that another one is another pointer */
  gboolean only_problems;
};

G_DEFINE_FINAL_TYPE (HlMeasuredList, hl_measured_list, GTK_TYPE_BOX)

/* --- windows --- */

static void present_or_explain (GtkWidget *window, const GError *error, GtkWindow *parent) {
  if (window == NULL) {
    HlQuestion *message = hl_question_new (parent, error->message, NULL);
    hl_question_add_button (message, _ ("_Close"), GTK_RESPONSE_CLOSE, TRUE);
    g_signal_connect (message, "response", G_CALLBACK (gtk_window_destroy), NULL);
    window = GTK_WIDGET (message);
  }
  gtk_window_present (GTK_WINDOW (window));
}

void hl_measured_open (HlWorkbench *workbench, const char *path, GtkWindow *parent) {
  gtk_window_present (GTK_WINDOW (hl_measured_window_new (workbench, path, parent)));
}

/* --- choosing a file --- */

typedef struct {
  HlWorkbench *workbench;
  GtkWindow *parent; /* may be gone */
  int index;         /* of the entry whose file is looked for; -1: a new one */
} Choice;

static void free_choice (Choice *choice) {
  g_clear_object (&choice->workbench);
  g_clear_weak_pointer (&choice->parent);
  g_free (choice);
}

static void file_chosen_cb (HlFileChooser *dialog, int response, Choice *choice) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL && choice->parent != NULL) {
    if (choice->index >= 0)
      hl_measured_shelf_find (hl_workbench_measured (choice->workbench), choice->index, path);
    else
      hl_measured_open (choice->workbench, path, choice->parent);
  }
  free_choice (choice);
  hl_file_chooser_end (dialog);
}

static void choose (HlWorkbench *workbench, GtkWindow *parent, int index, const char *title) {
  HlFileChooser *dialog = hl_file_chooser_new (title, parent, FALSE, _ ("_Open"));
  static const char *const patterns[] = {"*.csv", "*.txt", "*.tsv", "*.dat", "*.asc"};
  g_autoptr (GtkFileFilter) tables = gtk_file_filter_new (), all = gtk_file_filter_new ();
  Choice *choice = g_new0 (Choice, 1);

  choice->workbench = g_object_ref (workbench);
  choice->index = index;
  g_set_weak_pointer (&choice->parent, parent);
  gtk_file_filter_set_name (tables, _ ("Tables (CSV, text)"));
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    gtk_file_filter_add_suffix (tables, patterns[i] + 2);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  hl_file_chooser_add_filter (dialog, tables);
  hl_file_chooser_add_filter (dialog, all);
  if (hl_editing_path (hl_workbench_editing (workbench)) != NULL) {
    g_autofree char *absolute =
        g_canonicalize_filename (hl_editing_path (hl_workbench_editing (workbench)), NULL);
    g_autofree char *folder = g_path_get_dirname (absolute);
    g_autoptr (GFile) place = g_file_new_for_path (folder);
    hl_file_chooser_set_folder (dialog, place);
  }
  g_signal_connect (dialog, "response", G_CALLBACK (file_chosen_cb), choice);
  hl_file_chooser_show (dialog);
}

void hl_measured_choose (HlWorkbench *workbench, GtkWindow *parent) {
  choose (workbench, parent, -1, _ ("Open measured data"));
}

/* --- buttons --- */

static const HlMeasuredData *data_of (HlMeasuredList *self, gpointer button) {
  GPtrArray *all = hl_measured_shelf_data (hl_workbench_measured (self->workbench));
  guint at = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "hydrolink-measured"));
  return at < all->len ? all->pdata[at] : NULL;
}

static GtkWindow *leave (HlMeasuredList *self) {
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static void change_clicked_cb (GtkButton *button, HlMeasuredList *self) {
  const HlMeasuredData *data = data_of (self, button);
  g_autoptr (GError) error = NULL;

  if (data == NULL)
    return;
  GtkWindow *parent = leave (self);
  GtkWidget *window = hl_measured_window_new_for (self->workbench, data->measurement->index, parent, &error);
  present_or_explain (window, error, parent);
}

static void find_clicked_cb (GtkButton *button, HlMeasuredList *self) {
  const HlMeasuredData *data = data_of (self, button);

  if (data == NULL)
    return;
  int index = data->measurement->index;
  g_autofree char *title = g_strdup_printf (_ ("Where is “%s”?"), data->name);
  choose (self->workbench, leave (self), index, title);
}

static void remove_clicked_cb (GtkButton *button, HlMeasuredList *self) {
  const HlMeasuredData *data = data_of (self, button);

  if (data != NULL)
    hl_measured_shelf_remove (hl_workbench_measured (self->workbench), data->measurement->index);
}

static GtkWidget *add_button (HlMeasuredList *self, GtkWidget *row, guint at, const char *icon,
                              const char *label, GCallback cb) {
  GtkWidget *button = icon != NULL ? gtk_button_new_from_icon_name (icon) : gtk_button_new_with_label (label);

  if (icon != NULL) {
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_tooltip_text (button, label);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  }
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_object_set_data (G_OBJECT (button), "hydrolink-measured", GUINT_TO_POINTER (at));
  g_signal_connect (button, "clicked", cb, self);
  gtk_box_append (GTK_BOX (row), button);
  return button;
}

/* --- rows --- */

/* "p₁, φ₂" */
static char *traces_text (HlMeasuredList *self, const HlMeasurement *measurement) {
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < measurement->columns->len; i++) {
    const HlMeasurementColumn *column = measurement->columns->pdata[i];
    if (column->trace != NULL)
      g_string_append_printf (
          text, "%s%s", text->len > 0 ? ", " : "",
          hl_trace_info (hl_editing_document (hl_workbench_editing (self->workbench)), column->trace).label);
  }
  return g_string_free (text, FALSE);
}

static GtkWidget *text_label (const char *text, const char *css_class, gboolean wraps) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_tooltip_text (label, text);
  if (wraps) {
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_lines (GTK_LABEL (label), 3);
    gtk_label_set_max_width_chars (GTK_LABEL (label), 44);
  }
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

static void add_row (HlMeasuredList *self, guint at, const HlMeasuredData *data) {
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *traces = traces_text (self, data->measurement);

  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  if (!self->only_problems)
    gtk_box_append (GTK_BOX (words), text_label (data->name, "heading", FALSE));
  gtk_box_append (GTK_BOX (words),
                  data->problem != NULL
                      ? text_label (data->problem, self->only_problems ? "told" : "warning", TRUE)
                      : text_label (traces, "dim-label", FALSE));
  gtk_box_append (GTK_BOX (row), words);
  if (data->is_missing)
    add_button (self, row, at, NULL, _ ("Find…"), G_CALLBACK (find_clicked_cb));
  else
    add_button (self, row, at, self->only_problems ? NULL : "document-edit-symbolic", _ ("Columns…"),
                G_CALLBACK (change_clicked_cb));
  add_button (self, row, at, self->only_problems ? NULL : "edit-delete-symbolic", _ ("Take out"),
              G_CALLBACK (remove_clicked_cb));
  gtk_box_append (GTK_BOX (self), row);
}

static void refresh (GtkWidget *widget) {
  HlMeasuredList *self = HL_MEASURED_LIST (widget);
  GtkWidget *row;

  if (self->workbench == NULL)
    return;
  GPtrArray *all = hl_measured_shelf_data (hl_workbench_measured (self->workbench));
  if (self->shown == all)
    return;
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  self->shown = g_ptr_array_ref (all);
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_box_remove (GTK_BOX (self), row);
  for (guint i = 0; i < all->len; i++) {
    const HlMeasuredData *data = all->pdata[i];
    if (!self->only_problems || data->problem != NULL)
      add_row (self, i, data);
  }
  gtk_widget_set_visible (GTK_WIDGET (self), hl_measured_list_n_rows (self) > 0);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlMeasuredList *self) {
  if (changes & HL_CHANGED_RUN)
    hl_rebuild_later (GTK_WIDGET (self), refresh);
}

/* --- life --- */

static void hl_measured_list_dispose (GObject *object) {
  HlMeasuredList *self = HL_MEASURED_LIST (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_measured_list_parent_class)->dispose (object);
}

static void hl_measured_list_class_init (HlMeasuredListClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_measured_list_dispose;
}

static void hl_measured_list_init (HlMeasuredList *self) {
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

GtkWidget *hl_measured_list_new (HlWorkbench *workbench, gboolean only_problems) {
  HlMeasuredList *self = g_object_new (HL_TYPE_MEASURED_LIST, NULL);

  self->workbench = g_object_ref (workbench);
  self->only_problems = only_problems;
  gtk_widget_add_css_class (GTK_WIDGET (self), only_problems ? "measured-problems" : "measured");
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

int hl_measured_list_n_rows (HlMeasuredList *self) {
  hl_rebuild_now (GTK_WIDGET (self));
  int n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}
