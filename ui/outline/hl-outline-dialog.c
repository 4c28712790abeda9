/* SPDX-License-Identifier: MIT */
/* A small window with one searchable list for each thing a new element hangs on. It says what
 * would happen before anything does. */
#include "ui/outline/hl-outline-private.h"

#include "core/base/hl-i18n.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/edit/outline/hl-outline-edit.h"
#include "ui/bench/hl-editing.h"

#include <string.h>

#define LIST_WIDTH 250
#define LIST_HEIGHT 300
#define MOST_SHOWN 200 /* rows of a list: more are found by typing */

typedef struct _Dialog Dialog;

/* One question. */
typedef struct
{
  Dialog *dialog;
  GPtrArray *choices; /* HlOutlineChoice */
  GtkWidget *entry, *list;
} Pick;

struct _Dialog
{
  HlOutline *outline; /* its window holds it */
  HlOutlineNew what;
  Pick picks[HL_OUTLINE_MOST_PICKS];
  int n_picks;
  GtkWidget *window, *message, *add;
};

static const char *
chosen (const Pick *pick)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (pick->list));
  const HlOutlineChoice *choice = row != NULL ? g_object_get_data (G_OBJECT (row), "choice") : NULL;
  return choice != NULL ? choice->ref : NULL;
}

/* --- what would happen --- */

static void
update (Dialog *self)
{
  const HlDocument *document =
      hl_editing_document (hl_workbench_editing (self->outline->workbench));
  gboolean possible = TRUE;
  g_autofree char *words = NULL;

  for (int i = 0; i < self->n_picks; i++)
    possible &= chosen (&self->picks[i]) != NULL;
  if (strcmp (self->what.id, "connect") == 0)
    words = hl_outline_connect_words (document, chosen (&self->picks[0]), chosen (&self->picks[1]),
                                      &possible);
  gtk_label_set_text (GTK_LABEL (self->message), words != NULL ? words : "");
  gtk_widget_set_sensitive (self->add, possible);
}

static void
add_now (HlOutline *outline, const HlOutlineNew *what, const char *const refs[], GError **error)
{
  g_autofree char *id = NULL;
  HlDocument *document = hl_outline_add (
      hl_editing_document (hl_workbench_editing (outline->workbench)), what, refs, &id, error);

  if (document == NULL)
    return;
  g_autofree char *step = strcmp (what->id, "connect") == 0
                              ? g_strdup_printf (_ ("Connect %s to %s"), refs[0], refs[1])
                          : id != NULL ? g_strdup_printf (_ ("Add %s"), id)
                                       : g_strdup_printf (_ ("Add %s"), _ (what->label));
  hl_outline_commit (outline, document, step, NULL);
  if (id != NULL)
    hl_workbench_select (outline->workbench, id);
}

static void
add_cb (GtkWidget *button, Dialog *self)
{
  const char *refs[HL_OUTLINE_MOST_PICKS] = {NULL};
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < self->n_picks; i++)
    refs[i] = chosen (&self->picks[i]);
  if (strcmp (self->what.id, "slider") == 0)
    hl_slider_add (self->outline->workbench, refs[0], &error);
  else
    add_now (self->outline, &self->what, refs, &error);
  if (error != NULL) {
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
    return;
  }
  gtk_window_destroy (GTK_WINDOW (self->window));
}

/* --- lists --- */

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_row (HlOutlineChoice *choice)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *text = new_label (choice->text, "dim-label");
  g_autofree char *sentence =
      g_strdup_printf ("%s%s%s", choice->ref,
                       *choice->ref != '\0' && *choice->text != '\0' ? ", " : "", choice->text);

  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  if (*choice->ref != '\0')
    gtk_box_append (GTK_BOX (box), new_label (choice->ref, NULL));
  gtk_box_append (GTK_BOX (box), text);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence,
                                  -1);
  g_object_set_data (G_OBJECT (row), "choice", choice);
  return row;
}

