/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-model-advice-window.h"

#include "core/compile/hl-compile.h"
#include "core/oil/hl-model-advice.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"

#define WIDTH 480
#define MARGIN 18

static void
choose_cb (GtkButton *button, gpointer target)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (button)));
  GtkWindow *parent = gtk_window_get_transient_for (window);

  gtk_widget_activate_action (GTK_WIDGET (parent), "win.oil-model", "s", (const char *)target);
  gtk_window_destroy (window);
}

static GtkWidget *
new_choice (HlModelKind kind)
{
  const HlOilModel *oil = hl_oil_models[kind];
  GtkWidget *button = gtk_button_new_with_label (_ (oil->use));

  gtk_widget_set_halign (button, GTK_ALIGN_END);
  /* the name in the file is the target of win.oil-model */
  g_signal_connect (button, "clicked", G_CALLBACK (choose_cb), (gpointer)oil->name);
  return button;
}

static GtkWidget *
new_text (const char *text)
{
  GtkWidget *label = gtk_label_new (NULL);
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_auto (GStrv) lines = g_strsplit (stripped, "\n", -1);
  g_autofree char *spaced = g_strjoinv ("\n\n", lines);

  gtk_label_set_text (GTK_LABEL (label), spaced);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_widget_set_vexpand (label, TRUE);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  return label;
}

GtkWidget *
hl_model_advice_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (hl_editing_document (hl_workbench_editing (workbench)), findings);

  if (system != NULL) {
    HlModelAdvice *advice = hl_model_advice_new (system);
    gtk_box_append (GTK_BOX (box), new_text (advice->text));
    gtk_box_append (GTK_BOX (box), new_choice (advice->suits));
    hl_model_advice_free (advice);
    hl_system_unref (system);
  } else
    gtk_box_append (GTK_BOX (box), new_text (_ ("The drawing has problems; mend them first.")));
  gtk_widget_set_margin_start (box, MARGIN);
  gtk_widget_set_margin_end (box, MARGIN);
  gtk_widget_set_margin_top (box, MARGIN);
  gtk_widget_set_margin_bottom (box, MARGIN);
  gtk_window_set_titlebar (GTK_WINDOW (window), gtk_header_bar_new ());
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Which model of the oil suits"));
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, -1);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  return window;
}
