/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-question-dialog.h"

#include "core/base/hl-translation-macros.h"
#include "ui/widget/hl-widget-template.h"

#define HL_TYPE_NAME_POPOVER (hl_name_popover_get_type ())
G_DECLARE_FINAL_TYPE (HlNamePopover, hl_name_popover, HL, NAME_POPOVER, GtkPopover)

struct _HlNamePopover {
  GtkPopover parent_instance;
  GtkWidget *question, *entry;
};

enum { ANSWERED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlNamePopover, hl_name_popover, GTK_TYPE_POPOVER)

/* Emits the answer. Its handler may destroy the popover together with its parent. */
static void activate_cb (GtkEntry *entry, HlNamePopover *self) {
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  g_autoptr (HlNamePopover) kept = g_object_ref (self);

  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (kept, signals[ANSWERED], 0, text);
}

static void map_cb (HlNamePopover *self) {
  gtk_widget_grab_focus (self->entry);
}

static void hl_name_popover_class_init (HlNamePopoverClass *klass) {
  signals[ANSWERED] = g_signal_new ("answered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  hl_widget_tree_load (klass, "hl-name-popover");
  HL_TREE_CHILD (klass, HlNamePopover, question);
  HL_TREE_CHILD (klass, HlNamePopover, entry);
  HL_TREE_CALLBACK (klass, activate_cb);
  HL_TREE_CALLBACK (klass, map_cb);
}

static void hl_name_popover_init (HlNamePopover *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_name_popover_new (const char *question, const char *present) {
  HlNamePopover *self = g_object_new (HL_TYPE_NAME_POPOVER, NULL);

  gtk_label_set_text (GTK_LABEL (self->question), question);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), present != NULL ? present : "");
  return GTK_WIDGET (self);
}

#define MARGIN 24 /* px */
#define SPACING 12
#define TEXT_CHARS 52
#define RESPONSE_KEY "hl-response"

struct _HlQuestion {
  GtkWindow parent_instance;
  GtkWidget *box, *buttons;
  gboolean is_answered;
};

G_DEFINE_FINAL_TYPE (HlQuestion, hl_question, GTK_TYPE_WINDOW)

static guint response_signal;

void hl_question_answer (HlQuestion *self, int response) {
  if (self->is_answered)
    return;
  self->is_answered = TRUE;
  g_object_ref (self); /* the answer may end it */
  g_signal_emit (self, response_signal, 0, response);
  g_object_unref (self);
}

static void clicked_cb (GtkWidget *button, HlQuestion *self) {
  hl_question_answer (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), RESPONSE_KEY)));
}

static gboolean hl_question_close_request (GtkWindow *window) {
  hl_question_answer (HL_QUESTION (window), GTK_RESPONSE_DELETE_EVENT);
  return GTK_WINDOW_CLASS (hl_question_parent_class)->close_request (window);
}

static void hl_question_class_init (HlQuestionClass *klass) {
  GTK_WINDOW_CLASS (klass)->close_request = hl_question_close_request;
  response_signal = g_signal_new ("response", HL_TYPE_QUESTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_INT);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT_DIALOG);
}

static void hl_question_init (HlQuestion *self) {
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  self->buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  gtk_widget_set_margin_top (self->box, MARGIN);
  gtk_widget_set_margin_bottom (self->box, MARGIN);
  gtk_widget_set_margin_start (self->box, MARGIN);
  gtk_widget_set_margin_end (self->box, MARGIN);
  gtk_widget_set_halign (self->buttons, GTK_ALIGN_END);
  gtk_widget_set_margin_top (self->buttons, SPACING);
  gtk_box_append (GTK_BOX (self->box), self->buttons);
  gtk_window_set_child (GTK_WINDOW (self), self->box);
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Hydrolink"));
}

void hl_question_add_child (HlQuestion *self, GtkWidget *child) {
  gtk_box_insert_child_after (GTK_BOX (self->box), child, gtk_widget_get_prev_sibling (self->buttons));
}

static void add_text (HlQuestion *self, const char *text, const char *style) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_CHARS);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  hl_question_add_child (self, label);
}

HlQuestion *hl_question_new (GtkWindow *parent, const char *text, const char *more) {
  HlQuestion *self = g_object_new (HL_TYPE_QUESTION, "transient-for", parent, "modal", TRUE,
                                   "destroy-with-parent", TRUE, NULL);

  add_text (self, text, "heading");
  if (more != NULL)
    add_text (self, more, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, more != NULL ? more : "", -1);
  return self;
}

void hl_question_add_button (HlQuestion *self, const char *label, int response, gboolean is_default) {
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_object_set_data (G_OBJECT (button), RESPONSE_KEY, GINT_TO_POINTER (response));
  g_signal_connect (button, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_box_append (GTK_BOX (self->buttons), button);
  if (is_default) {
    gtk_widget_add_css_class (button, "suggested-action");
    gtk_window_set_default_widget (GTK_WINDOW (self), button);
    gtk_window_set_focus (GTK_WINDOW (self), button);
  }
}