/* The choices that hold every word typed; `preset` is selected, else the first one. */
static void
fill (Pick *pick, const char *preset)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (pick->entry));
  g_autofree char *low = g_utf8_casefold (typed, -1);
  GtkWidget *child;
  int n = 0;

  while ((child = gtk_widget_get_first_child (pick->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (pick->list), child);
  for (guint i = 0; i < pick->choices->len && n < MOST_SHOWN; i++) {
    HlOutlineChoice *choice = pick->choices->pdata[i];
    g_autofree char *both = g_strdup_printf ("%s %s", choice->ref, choice->text);
    g_autofree char *low_both = g_utf8_casefold (both, -1);
    if (strstr (low_both, low) == NULL)
      continue;
    GtkWidget *row = new_row (choice);
    gtk_list_box_append (GTK_LIST_BOX (pick->list), row);
    if ((preset != NULL && g_str_has_prefix (choice->ref, preset) &&
         gtk_list_box_get_selected_row (GTK_LIST_BOX (pick->list)) == NULL) ||
        (preset == NULL && *typed != '\0' && n == 0))
      gtk_list_box_select_row (GTK_LIST_BOX (pick->list), GTK_LIST_BOX_ROW (row));
    n++;
  }
}

static void
typed_cb (GtkEditable *entry, Pick *pick)
{
  g_autofree char *kept = g_strdup (chosen (pick));
  fill (pick, *gtk_editable_get_text (entry) == '\0' ? kept : NULL);
  update (pick->dialog);
}

/* Lists that are taken apart with the window unselect their rows as well. */
static void
selected_cb (GtkListBox *list, Pick *pick)
{
  if (gtk_widget_get_mapped (pick->dialog->window))
    update (pick->dialog);
}

/* Enter in one list goes to the next one, in the last one it adds. */
static void
next_cb (GtkWidget *widget, Pick *pick)
{
  Dialog *self = pick->dialog;
  int next = (int)(pick - self->picks) + 1;

  if (next < self->n_picks && chosen (&self->picks[next]) == NULL)
    gtk_widget_grab_focus (self->picks[next].entry);
  else if (gtk_widget_get_sensitive (self->add))
    add_cb (self->add, self);
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, Pick *pick)
{
  next_cb (GTK_WIDGET (list), pick);
}

static gboolean
entry_key_cb (GtkEventControllerKey *controller,
              guint keyval,
              guint keycode,
              GdkModifierType state,
              Pick *pick)
{
  if (keyval != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_child_focus (pick->list, GTK_DIR_DOWN);
  return GDK_EVENT_STOP;
}

static GtkWidget *
new_pick (Dialog *self, int index, const char *preset)
{
  Pick *pick = &self->picks[index];
  const char *question = _ (self->what.questions[index]);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  pick->dialog = self;
  pick->choices =
      hl_outline_choices (hl_editing_document (hl_workbench_editing (self->outline->workbench)),
                          self->what.from[index]);
  pick->entry = gtk_search_entry_new ();
  pick->list = gtk_list_box_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (pick->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  question, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (pick->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  question, -1);
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (pick->list), FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), pick->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scrolled, LIST_WIDTH, LIST_HEIGHT);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), new_label (question, "heading"));
  gtk_box_append (GTK_BOX (box), pick->entry);
  gtk_box_append (GTK_BOX (box), scrolled);
  fill (pick, preset);
  g_signal_connect (pick->entry, "search-changed", G_CALLBACK (typed_cb), pick);
  g_signal_connect (pick->entry, "activate", G_CALLBACK (next_cb), pick);
  g_signal_connect_swapped (pick->entry, "stop-search", G_CALLBACK (gtk_window_destroy),
                            self->window);
  g_signal_connect (pick->list, "selected-rows-changed", G_CALLBACK (selected_cb), pick);
  g_signal_connect (pick->list, "row-activated", G_CALLBACK (row_activated_cb), pick);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key_cb), pick);
  gtk_widget_add_controller (pick->entry, keys);
  return box;
}

/* --- the window --- */

static void
free_dialog (gpointer data)
{
  Dialog *self = data;

  for (int i = 0; i < self->n_picks; i++)
    g_ptr_array_unref (self->picks[i].choices);
  g_object_unref (self->outline);
  g_free (self);
}

static GtkWidget *
new_buttons (Dialog *self)
{
  GtkWidget *bar = gtk_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  self->add = gtk_button_new_with_mnemonic (_ ("_Add"));
  gtk_widget_add_css_class (self->add, "suggested-action");
  gtk_header_bar_set_show_title_buttons (GTK_HEADER_BAR (bar), FALSE);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (bar), cancel);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), self->add);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_destroy), self->window);
  g_signal_connect (self->add, "clicked", G_CALLBACK (add_cb), self);
  return bar;
}

static void
add_escape (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Escape"),
                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, controller);
}

static void
open_dialog (HlOutline *outline, const HlOutlineNew *what, const char *preset)
{
  Dialog *self = g_new0 (Dialog, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->outline = g_object_ref (outline);
  self->what = *what;
  self->n_picks = hl_outline_n_picks (what);
  self->window = gtk_window_new ();
  gtk_window_set_title (GTK_WINDOW (self->window), _ (what->label));
  gtk_window_set_transient_for (GTK_WINDOW (self->window),
                                GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (outline))));
  gtk_window_set_modal (GTK_WINDOW (self->window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self->window), TRUE);
  gtk_window_set_titlebar (GTK_WINDOW (self->window), new_buttons (self));
  gtk_widget_add_css_class (self->window, "workbench");
  g_object_set_data_full (G_OBJECT (self->window), "dialog", self, free_dialog);
  self->message = new_label (NULL, "dim-label");
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  gtk_box_set_homogeneous (GTK_BOX (columns), TRUE);
  for (int i = 0; i < self->n_picks; i++)
    gtk_box_append (GTK_BOX (columns), new_pick (self, i, i == 0 ? preset : NULL));
  gtk_box_append (GTK_BOX (box), columns);
  gtk_box_append (GTK_BOX (box), self->message);
  gtk_widget_add_css_class (box, "outline-dialog");
  gtk_window_set_child (GTK_WINDOW (self->window), box);
  add_escape (self->window);
  update (self);
  int first = self->n_picks > 1 && chosen (&self->picks[0]) != NULL ? 1 : 0;
  gtk_window_present (GTK_WINDOW (self->window));
  gtk_widget_grab_focus (self->picks[first].entry);
}

void
hl_outline_ask (HlOutline *self, const HlOutlineNew *what, const char *preset)
{
  static const char *const nothing[HL_OUTLINE_MOST_PICKS] = {NULL};
  g_autoptr (GError) error = NULL;

  if (hl_outline_n_picks (what) > 0) {
    open_dialog (self, what, preset);
    return;
  }
  add_now (self, what, nothing, &error);
  if (error != NULL)
    hl_outline_say (self, error->message);
}
