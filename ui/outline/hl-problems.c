/* SPDX-License-Identifier: MIT */
#include "ui/outline/hl-problems.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-list.h"
#include "ui/widget/hl-widget-tree.h"
#include "ui/bench/hl-editing.h"

#define WIDTH_CHARS 42

struct _HlProblems {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *button, *icon, *label, *popover, *list;
  GtkWidget *nothing; /* in place of the list while it is empty */
  GtkWidget *scrolled;
};

G_DEFINE_FINAL_TYPE (HlProblems, hl_problems, GTK_TYPE_BOX)

static const HlFinding *finding_of (HlProblems *self, gpointer object) {
  int index = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (object), "finding"));
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (self->workbench));
  return index < hl_findings_n (findings) ? hl_findings_get (findings, index) : NULL;
}

static void row_activated_cb (GtkListBox *list, GtkListBoxRow *row, HlProblems *self) {
  const HlFinding *finding = finding_of (self, row);
  if (finding != NULL) /* of the file as a whole: the model's own rows */
    hl_workbench_select (self->workbench, *finding->id != '\0' ? finding->id : NULL);
}

static void fix_clicked_cb (GtkButton *button, HlProblems *self) {
  const HlFinding *finding = finding_of (self, button);
  if (finding == NULL)
    return;
  if (hl_problems_count (self) <= 1)
    gtk_popover_popdown (GTK_POPOVER (self->popover)); /* else the next one is at hand */
  hl_editing_mend (hl_workbench_editing (self->workbench), finding);
}

static GtkWidget *new_text (const char *text, const char *css_class) {
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  /* as wide as it is measured for, or the list were cut by a line */
  gtk_label_set_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *new_row (HlProblems *self, const HlFinding *finding, int index) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *row = gtk_list_box_row_new ();
  const char *where = finding->path != NULL && *finding->path != '\0' ? finding->path : finding->id;

  if (where != NULL && *where != '\0')
    gtk_box_append (GTK_BOX (box), new_text (where, "heading"));
  g_autofree char *message = hl_finding_sentence (finding->message);
  g_autofree char *advice = hl_finding_sentence (finding->advice);
  gtk_box_append (GTK_BOX (box), new_text (message, NULL));
  if (*advice != '\0')
    gtk_box_append (GTK_BOX (box), new_text (advice, "dim-label"));
  if (finding->fix.type != HL_FIX_NONE && finding->fix.label != NULL) {
    GtkWidget *fix = gtk_button_new_with_label (finding->fix.label);
    gtk_widget_set_halign (fix, GTK_ALIGN_START);
    g_object_set_data (G_OBJECT (fix), "finding", GINT_TO_POINTER (index));
    g_signal_connect (fix, "clicked", G_CALLBACK (fix_clicked_cb), self);
    gtk_box_append (GTK_BOX (box), fix);
  }
  gtk_widget_add_css_class (row, finding->severity == HL_SEVERITY_ERROR     ? "problem"
                                 : finding->severity == HL_SEVERITY_WARNING ? "warning"
                                                                            : "note");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "finding", GINT_TO_POINTER (index));
  return row;
}

int hl_problems_count (HlProblems *self) {
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (self->workbench));
  return hl_findings_count (findings, HL_SEVERITY_ERROR) + hl_findings_count (findings, HL_SEVERITY_WARNING);
}

static void rebuild (GtkWidget *widget) {
  HlProblems *self = HL_PROBLEMS (widget);
  GtkWidget *child;

  if (self->workbench == NULL)
    return;
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (self->workbench));
  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), child);
  for (int index = 0; index < hl_findings_n (findings); index++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (self, hl_findings_get (findings, index), index));
  gtk_widget_set_visible (self->nothing, hl_findings_n (findings) == 0);
  gtk_widget_set_visible (self->scrolled, hl_findings_n (findings) > 0);
}

static void refresh (HlProblems *self) {
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (self->workbench));
  int errors = hl_findings_count (findings, HL_SEVERITY_ERROR);
  int n = hl_problems_count (self);
  g_autofree char *text = n == 0 ? g_strdup (_ ("No problems"))
                                 : g_strdup_printf (ngettext ("%d problem", "%d problems", (gulong)n), n);

  gtk_label_set_text (GTK_LABEL (self->label), text);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), n == 0       ? "object-select-symbolic"
                                                        : errors > 0 ? "dialog-error-symbolic"
                                                                     : "dialog-warning-symbolic");
  gtk_widget_remove_css_class (self->button, "good");
  gtk_widget_remove_css_class (self->button, "problem");
  gtk_widget_remove_css_class (self->button, "warning");
  gtk_widget_add_css_class (self->button, n == 0 ? "good" : errors > 0 ? "problem" : "warning");
  hl_rebuild_later (GTK_WIDGET (self), rebuild);
}

void hl_problems_open (HlProblems *self) {
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlProblems *self) {
  if (changes & HL_CHANGED_FINDINGS)
    refresh (self);
}

static void hl_problems_dispose (GObject *object) {
  g_clear_object (&HL_PROBLEMS (object)->workbench);
  G_OBJECT_CLASS (hl_problems_parent_class)->dispose (object);
}

static void hl_problems_class_init (HlProblemsClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_problems_dispose;
  hl_widget_tree_load (klass, "hl-problems");
  HL_TREE_CHILD (klass, HlProblems, button);
  HL_TREE_CHILD (klass, HlProblems, icon);
  HL_TREE_CHILD (klass, HlProblems, label);
  HL_TREE_CHILD (klass, HlProblems, popover);
  HL_TREE_CHILD (klass, HlProblems, list);
  HL_TREE_CHILD (klass, HlProblems, nothing);
  HL_TREE_CHILD (klass, HlProblems, scrolled);
  HL_TREE_CALLBACK (klass, row_activated_cb);
}

static void hl_problems_init (HlProblems *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

void hl_problems_set_workbench (HlProblems *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (self);
}
