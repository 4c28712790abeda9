/* SPDX-License-Identifier: MIT */
#include "tests/ui/window-fixture.h"

#include "tests/support/hl-time-limit.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-window-workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAW_S 2.0
#define PATIENCE_S 60

/* Messages about GTK itself, which show nothing and which no program can prevent:
 * - GTK 4.8 keeps a popover over which a tooltip was due, and its timer asks where in it the pointer is when the window is
 *   gone: it says so twice.
 * - GTK counts the pointer's presses on each widget, and loses count where a release arrives at another widget than the press,
 *   as when a popover closes in between. */
static gboolean is_of_gtk_itself (const char *message) {
  return strstr (message, "gdk_surface_get_device_position: assertion") != NULL ||
         strstr (message, "_gtk_widget_find_at_coords: assertion") != NULL ||
         strstr (message, "Broken accounting of active state") != NULL;
}

static gboolean is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer data) {
  return !is_of_gtk_itself (message);
}

/* The list of fatal messages is read next, and cleared at the beginning of every test. */
static void log_of_gtk (const char *domain, GLogLevelFlags level, const char *message, gpointer data) {
  g_test_log_set_fatal_handler (is_fatal, NULL);
  if (!is_of_gtk_itself (message))
    g_log_default_handler (domain, level, message, data);
}

/* The application of a test program, while it exists. */
static gpointer begun;

/* GLib keeps its quarks in a table of 2048, made when the library is loaded, and gives it up without freeing it when a program
 * names more: readers take no lock. A window of GTK has nearly as many, so that it depends on the test whether the address
 * sanitizer finds the table lost. */
#ifdef __SANITIZE_ADDRESS__
void __lsan_ignore_object (const void *block);
void __sanitizer_malloc_hook (const volatile void *block, size_t size);

static const volatile void *first_quarks;

void __sanitizer_malloc_hook (const volatile void *block, size_t size) {
  if (first_quarks == NULL && size == 2048 * sizeof (char *))
    first_quarks = block;
}

static void ignore_first_quarks (void) {
  __lsan_ignore_object ((const void *)first_quarks);
}
#else
static void ignore_first_quarks (void) {
}
#endif

/* GTK keeps an application that is registered and never run, and with it the workers of closed windows: one that computes while
 * the libraries are torn down ends the program by SIGSEGV. */
static void wait_for_workers (void) {
  while (begun != NULL && hl_worker_shutdown_is_busy (hl_application_worker_shutdown (begun)))
    g_main_context_iteration (NULL, TRUE);
}

