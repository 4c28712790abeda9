/* SPDX-License-Identifier: MIT */
/* A small window with one searchable list for each thing a new element hangs on. It says what
 * would happen before anything does. */
#include "ui/outline/hl-outline-private.h"

#include "core/base/hl-i18n.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/edit/outline/hl-outline-edit.h"
#include "ui/outline/hl-outline-pick.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define HL_TYPE_OUTLINE_DIALOG (hl_outline_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlOutlineDialog, hl_outline_dialog, HL, OUTLINE_DIALOG, GtkWindow)

struct _HlOutlineDialog {
  GtkWindow parent_instance;
  HlOutline *outline; /* its window holds it */
  HlOutlineNew what;
  HlOutlinePick *picks[HL_OUTLINE_MOST_PICKS]; /* borrowed */
  int n_picks;
  GtkWidget *columns, *message, *add;
};

G_DEFINE_FINAL_TYPE (HlOutlineDialog, hl_outline_dialog, GTK_TYPE_WINDOW)

/* --- what would happen --- */

static void update (HlOutlineDialog *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->outline->workbench));
  gboolean possible = TRUE;
  g_autofree char *words = NULL;

  for (int i = 0; i < self->n_picks; i++)
    possible &= hl_outline_pick_chosen (self->picks[i]) != NULL;
  if (strcmp (self->what.id, "connect") == 0)
    words = hl_outline_connect_words (document, hl_outline_pick_chosen (self->picks[0]),
                                      hl_outline_pick_chosen (self->picks[1]), &possible);
  gtk_label_set_text (GTK_LABEL (self->message), words != NULL ? words : "");
  gtk_widget_set_sensitive (self->add, possible);
}

static void add_now (HlOutline *outline, const HlOutlineNew *what, const char *const refs[], GError **error) {
  g_autofree char *id = NULL;
  HlDocument *document = hl_outline_add (hl_editing_document (hl_workbench_editing (outline->workbench)),
                                         what, refs, &id, error);

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

static void add_cb (HlOutlineDialog *self) {
  const char *refs[HL_OUTLINE_MOST_PICKS] = {NULL};
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < self->n_picks; i++)
    refs[i] = hl_outline_pick_chosen (self->picks[i]);
  if (strcmp (self->what.id, "slider") == 0)
    hl_slider_add (self->outline->workbench, refs[0], &error);
  else
    add_now (self->outline, &self->what, refs, &error);
  if (error != NULL) {
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
    return;
  }
  gtk_window_destroy (GTK_WINDOW (self));
}

/* Enter in one list goes to the next one, in the last one it adds. */
static void next_cb (HlOutlinePick *pick, HlOutlineDialog *self) {
  int next = 1;

  while (next < self->n_picks && self->picks[next - 1] != pick)
    next++;
  if (next < self->n_picks && hl_outline_pick_chosen (self->picks[next]) == NULL)
    hl_outline_pick_focus (self->picks[next]);
  else if (gtk_widget_get_sensitive (self->add))
    add_cb (self);
}

/* --- the window --- */

static void hl_outline_dialog_finalize (GObject *object) {
  g_clear_object (&HL_OUTLINE_DIALOG (object)->outline);
  G_OBJECT_CLASS (hl_outline_dialog_parent_class)->finalize (object);
}

static void hl_outline_dialog_class_init (HlOutlineDialogClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_outline_dialog_finalize;
  hl_widget_tree_load (klass, "hl-outline-dialog");
  HL_TREE_CHILD (klass, HlOutlineDialog, columns);
  HL_TREE_CHILD (klass, HlOutlineDialog, message);
  HL_TREE_CHILD (klass, HlOutlineDialog, add);
  HL_TREE_CALLBACK (klass, add_cb);
}

static void hl_outline_dialog_init (HlOutlineDialog *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void add_pick (HlOutlineDialog *self, int index, const char *preset) {
  GPtrArray *choices = hl_outline_choices (
      hl_editing_document (hl_workbench_editing (self->outline->workbench)), self->what.from[index]);
  GtkWidget *pick = hl_outline_pick_new (_ (self->what.questions[index]), choices, preset);

  self->picks[index] = HL_OUTLINE_PICK (pick);
  g_signal_connect_object (pick, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pick, "done", G_CALLBACK (next_cb), self, 0);
  gtk_box_append (GTK_BOX (self->columns), pick);
}

static void open_dialog (HlOutline *outline, const HlOutlineNew *what, const char *preset) {
  HlOutlineDialog *self = g_object_new (HL_TYPE_OUTLINE_DIALOG, NULL);

  self->outline = g_object_ref (outline);
  self->what = *what;
  gtk_window_set_title (GTK_WINDOW (self), _ (what->label));
  gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (outline))));
  for (int i = 0; i < hl_outline_n_picks (what); i++)
    add_pick (self, i, i == 0 ? preset : NULL);
  self->n_picks = hl_outline_n_picks (what);
  update (self);
  int first = self->n_picks > 1 && hl_outline_pick_chosen (self->picks[0]) != NULL ? 1 : 0;
  gtk_window_present (GTK_WINDOW (self));
  hl_outline_pick_focus (self->picks[first]);
}

void hl_outline_ask (HlOutline *self, const HlOutlineNew *what, const char *preset) {
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
