/* SPDX-License-Identifier: MIT */
#include "app/window/hl-side-pane.h"

#include "ui/bench/hl-knob.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/modes/hl-eigen-table.h"
#include "ui/modes/hl-knob-panel.h"
#include "ui/study/hl-map-window.h"
#include "ui/study/hl-response-window.h"
#include "ui/study/hl-rest-window.h"
#include "ui/study/hl-sensitivity-window.h"
#include "ui/study/hl-studies-window.h"
#include "ui/widget/hl-beside.h"
#include "ui/widget/hl-list.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define TALL_FROM 900 /* px, height of a window that shows both */

struct _HlSidePane {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GActionMap *actions; /* of the window */
  gboolean is_tall;    /* properties and root locus are both shown */
  gboolean in_hall;    /* the lecture hall */
  gboolean is_filling; /* the drop-down is being filled */

  /* template */
  HlLeverPanel *lever_panel;
  GtkWidget *side_tabs, *locus_box, *locus_heading, *study_box;
  GtkPaned *side_paned;
  HlInspector *inspector;
  GtkDropDown *locus_drop_down;
  HlLocusView *locus_view;
  HlKnobPanel *knob_panel;
  HlEigenTable *eigen_table;
};

G_DEFINE_FINAL_TYPE (HlSidePane, hl_side_pane, GTK_TYPE_BOX)

/* --- tabs --- */

static gboolean is_locus_tab (HlSidePane *self) {
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "side-tab");

  return strcmp (g_variant_get_string (state, NULL), "locus") == 0;
}

static void show_parts (HlSidePane *self) {
  gboolean is_locus = self->in_hall || is_locus_tab (self);

  gtk_widget_set_visible (self->side_tabs, !self->in_hall && !self->is_tall &&
                                               gtk_widget_get_visible (GTK_WIDGET (self->side_paned)));
  gtk_widget_set_visible (GTK_WIDGET (self->inspector), !self->in_hall && (self->is_tall || !is_locus));
  gtk_widget_set_visible (self->locus_box, self->is_tall || is_locus);
  gtk_widget_set_visible (self->locus_heading, self->is_tall); /* else its tab says it */
}

gboolean hl_side_pane_fit (HlSidePane *self, int height) {
  gboolean was_tall = self->is_tall;

  self->is_tall = height >= TALL_FROM;
  show_parts (self);
  return self->is_tall != was_tall;
}

void hl_side_pane_show_tab (HlSidePane *self, const char *tab) {
  GAction *action = g_action_map_lookup_action (self->actions, "side-tab");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (tab));
  show_parts (self);
}

/* --- levers --- */

void hl_side_pane_show_levers (HlSidePane *self) {
  gboolean needed = hl_lever_panel_is_needed (self->lever_panel);

  gtk_widget_set_visible (GTK_WIDGET (self->lever_panel), needed);
  gtk_widget_set_visible (GTK_WIDGET (self),
                          needed || gtk_widget_get_visible (GTK_WIDGET (self->side_paned)));
}

void hl_side_pane_begin_drive (HlSidePane *self) {
  hl_side_pane_show_levers (self);
  hl_rebuild_now (GTK_WIDGET (self->lever_panel));
  hl_lever_panel_choose (self->lever_panel, 0);
}

/* --- the slider of the root locus --- */

static void fill_locus_knobs (HlSidePane *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);
  GPtrArray *knobs = hl_locus_study_knobs (study);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int chosen = hl_locus_study_knob (study);

  for (guint i = 0; i < knobs->len; i++)
    gtk_string_list_append (names, ((const HlKnob *)knobs->pdata[i])->label);
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->locus_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->locus_drop_down, chosen >= 0 ? (guint)chosen : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (GTK_WIDGET (self->locus_drop_down), knobs->len > 0);
  self->is_filling = FALSE;
}

static void locus_knob_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlSidePane *self) {
  guint position = gtk_drop_down_get_selected (drop_down);

  if (!self->is_filling && self->workbench != NULL && position != GTK_INVALID_LIST_POSITION)
    hl_locus_study_set_knob (hl_workbench_locus (self->workbench), (int)position);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlSidePane *self) {
  if (changes & HL_CHANGED_KNOBS)
    fill_locus_knobs (self);
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY))
    hl_side_pane_show_levers (self);
}

void hl_side_pane_set_workbench (HlSidePane *self, HlWorkbench *workbench) {
  self->workbench = g_object_ref (workbench);
  hl_inspector_set_workbench (self->inspector, workbench);
  hl_locus_view_set_workbench (self->locus_view, workbench);
  hl_knob_panel_set_workbench (self->knob_panel, workbench);
  hl_eigen_table_set_workbench (self->eigen_table, workbench);
  hl_lever_panel_set_workbench (self->lever_panel, workbench);
  g_signal_connect (workbench, "changed", G_CALLBACK (changed_cb), self);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}

/* --- actions --- */

static void side_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlSidePane *self = data;

  if (!gtk_widget_get_visible (GTK_WIDGET (self->side_paned)))
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "side-pane",
                                        g_variant_new_boolean (TRUE));
  hl_side_pane_show_tab (self, g_variant_get_string (parameter, NULL));
}

static void side_pane_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlSidePane *self = data;

  gtk_widget_set_visible (GTK_WIDGET (self->side_paned), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
  show_parts (self);
  hl_side_pane_show_levers (self);
}

static void locus_log_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  hl_locus_view_set_log (HL_SIDE_PANE (data)->locus_view, g_variant_get_boolean (value));
  g_simple_action_set_state (action, value);
}

