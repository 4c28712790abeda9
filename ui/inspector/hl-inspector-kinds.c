/* SPDX-License-Identifier: MIT */
/* Several elements of different kinds: how many there are of each, and a way to keep only those. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-i18n.h"
#include "ui/inspector/hl-inspector-editor.h"
#include "ui/bench/hl-editing.h"

#include <string.h>

#define MOST_KINDS 24
#define KIND_KEY "hl-kind"
#define WORKBENCH_KEY "hl-workbench"

static const HlKind *kind_of (HlWorkbench *workbench, const char *id) {
  const HlKind *kind;

  hl_inspector_object (hl_editing_document (hl_workbench_editing (workbench)), id, &kind);
  return kind;
}

/* Selects only what is of the button's kind. */
static void only_cb (GtkButton *button, gpointer data) {
  HlWorkbench *workbench = g_object_get_data (G_OBJECT (button), WORKBENCH_KEY);
  const HlKind *kind = g_object_get_data (G_OBJECT (button), KIND_KEY);
  const char *const *selection = hl_workbench_selection (workbench);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; selection[i] != NULL; i++)
    if (kind_of (workbench, selection[i]) == kind)
      g_ptr_array_add (ids, g_strdup (selection[i]));
  g_ptr_array_add (ids, NULL);
  hl_workbench_select_ids (workbench, (const char *const *)ids->pdata);
}

void hl_inspector_add_kind_rows (HlInspectorRows *rows) {
  const HlKind *kinds[MOST_KINDS];
  int counts[MOST_KINDS], n = 0;

  for (int i = 0; rows->ids[i] != NULL; i++) {
    const HlKind *kind = kind_of (rows->workbench, rows->ids[i]);
    int at = 0;
    while (at < n && kinds[at] != kind)
      at++;
    if (kind == NULL || at == MOST_KINDS)
      continue;
    if (at == n) {
      kinds[n] = kind;
      counts[n++] = 0;
    }
    counts[at]++;
  }
  for (int k = 0; n > 1 && k < n; k++) {
    g_autofree char *label = g_strdup_printf ("%s × %d", _ (kinds[k]->label), counts[k]);
    GtkWidget *button = gtk_button_new_with_label (_ ("Only These"));
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    g_object_set_data (G_OBJECT (button), WORKBENCH_KEY, rows->workbench);
    g_object_set_data (G_OBJECT (button), KIND_KEY, (gpointer)kinds[k]);
    g_signal_connect (button, "clicked", G_CALLBACK (only_cb), NULL);
    hl_inspector_add_row (rows, label, _ ("Keep only these selected, to change them together"), button, NULL);
  }
}
