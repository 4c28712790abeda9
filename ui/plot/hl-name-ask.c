/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-name-ask.h"

#include "ui/widget/hl-widget-tree.h"

#define HL_TYPE_NAME_ASK (hl_name_ask_get_type ())
G_DECLARE_FINAL_TYPE (HlNameAsk, hl_name_ask, HL, NAME_ASK, GtkPopover)

struct _HlNameAsk {
  GtkPopover parent_instance;
  GtkWidget *question, *entry;
};

enum { ANSWERED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlNameAsk, hl_name_ask, GTK_TYPE_POPOVER)

/* What is done with the answer may take the popover away with what it stands on. */
static void activate_cb (GtkEntry *entry, HlNameAsk *self) {
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  g_autoptr (HlNameAsk) kept = g_object_ref (self);

  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (kept, signals[ANSWERED], 0, text);
}

static void map_cb (HlNameAsk *self) {
  gtk_widget_grab_focus (self->entry);
}

static void hl_name_ask_class_init (HlNameAskClass *klass) {
  signals[ANSWERED] = g_signal_new ("answered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  hl_widget_tree_load (klass, "hl-name-ask");
  HL_TREE_CHILD (klass, HlNameAsk, question);
  HL_TREE_CHILD (klass, HlNameAsk, entry);
  HL_TREE_CALLBACK (klass, activate_cb);
  HL_TREE_CALLBACK (klass, map_cb);
}

static void hl_name_ask_init (HlNameAsk *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_name_ask_new (const char *question, const char *present) {
  HlNameAsk *self = g_object_new (HL_TYPE_NAME_ASK, NULL);

  gtk_label_set_text (GTK_LABEL (self->question), question);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), present != NULL ? present : "");
  return GTK_WIDGET (self);
}
