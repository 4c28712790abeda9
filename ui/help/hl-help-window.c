/* SPDX-License-Identifier: MIT */
#include "ui/help/hl-help-window.h"

#include "core/base/hl-i18n.h"
#include "core/help/hl-help-page.h"
#include "core/hydro/actuators/hl-cylinder-terms.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>
#include <string.h>

/* Keeps what stands there when nothing is known. */
static void take (double *place, double value) {
  if (isfinite (value))
    *place = value;
}

/* The line at a port; NULL: it is on none. */
static const char *line_at (const HlHelpPage *page, const HlDocument *document, int port) {
  g_autofree char *path = g_strconcat (page->id, ".", page->kind->ports[port], NULL);
  int line = hl_document_line_of_port (document, path);

  return line >= 0 ? hl_value_string (
                         hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "id"))
                   : NULL;
}

static void take_pressures (HlHelpPage *page, const HlDocument *document, const HlInstant *instant) {
  for (int port = 0; port < page->kind->n_ports; port++) {
    const char *id = line_at (page, document, port);
    if (id != NULL)
      take (&page->part->p[port], hl_instant_value_of (instant, document, id, "pressure"));
  }
  for (int port = 0; port < page->kind->n_ports; port++)
    if (line_at (page, document, port) == NULL)
      hl_help_part_leave_open (page->part, port);
}

static double read_cb (void *data, const char *id, const char *name) {
  return hl_instant_recorded (data, id, name);
}

/* Moves the page's part to the instant: pressures of its lines, states, signals and motion as far as
 * the run knows them, else as the document states them; the rest stays. Works the page out. */
static void live_look (HlHelpPage *page, const HlDocument *document, const HlInstant *instant) {
  HlHelpPart *part = page->part;
  int signal = 0;

  if (part == NULL || page->id == NULL)
    return;
  if (part->element != NULL) {
    hl_help_page_look (page, read_cb, (void *)instant, instant->t);
    return;
  }
  take_pressures (page, document, instant);
  for (int state = 0; state < part->c.n_states; state++) {
    char room[HL_STATE_NAME_ROOM];
    take (&part->state[state],
          hl_instant_value_of (instant, document, page->id, hl_component_state_name (&part->c, state, room)));
  }
  for (int k = 0; k < page->kind->n_fields; k++)
    if (page->kind->fields[k].type == HL_FIELD_SIGNAL && signal < HL_MOST_COMMANDS)
      take (&part->signal[signal++],
            hl_instant_value_of (instant, document, page->id, page->kind->fields[k].name));
  take (&part->length,
        hl_instant_recorded (instant, page->id, hl_cylinder_terms (part->c.klass->is_rotary)->place_output));
  take (&part->speed, hl_instant_recorded (instant, page->id, "speed"));
  hl_help_page_work_out (page);
}

#define OVERLAY "/io/github/hydrolink/Hydrolink/ui/help-overlay.ui"
#define BETWEEN "   "

/* "Ctrl+F   Alt+Left": of a list of accelerators with blanks, or a range "1...9". */
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

/* What the application gives an action as keys; owned by the caller. */
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
#define POINTED_SHARE 0.3 /* of the height, above a property that was asked about */

struct _HlHelpWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *search, *list, *scroll, *view;
  const HlKind *kind; /* of the page; NULL: it is on a pane */
  char *id;           /* of the element; NULL: the kind */
  char *field;        /* property that was asked about, until it is in sight; NULL: none */
  gboolean is_choosing;
};

G_DEFINE_FINAL_TYPE (HlHelpWindow, hl_help_window, GTK_TYPE_WINDOW)

/* --- the page --- */

/* An element by its id, or the signal "ELEMENT.FIELD" of one, of the kind that is shown. */
static gboolean is_there (const HlDocument *document, const HlKind *kind, const char *id) {
  g_auto (GStrv) parts = g_strsplit (id, ".", 2);
  const HlValue *element = hl_document_find (document, parts[0], NULL, NULL);

  if (element == NULL || parts[1] == NULL)
    return element != NULL;
  const HlValue *signal = hl_value_at (element, parts[1]);
  return signal != NULL && hl_schema_kind_of (HL_SECTION_SIGNAL, signal) == kind;
}

