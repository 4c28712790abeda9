/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-model-advice-window.h"

#include "core/compile/hl-compile.h"
#include "core/oil/hl-model-advice.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-widget-tree.h"

struct _HlModelAdviceWindow {
  GtkWindow parent_instance;
  GtkWidget *text, *choice;
  const char *model; /* that suits: its name in the file is the target of win.oil-model */
};

G_DEFINE_FINAL_TYPE (HlModelAdviceWindow, hl_model_advice_window, GTK_TYPE_WINDOW)

static void choose_cb (GtkButton *button, HlModelAdviceWindow *self) {
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));

  gtk_widget_activate_action (GTK_WIDGET (parent), "win.oil-model", "s", self->model);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* Its lines as paragraphs. */
static void show_text (HlModelAdviceWindow *self, const char *text) {
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_auto (GStrv) lines = g_strsplit (stripped, "\n", -1);
  g_autofree char *spaced = g_strjoinv ("\n\n", lines);

  gtk_label_set_text (GTK_LABEL (self->text), spaced);
}

static void hl_model_advice_window_class_init (HlModelAdviceWindowClass *klass) {
  hl_widget_tree_load (klass, "hl-model-advice-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlModelAdviceWindow, text);
  HL_TREE_CHILD (klass, HlModelAdviceWindow, choice);
  HL_TREE_CALLBACK (klass, choose_cb);
}

static void hl_model_advice_window_init (HlModelAdviceWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_model_advice_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlModelAdviceWindow *self =
      g_object_new (HL_TYPE_MODEL_ADVICE_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (hl_editing_document (hl_workbench_editing (workbench)), findings);

  gtk_widget_set_visible (self->choice, system != NULL);
  if (system == NULL) {
    show_text (self, _ ("The drawing has problems; mend them first."));
    return GTK_WIDGET (self);
  }
  HlModelAdvice *advice = hl_model_advice_new (system);
  const HlOilModel *oil = hl_oil_models[advice->suits];
  show_text (self, advice->text);
  self->model = oil->name;
  gtk_button_set_label (GTK_BUTTON (self->choice), _ (oil->use));
  hl_model_advice_free (advice);
  hl_system_unref (system);
  return GTK_WIDGET (self);
}