HlApplication *fixture_begin (int *argc, char ***argv) {
  static const char *const domains[] = {"Gdk", "Gtk"};

  ignore_first_quarks ();
  g_test_init (argc, argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (domains); k++)
    g_log_set_handler (domains[k], G_LOG_LEVEL_MASK | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, log_of_gtk,
                       NULL);
  if (!gtk_init_check ())
    return NULL;
  HlApplication *application = hl_application_new (TRUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  begun = application;
  g_object_add_weak_pointer (G_OBJECT (application), &begun);
  atexit (wait_for_workers);
  return application;
}

void fixture_until (gboolean (*is_done) (gpointer data), gpointer data) {
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  while (!is_done (data)) {
    g_assert_false (hl_time_limit_is_over (&patience));
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  }
}

static gboolean set_cb (gpointer data) {
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Rows of an inspector come by and by. */
static gboolean is_filling (void) {
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  gboolean is_one = FALSE;

  for (GList *window = windows; window != NULL; window = window->next)
    is_one |= HL_IS_WINDOW (window->data) && window_part (window->data, "inspector") != NULL &&
              hl_inspector_is_filling (window_part (window->data, "inspector"));
  return is_one;
}

void fixture_rebuild (void) {
  gint64 until = g_get_monotonic_time () + (gint64)(DRAW_S * G_USEC_PER_SEC);
  gboolean reached = FALSE;

  g_idle_add_full (G_PRIORITY_DEFAULT - 9, G_SOURCE_FUNC (set_cb), &reached, NULL);
  while (!reached)
    g_main_context_iteration (NULL, TRUE);
  while (is_filling () && g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
}

static gboolean is_settled (gpointer window) {
  return hl_window_is_settled (window);
}

static gboolean is_gone (gpointer pointer) {
  return *(gpointer *)pointer == NULL;
}

void fixture_until_settled (HlWindow *window) {
  fixture_until (is_settled, window);
}

void fixture_until_gone (gpointer weak_pointer) {
  fixture_until (is_gone, weak_pointer);
}

char *fixture_example_path (const char *name) {
  return g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), name, NULL);
}

HlWorkbench *fixture_workbench (const char *example) {
  g_autofree char *path = fixture_example_path (example);
  HlWorkbench *workbench = hl_workbench_new ();
  g_autoptr (GError) error = NULL;

  hl_editing_load (hl_workbench_editing (workbench), path, &error);
  g_assert_no_error (error);
  return workbench;
}

void fixture_draw (gpointer window) {
  /* a drive has news without end: on a slow machine its window never comes to rest */
  gint64 until = g_get_monotonic_time () + (gint64)(DRAW_S * G_USEC_PER_SEC);

  gtk_test_widget_wait_for_draw (window);
  while (g_get_monotonic_time () < until && g_main_context_iteration (NULL, FALSE))
    ;
  gtk_test_widget_wait_for_draw (window);
}

HlWindow *fixture_open (HlApplication *application, const char *example) {
  g_autofree char *path = example != NULL ? fixture_example_path (example) : NULL;
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  HlWindow *window = HL_WINDOW (hl_application_open_window (application, file));
  const char *size = g_getenv ("HL_WINDOW_SIZE");
  int width, height;

  if (g_getenv ("HL_WINDOW_DARK") != NULL)
    g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", TRUE, NULL);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  /* in two steps: a header with all its words is wider than the smallest window */
  for (int step = 1; step >= 0; step--)
    if (size != NULL && sscanf (size, "%dx%d", &width, &height) == 2) {
      gtk_window_set_default_size (GTK_WINDOW (window), width + step, height);
      gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
      fixture_until_settled (window);
      gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    }
  fixture_until_settled (window);
  return window;
}

void fixture_close (HlWindow *window) {
  gpointer weak = window;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_destroy (GTK_WINDOW (window));
  fixture_until_gone (&weak);
}

void fixture_activate (HlWindow *window, const char *action) {
  g_action_group_activate_action (G_ACTION_GROUP (window), action, NULL);
}

HlPictureSource fixture_pictures (HlWindow *window) {
  return (HlPictureSource){.workbench = hl_window_workbench (window),
                           .plots = window_part (window, "plot_pane"),
                           .circuit = window_part (window, "circuit_view"),
                           .linkage = window_part (window, "linkage_view"),
                           .locus = window_part (window, "locus_view")};
}

GtkWindow *fixture_find_window (const char *title) {
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (g_strcmp0 (gtk_window_get_title (window), title) == 0)
      return window;
  }
  return NULL;
}

HlQuestion *fixture_find_question (void) {
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (HL_IS_QUESTION (window) && gtk_window_get_transient_for (window) != NULL)
      return HL_QUESTION (window);
  }
  return NULL;
}

gboolean fixture_has_chooser (void) {
  GListModel *windows = gtk_window_get_toplevels ();
  gboolean has_one = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    has_one |= GTK_IS_FILE_CHOOSER (window) && gtk_widget_get_visible (window);
  }
  return has_one;
}

static GtkWidget *search_button (GtkWidget *widget, const char *label) {
  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL;
       at = gtk_widget_get_next_sibling (at)) {
    GtkWidget *found = search_button (at, label);
    if (found != NULL)
      return found;
  }
  return NULL;
}

GtkWidget *fixture_find_button (gpointer widget, const char *label) {
  fixture_rebuild ();
  GtkWidget *button = search_button (widget, label);
  if (button == NULL)
    g_error ("there is no button “%s”", label);
  return button;
}

void fixture_press (gpointer widget, const char *label) {
  g_signal_emit_by_name (fixture_find_button (widget, label), "clicked");
}

static GtkShortcut *find_shortcut (GtkWidget *widget, const char *keys) {
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  g_autoptr (GtkShortcutTrigger) trigger = gtk_shortcut_trigger_parse_string (keys);

  for (guint c = 0; c < g_list_model_get_n_items (controllers); c++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, c);
    if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
      continue;
    GListModel *shortcuts = G_LIST_MODEL (controller);
    for (guint s = 0; s < g_list_model_get_n_items (shortcuts); s++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, s);
      if (gtk_shortcut_trigger_equal (gtk_shortcut_get_trigger (shortcut), trigger))
        return shortcut; /* the controller keeps it */
    }
  }
  return NULL;
}

