/* SPDX-License-Identifier: MIT */
/* What is wrong with the element that the inspector shows, and the button that mends it. */
#include "ui/inspector/hl-inspector-private.h"

#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

static void
mend_cb (GtkButton *button, HlInspector *self)
{
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlFindings *findings = hl_editing_findings (editing);

  if (self->mended < hl_findings_n (findings))
    hl_editing_mend (editing, hl_findings_get (findings, self->mended));
}

void
hl_inspector_show_finding (HlInspector *self, const char *id)
{
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (self->workbench));
  const char *message = NULL, *advice = NULL, *mend = NULL;

  for (int index = 0; id != NULL && message == NULL && index < hl_findings_n (findings); index++) {
    const HlFinding *finding = hl_findings_get (findings, index);
    if (finding->severity != HL_SEVERITY_INFO && g_strcmp0 (finding->id, id) == 0) {
      message = finding->message;
      advice = finding->advice;
      mend = finding->fix.type != HL_FIX_NONE ? finding->fix.label : NULL;
      self->mended = index;
    }
  }
  gtk_widget_set_visible (self->mend, mend != NULL);
  if (mend != NULL)
    gtk_label_set_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->mend))), mend);
  gtk_widget_set_visible (self->finding, message != NULL);
  if (message == NULL)
    return;
  g_autofree char *what = hl_finding_sentence (message);
  g_autofree char *how = hl_finding_sentence (advice);
  g_autofree char *text = g_strjoin (*how != '\0' ? "\n" : "", what, how, NULL);
  gtk_label_set_text (GTK_LABEL (self->finding), text);
}

void
hl_inspector_bind_finding (HlInspectorClass *klass)
{
  HL_TREE_CHILD (klass, HlInspector, finding);
  HL_TREE_CHILD (klass, HlInspector, mend);
  HL_TREE_CALLBACK (klass, mend_cb);
}