static void study_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlSidePane *self = data;
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  const char *which = g_variant_get_string (parameter, NULL);
  GtkWidget *study = NULL;

  if (strcmp (which, "sensitivities") == 0)
    study = hl_sensitivity_window_new (self->workbench, window);
  else if (strcmp (which, "map") == 0)
    study = hl_map_window_new (self->workbench, window);
  else if (strcmp (which, "response") == 0)
    study = hl_response_window_new (self->workbench, window);
  else if (strcmp (which, "rest") == 0)
    study = hl_rest_window_new (self->workbench, window);
  else if (strcmp (which, "studies") == 0)
    study = hl_studies_window_new (self->workbench, window);
  if (study != NULL)
    hl_beside_present (GTK_WINDOW (study), GTK_WIDGET (self->side_paned));
}

static const GActionEntry actions[] = {
    {"side-tab", side_tab_cb, "s", "'properties'", NULL},
    {"side-pane", NULL, NULL, "true", side_pane_cb},
    {"locus-log", NULL, NULL, "true", locus_log_cb},
    {"study", study_cb, "s", NULL, NULL},
};

void hl_side_pane_add_actions (HlSidePane *self, GActionMap *map) {
  self->actions = map;
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
}

/* --- for the window --- */

HlInspector *hl_side_pane_inspector (HlSidePane *self) {
  return self->inspector;
}

HlLocusView *hl_side_pane_locus (HlSidePane *self) {
  return self->locus_view;
}

HlLeverPanel *hl_side_pane_levers (HlSidePane *self) {
  return self->lever_panel;
}

GtkPaned *hl_side_pane_border (HlSidePane *self) {
  return self->side_paned;
}

void hl_side_pane_set_hall (HlSidePane *self, gboolean in_hall) {
  self->in_hall = in_hall;
  gtk_widget_set_visible (self->study_box, !in_hall);
}

void hl_side_pane_show_hall_locus (HlSidePane *self, gboolean shows) {
  if (shows)
    hl_side_pane_show_tab (self, "locus");
  gtk_widget_set_visible (GTK_WIDGET (self->side_paned), shows);
  gtk_widget_set_visible (GTK_WIDGET (self), shows);
}

void hl_side_pane_cover (HlSidePane *self, gboolean covers) {
  gtk_widget_set_visible (GTK_WIDGET (self->locus_view), !covers);
  gtk_widget_set_visible (GTK_WIDGET (self->eigen_table), !covers);
}

const char *hl_side_pane_topic (HlSidePane *self, GtkWidget *widget) {
  const struct {
    gpointer part;
    const char *topic;
  } parts[] = {{self->locus_view, "locus"},
               {self->eigen_table, "eigenvalues"},
               {self->knob_panel, "sliders"},
               {self->locus_box, "locus"},
               {self->lever_panel, "levers"}};

  for (gsize k = 0; widget != NULL && k < G_N_ELEMENTS (parts); k++)
    if (widget == parts[k].part || gtk_widget_is_ancestor (widget, parts[k].part))
      return parts[k].topic;
  return NULL;
}

gboolean hl_side_pane_is_settled (HlSidePane *self) {
  return !hl_rebuild_is_due (GTK_WIDGET (self->inspector)) &&
         !hl_rebuild_is_due (GTK_WIDGET (self->knob_panel)) &&
         !hl_rebuild_is_due (GTK_WIDGET (self->lever_panel)) &&
         !hl_rebuild_is_due (GTK_WIDGET (self->eigen_table)) &&
         !hl_lever_panel_is_filling (self->lever_panel) && !hl_inspector_is_filling (self->inspector);
}

/* --- life --- */

static void hl_side_pane_dispose (GObject *object) {
  HlSidePane *self = HL_SIDE_PANE (object);

  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_side_pane_parent_class)->dispose (object);
}

static void hl_side_pane_class_init (HlSidePaneClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_side_pane_dispose;
  g_type_ensure (HL_TYPE_LEVER_PANEL);
  g_type_ensure (HL_TYPE_INSPECTOR);
  g_type_ensure (HL_TYPE_LOCUS_VIEW);
  g_type_ensure (HL_TYPE_KNOB_PANEL);
  g_type_ensure (HL_TYPE_EIGEN_TABLE);
  hl_widget_tree_load (klass, "hl-side-pane");
  HL_TREE_CHILD (klass, HlSidePane, lever_panel);
  HL_TREE_CHILD (klass, HlSidePane, side_tabs);
  HL_TREE_CHILD (klass, HlSidePane, side_paned);
  HL_TREE_CHILD (klass, HlSidePane, inspector);
  HL_TREE_CHILD (klass, HlSidePane, locus_box);
  HL_TREE_CHILD (klass, HlSidePane, locus_heading);
  HL_TREE_CHILD (klass, HlSidePane, locus_drop_down);
  HL_TREE_CHILD (klass, HlSidePane, locus_view);
  HL_TREE_CHILD (klass, HlSidePane, study_box);
  HL_TREE_CHILD (klass, HlSidePane, knob_panel);
  HL_TREE_CHILD (klass, HlSidePane, eigen_table);
  HL_TREE_CALLBACK (klass, locus_knob_picked_cb);
}

static void hl_side_pane_init (HlSidePane *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  /* long words of another language do not widen the pane */
  for (GtkWidget *button = gtk_widget_get_first_child (self->study_box); button != NULL;
       button = gtk_widget_get_next_sibling (button)) {
    GtkLabel *label = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button)));
    gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign (label, 0); /* in two columns, as what is above and below */
  }
}