void fixture_press_keys (GtkWidget *widget, const char *keys) {
  for (GtkWidget *at = widget; at != NULL; at = gtk_widget_get_parent (at)) {
    GtkShortcut *shortcut = find_shortcut (at, keys);
    if (shortcut == NULL)
      continue;
    gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, at,
                                  gtk_shortcut_get_arguments (shortcut));
    return;
  }
  g_error ("no shortcut %s", keys);
}

GtkWidget *fixture_find (GtkWidget *root, GType type) {
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = fixture_find (child, type);
    if (found != NULL)
      return found;
  }
  return NULL;
}

void fixture_collect (GtkWidget *root, GType type, GPtrArray *found) {
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    fixture_collect (child, type, found);
}

GtkWidget *fixture_named (gpointer root, GType type, const char *name) {
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  fixture_rebuild ();
  fixture_collect (root, type, found);
  for (guint i = 0; i < found->len; i++) {
    g_autofree char *differs =
        gtk_test_accessible_check_property (found->pdata[i], GTK_ACCESSIBLE_PROPERTY_LABEL, name);
    if (differs == NULL)
      return found->pdata[i];
  }
  g_error ("there is no %s called “%s”", g_type_name (type), name);
}

GtkWidget *fixture_find_label (GtkWidget *root, const char *text) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (root, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (strcmp (gtk_label_get_text (labels->pdata[i]), text) == 0)
      return labels->pdata[i];
  return NULL;
}

GtkGrid *fixture_inspector_grid (HlWindow *window) {
  g_autoptr (GPtrArray) grids = g_ptr_array_new ();

  fixture_rebuild ();
  fixture_collect (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_GRID, grids);
  g_assert_cmpuint (grids->len, >, 0);
  return grids->pdata[0];
}

/* Returns the editor in the row of that name, or NULL if there is no such row. */
GtkWidget *fixture_inspector_row (HlWindow *window, const char *name) {
  GtkGrid *grid = fixture_inspector_grid (window);

  for (int line = 0;; line++) {
    GtkWidget *label = gtk_grid_get_child_at (grid, 0, line);
    if (label == NULL)
      return NULL;
    if (GTK_IS_LABEL (label) && !gtk_widget_has_css_class (label, "heading") &&
        strcmp (gtk_label_get_text (GTK_LABEL (label)), name) == 0)
      return gtk_grid_get_child_at (grid, 1, line);
  }
}

GtkWidget *fixture_entry_of (GtkWidget *field) {
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();

  g_assert_nonnull (field);
  fixture_collect (field, GTK_TYPE_ENTRY, entries);
  return entries->pdata[0];
}

/* The widgets of a type from `root` down, without what is hidden below it. */
static void collect_seen (GtkWidget *root, GType type, GPtrArray *found) {
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child))
      collect_seen (child, type, found);
}

gpointer fixture_nth (gpointer root, GType type, int n) {
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  fixture_rebuild ();
  collect_seen (root, type, found);
  return n < (int)found->len ? found->pdata[n] : NULL;
}

int fixture_count (gpointer root, GType type) {
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  fixture_rebuild ();
  collect_seen (root, type, found);
  return (int)found->len;
}

const char *fixture_label (gpointer root, int n) {
  return gtk_label_get_text (GTK_LABEL (fixture_nth (root, GTK_TYPE_LABEL, n)));
}

gpointer fixture_child (gpointer widget, const char *name) {
  GObject *child = gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), name);

  g_assert_nonnull (child);
  return child;
}

const char *fixture_said (gpointer widget, const char *name) {
  return gtk_label_get_text (GTK_LABEL (fixture_child (widget, name)));
}

HlNumberField *fixture_type_into (HlWindow *window, const char *name, const char *text) {
  GtkWidget *field = fixture_inspector_row (window, name);

  gtk_widget_grab_focus (fixture_entry_of (field));
  gtk_editable_set_text (GTK_EDITABLE (fixture_entry_of (field)), text);
  return HL_NUMBER_FIELD (field);
}

HlEditing *fixture_editing (HlWindow *window) {
  return hl_workbench_editing (hl_window_workbench (window));
}

const HlDocument *fixture_document (HlWindow *window) {
  return hl_editing_document (fixture_editing (window));
}

double fixture_number (HlWindow *window, const char *path) {
  double value = NAN;
  g_autoptr (GError) error = NULL;

  hl_document_get_number (fixture_document (window), path, &value, NULL, &error);
  g_assert_no_error (error);
  return value;
}

void fixture_assert_no_error (HlWindow *window) {
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (fixture_editing (window)));
  g_autofree char *text = error != NULL ? hl_finding_format (error) : NULL;

  g_assert_cmpstr (text, ==, NULL);
}
