/* SPDX-License-Identifier: MIT */
#include "app/window/hl-experiment-slideshow.h"

#include "core/base/hl-translation-macros.h"
#include "core/lesson/hl-experiment-slides.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/widget/hl-model-thumbnail.h"

#define THUMBNAIL_WIDTH 190
#define THUMBNAIL_HEIGHT 110
#define MOST_CARDS 4
#define WINDOW_WIDTH 860
#define WINDOW_HEIGHT 420

struct _HlExperimentDeck {
  GObject parent_instance;
  HlWorkbench *workbench;
  HlBanner *banner;             /* of the window */
  GtkApplicationWindow *window; /* owner of these actions */
  GPtrArray *experiments;       /* HlExperiment; NULL: no list of them is open */
  int experiment;               /* which of them is shown */
};

G_DEFINE_FINAL_TYPE (HlExperimentDeck, hl_experiment_deck, G_TYPE_OBJECT)

static guint begins_signal, shown_signal;

gboolean hl_experiment_deck_takes (GFile *file) {
  g_autofree char *name = g_file_get_basename (file);
  return name != NULL && g_str_has_suffix (name, HL_EXPERIMENTS_SUFFIX);
}

static GSimpleAction *action_of (HlExperimentDeck *self, const char *name) {
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->window), name));
}

static void update (HlExperimentDeck *self) {
  guint n = self->experiments != NULL ? self->experiments->len : 0;

  g_simple_action_set_enabled (action_of (self, "experiments"), n > 0);
  g_simple_action_set_enabled (action_of (self, "next-experiment"), self->experiment + 1 < (int)n);
  g_simple_action_set_enabled (action_of (self, "previous-experiment"), n > 0 && self->experiment > 0);
}

static void report_shown (HlExperimentDeck *self, const HlExperiment *one) {
  g_autofree char *count = g_strdup_printf ("%d/%u", self->experiment + 1, self->experiments->len);
  g_autofree char *text = one->note != NULL ? g_strdup_printf ("%s  %s: %s", count, one->name, one->note)
                                            : g_strdup_printf ("%s  %s", count, one->name);

  g_signal_emit (self, shown_signal, 0, one->shows, text);
}

static void show_experiment (HlExperimentDeck *self, int index) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlExperiment *one = self->experiments->pdata[index];
  g_autofree char *step = g_strdup_printf (_ ("Experiment “%s”"), one->name);

  self->experiment = index;
  if (one->document != hl_editing_document (editing))
    hl_editing_commit (editing, hl_document_ref (one->document), step, NULL);
  report_shown (self, one);
  update (self);
}

static void drop_list (HlExperimentDeck *self) {
  g_clear_pointer (&self->experiments, g_ptr_array_unref);
  self->experiment = 0;
}

gboolean hl_experiment_deck_open (HlExperimentDeck *self, GFile *file) {
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;
  GPtrArray *experiments = path != NULL ? hl_experiments_load (path, &error) : NULL;

  if (experiments == NULL) {
    hl_banner_show (self->banner,
                    error != NULL ? error->message
                                  : _ ("Experiments can only be read from files on this computer."),
                    TRUE);
    return FALSE;
  }
  g_signal_emit (self, begins_signal, 0);
  drop_list (self);
  self->experiments = experiments;
  const HlExperiment *first = experiments->pdata[0];
  hl_editing_set_document (hl_workbench_editing (self->workbench), hl_document_ref (first->document));
  show_experiment (self, 0);
  return TRUE;
}

/* --- all of them beside each other --- */

static void card_activated_cb (GtkFlowBox *box, GtkFlowBoxChild *card, HlExperimentDeck *self) {
  int index = gtk_flow_box_child_get_index (card);

  if (self->experiments != NULL && index < (int)self->experiments->len)
    show_experiment (self, index);
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (box))));
}

static GtkWidget *card_new (const HlExperiment *one) {
  GtkWidget *card = gtk_flow_box_child_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *thumbnail = hl_thumbnail_new (one->document, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT);
  const char *texts[] = {one->name, one->note};

  gtk_widget_add_css_class (thumbnail, "thumbnail");
  gtk_widget_set_halign (thumbnail, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), thumbnail);
  for (guint k = 0; k < G_N_ELEMENTS (texts); k++) {
    GtkWidget *label = gtk_label_new (texts[k]);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
    gtk_widget_add_css_class (label, k == 0 ? "heading" : "dim-label");
    gtk_box_append (GTK_BOX (box), label);
  }
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (card), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_LABEL, one->name, -1);
  return card;
}

static void experiments_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlExperimentDeck *self = data;
  GtkWidget *window = gtk_window_new (), *box = gtk_flow_box_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_window_set_title (GTK_WINDOW (window), _ ("Experiments"));
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (self->window));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), WINDOW_WIDTH, WINDOW_HEIGHT);
  gtk_widget_add_css_class (window, "workbench");
  gtk_widget_add_css_class (window, "gallery");
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (box), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (box), MOST_CARDS);
  gtk_widget_set_valign (box, GTK_ALIGN_START);
  for (guint k = 0; k < self->experiments->len; k++)
    gtk_flow_box_append (GTK_FLOW_BOX (box), card_new (self->experiments->pdata[k]));
  g_signal_connect_object (box, "child-activated", G_CALLBACK (card_activated_cb), self, 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  gtk_window_present (GTK_WINDOW (window));
}

static void next_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  show_experiment (data, HL_EXPERIMENT_DECK (data)->experiment + 1);
}

static void previous_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  show_experiment (data, HL_EXPERIMENT_DECK (data)->experiment - 1);
}

static const GActionEntry actions[] = {
    {"experiments", experiments_cb, NULL, NULL, NULL},
    {"next-experiment", next_cb, NULL, NULL, NULL},
    {"previous-experiment", previous_cb, NULL, NULL, NULL},
};

HlExperimentDeck *hl_experiment_deck_new (HlWorkbench *workbench, HlBanner *banner,
                                          GtkApplicationWindow *window) {
  HlExperimentDeck *self = g_object_new (HL_TYPE_EXPERIMENT_DECK, NULL);

  self->workbench = g_object_ref (workbench);
  self->banner = banner;
  self->window = window;
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  update (self);
  return self;
}

static void hl_experiment_deck_finalize (GObject *object) {
  HlExperimentDeck *self = HL_EXPERIMENT_DECK (object);

  drop_list (self);
  g_object_unref (self->workbench);
  G_OBJECT_CLASS (hl_experiment_deck_parent_class)->finalize (object);
}

static void hl_experiment_deck_class_init (HlExperimentDeckClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_experiment_deck_finalize;
  begins_signal = g_signal_new ("begins", HL_TYPE_EXPERIMENT_DECK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);
  shown_signal = g_signal_new ("shown", HL_TYPE_EXPERIMENT_DECK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 2, G_TYPE_STRV, G_TYPE_STRING);
}

static void hl_experiment_deck_init (HlExperimentDeck *self) {
}