/* A lesson hides a number of it: the page must not tell it. */
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
  hl_help_view_show (HL_HELP_VIEW (self->view), page, hl_workbench_units (self->workbench));
}

static void go (HlHelpWindow *self, const HlKind *kind, const char *id) {
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
  hl_help_view_show_topic (HL_HELP_VIEW (self->view), topic, keys);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll)), 0.0);
}

/* Brings the property that was asked about into sight, once it has its place. */
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

static gboolean matches_cb (GtkListBoxRow *row, gpointer data) {
  HlHelpWindow *self = data;
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->search));

  return kind_of (row) != NULL ? hl_help_kind_matches (kind_of (row), words)
                               : hl_help_topic_matches (topic_of (row), words);
}

static void search_cb (GtkSearchEntry *entry, HlHelpWindow *self) {
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
}

/* Escape: first what was sought goes, then the window. */
static void stop_cb (GtkSearchEntry *entry, HlHelpWindow *self) {
  if (*gtk_editable_get_text (GTK_EDITABLE (entry)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (entry), "");
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* Enter: the first that matches. */
static void take_first_cb (GtkSearchEntry *entry, HlHelpWindow *self) {
  GtkListBoxRow *row;

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
    go (self, kind_of (row), NULL);
  else
    go_to_topic (self, topic_of (row));
}

static void add_row (HlHelpWindow *self, const char *label, const char *key, gconstpointer what) {
  GtkWidget *text = gtk_label_new (label), *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (text), 0.0);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_set_data (G_OBJECT (row), key, (gpointer)what);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

/* The panes of the window stand behind the parts, apart from them. */
static void header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data) {
  GtkWidget *header = NULL;

  if (topic_of (row) != NULL && (before == NULL || topic_of (before) == NULL)) {
    header = gtk_label_new (_ ("The window"));
    gtk_label_set_xalign (GTK_LABEL (header), 0.0);
    gtk_widget_add_css_class (header, "list-header");
  }
  gtk_list_box_row_set_header (row, header);
}

static void fill (HlHelpWindow *self) {
  for (int k = 0; hl_help_kind (k) != NULL; k++)
    add_row (self, _ (hl_help_kind (k)->label), KIND_KEY, hl_help_kind (k));
  for (int k = 0; hl_help_topic (k) != NULL; k++)
    add_row (self, _ (hl_help_topic (k)->label), TOPIC_KEY, hl_help_topic (k));
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), header_cb, NULL, NULL);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), matches_cb, self, NULL);
}

/* The chosen row in sight, once the list has its height; one that is seen stays where it is. */
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

/* The row of a kind or of a pane chosen, without going to its page alone. */
static void choose_row (HlHelpWindow *self, gconstpointer what) {
  GtkListBoxRow *row;

  self->is_choosing = TRUE;
  for (int k = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), k)) != NULL; k++)
    if ((gconstpointer)kind_of (row) == what || (gconstpointer)topic_of (row) == what)
      gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  self->is_choosing = FALSE;
  gtk_widget_add_tick_callback (self->list, show_row_cb, NULL, NULL);
}

/* help.signal (FIELD): from the element to its signal. */
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
  go (self, kind, path);
}

/* --- life --- */

static void changed_cb (HlWorkbench *workbench, guint changes, HlHelpWindow *self) {
  if (changes &
      (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS | HL_CHANGED_TIME | HL_CHANGED_RUN))
    refresh (self);
}

static void hl_help_window_dispose (GObject *object) {
  HlHelpWindow *self = HL_HELP_WINDOW (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->id, g_free);
  g_clear_pointer (&self->field, g_free);
  G_OBJECT_CLASS (hl_help_window_parent_class)->dispose (object);
}

static void hl_help_window_class_init (HlHelpWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_help_window_dispose;
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
  HL_TREE_CALLBACK (klass, take_first_cb);
  HL_TREE_CALLBACK (klass, selected_cb);
}

static void hl_help_window_init (HlHelpWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_help_view_set_setter (HL_HELP_VIEW (self->view), set_number, self);
  fill (self);
}

/* The kind of an element that has a page; NULL: none. */
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
  go (self, first, own != NULL ? id : NULL);
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
