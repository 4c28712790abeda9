/* SPDX-License-Identifier: MIT */
#include "app/window/hl-properties-and-locus-pane.h"

#include "core/base/hl-translation-macros.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/modes/hl-eigen-table.h"
#include "ui/modes/hl-slider-panel.h"
#include "ui/study/hl-stability-map-window.h"
#include "ui/study/hl-linear-response-window.h"
#include "ui/study/hl-rest-band-window.h"
#include "ui/study/hl-sensitivity-window.h"
#include "ui/study/hl-studies-window.h"
#include "ui/widget/hl-window-placement.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"

#include <string.h>

/* px; the root locus is never smaller beside its eigenvalues */
#define LOCUS_WIDTH 480
#define LOCUS_HEIGHT 320
#define LOCUS_BESIDE_PROPERTIES 410 /* in a narrow window, whose properties need the rest */
#define LEAST_DETAIL 280            /* beside drawings */
#define MOST_DETAIL 460
#define MODES_WIDTH 264 /* of the eigenvalues where the properties stand beside them */
#define LEAST_MODES 232 /* of the eigenvalues in a narrow window */
#define PROPERTIES_WIDTH 304
#define LEAST_LEVERS 340
#define MOST_LEVERS 520
#define SLIDERS_HEIGHT                                                                                       \
  340               /* of sliders and eigenvalues behind the tab: no row that comes or goes moves a slider */
#define NARROW 1180 /* px, width of a window whose eigenvalues take as little as they can */

struct _HlSidePane {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GActionMap *actions; /* of the window */
  HlArrangement arrangement;
  gboolean is_wide;      /* eigenvalues and properties beside each other */
  gboolean is_beside;    /* the root locus stands beside the rest, not behind a tab */
  gboolean hides_locus;  /* another pane is large */
  gboolean hides_detail; /* properties and root locus are switched off */
  gboolean in_hall;      /* the lecture hall */
  gboolean is_filling;   /* the drop-down is being filled */

  /* template */
  HlLeverPanel *lever_panel;
  GtkWidget *side_tabs, *locus_tab, *locus_box, *locus_heading, *study_box;
  GtkWidget *detail_box, *detail_row, *modes_box, *slider_scroller, *slider_box, *large_button;
  GtkPaned *side_paned;
  HlInspector *inspector;
  GtkDropDown *locus_drop_down;
  HlLocusView *locus_view;
  HlSliderPanel *slider_panel;
  HlEigenTable *eigen_table;
};

G_DEFINE_FINAL_TYPE (HlSidePane, hl_side_pane, GTK_TYPE_BOX)

/* --- tabs --- */

static gboolean is_locus_tab (HlSidePane *self) {
  if (self->actions == NULL) /* not in its window yet */
    return FALSE;
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "side-tab");

  return strcmp (g_variant_get_string (state, NULL), "locus") == 0;
}

static void show_parts (HlSidePane *self) {
  gboolean is_locus = self->in_hall || is_locus_tab (self);
  gboolean is_driving = self->arrangement == HL_ARRANGEMENT_DRIVE && !self->in_hall;
  gboolean shows = !self->hides_detail && !is_driving;
  gboolean both = self->is_beside && self->is_wide;
  gboolean properties = shows && !self->in_hall && (both || !is_locus);
  gboolean modes = shows && self->is_beside && (both || is_locus);

  if (!self->in_hall) /* where the presentation gives it a part of the height */
    gtk_widget_set_size_request (GTK_WIDGET (self->locus_view),
                                 !self->is_beside               ? -1
                                 : properties && !self->is_wide ? LOCUS_BESIDE_PROPERTIES
                                                                : LOCUS_WIDTH,
                                 self->is_beside ? LOCUS_HEIGHT : -1);
  gtk_widget_set_visible (self->side_tabs, shows && !self->in_hall && !both);
  gtk_widget_set_visible (GTK_WIDGET (self->inspector), properties);
  gtk_widget_set_visible (self->modes_box, modes);
  gtk_widget_set_visible (self->detail_row, properties || modes);
  gtk_widget_set_visible (self->locus_box, self->is_beside ? !self->hides_locus : shows && is_locus);
  gtk_widget_set_visible (self->locus_heading, self->is_beside); /* else its tab says it */
  gtk_widget_set_visible (self->large_button, !self->in_hall);
  gtk_widget_set_visible (self->detail_box, shows || gtk_widget_get_visible (GTK_WIDGET (self->lever_panel)));
  gtk_widget_set_visible (GTK_WIDGET (self), gtk_widget_get_visible (self->detail_box) ||
                                                 gtk_widget_get_visible (self->locus_box));
}

/* --- arrangement --- */

static void put_locus_beside (HlSidePane *self) {
  GtkWidget *table = GTK_WIDGET (self->eigen_table);

  g_object_ref (self->locus_box);
  g_object_ref (table);
  gtk_box_remove (GTK_BOX (self->detail_box), self->locus_box);
  gtk_box_remove (GTK_BOX (self->slider_box), table);
  gtk_paned_set_start_child (self->side_paned, self->locus_box);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->modes_box), table);
  g_object_unref (table);
  g_object_unref (self->locus_box);
}

static void put_locus_behind_tab (HlSidePane *self) {
  GtkWidget *table = GTK_WIDGET (self->eigen_table);

  g_object_ref (self->locus_box);
  g_object_ref (table);
  gtk_paned_set_start_child (self->side_paned, NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->modes_box), NULL);
  gtk_box_append (GTK_BOX (self->detail_box), self->locus_box);
  gtk_box_append (GTK_BOX (self->slider_box), table);
  g_object_unref (table);
  g_object_unref (self->locus_box);
}

/* Arranges the studies in one row below a wide root locus, in two below a narrow one. */
static void lay_out_studies (HlSidePane *self) {
  GtkLayoutManager *manager = gtk_widget_get_layout_manager (self->study_box);
  int columns = self->is_beside ? 4 : 2, index = 0;

  for (GtkWidget *button = gtk_widget_get_first_child (self->study_box); button != NULL;
       button = gtk_widget_get_next_sibling (button), index++)
    g_object_set (gtk_layout_manager_get_layout_child (manager, button), "column", index % columns, "row",
                  index / columns, NULL);
}

/* Places the root locus: `beside` the other parts it gets the height left by the sliders; behind its tab it
 * has its natural height, and sliders and eigenvalues get the rest. */
static void place_locus (HlSidePane *self, gboolean beside) {
  if (beside == self->is_beside)
    return;
  self->is_beside = beside;
  (beside ? put_locus_beside : put_locus_behind_tab) (self);
  gtk_widget_set_vexpand (GTK_WIDGET (self->locus_view), beside);
  gtk_widget_set_vexpand (self->slider_scroller, !beside);
  gtk_widget_set_size_request (self->slider_box, -1, beside ? -1 : SLIDERS_HEIGHT);
  gtk_button_set_label (GTK_BUTTON (self->locus_tab), beside ? C_ ("eigenvalues", "Modes") : _ ("Locus"));
  gtk_grid_set_column_homogeneous (GTK_GRID (self->study_box), !beside);
  hl_slider_panel_set_one_line (self->slider_panel, beside);
  lay_out_studies (self);
}

void hl_side_pane_arrange (HlSidePane *self, HlArrangement arrangement, gboolean is_wide) {
  gboolean beside = arrangement == HL_ARRANGEMENT_ANALYSE && !self->in_hall;

  self->arrangement = arrangement;
  self->is_wide = is_wide;
  hl_eigen_table_show_states (self->eigen_table, !beside);
  place_locus (self, beside);
  hl_side_pane_show_levers (self);
}

void hl_side_pane_show_locus (HlSidePane *self, gboolean shows, gboolean is_large) {
  self->hides_locus = !shows;
  gtk_widget_set_vexpand (GTK_WIDGET (self->locus_view), self->is_beside || is_large);
  gtk_widget_set_vexpand (self->slider_scroller, !self->is_beside && !is_large);
  show_parts (self);
}

int hl_side_pane_detail_width (HlSidePane *self, int window_width) {
  if (self->arrangement == HL_ARRANGEMENT_DRIVE)
    return CLAMP (window_width * 30 / 100, LEAST_LEVERS, MOST_LEVERS);
  if (!self->is_beside)
    return CLAMP (window_width * 26 / 100, LEAST_DETAIL, MOST_DETAIL);
  return self->is_wide           ? MODES_WIDTH + PROPERTIES_WIDTH
         : window_width < NARROW ? LEAST_MODES
                                 : PROPERTIES_WIDTH;
}

void hl_side_pane_show_tab (HlSidePane *self, const char *tab) {
  GAction *action = g_action_map_lookup_action (self->actions, "side-tab");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (tab));
  show_parts (self);
}

/* --- levers --- */

void hl_side_pane_show_levers (HlSidePane *self) {
  gtk_widget_set_visible (GTK_WIDGET (self->lever_panel),
                          hl_lever_panel_is_needed (self->lever_panel) ||
                              (self->arrangement == HL_ARRANGEMENT_DRIVE && !self->in_hall));
  show_parts (self);
}

void hl_side_pane_begin_drive (HlSidePane *self) {
  hl_side_pane_show_levers (self);
  hl_rebuild_now (GTK_WIDGET (self->lever_panel));
  hl_lever_panel_choose (self->lever_panel, 0);
}

/* --- the slider of the root locus --- */

static void fill_locus_model_sliders (HlSidePane *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);
  GPtrArray *model_sliders = hl_locus_study_model_sliders (study);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int chosen = hl_locus_study_model_slider (study);

  for (guint i = 0; i < model_sliders->len; i++)
    gtk_string_list_append (names, ((const HlModelSlider *)model_sliders->pdata[i])->label);
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->locus_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->locus_drop_down, chosen >= 0 ? (guint)chosen : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (GTK_WIDGET (self->locus_drop_down), model_sliders->len > 0);
  self->is_filling = FALSE;
}

static void locus_model_slider_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlSidePane *self) {
  guint position = gtk_drop_down_get_selected (drop_down);

  if (!self->is_filling && self->workbench != NULL && position != GTK_INVALID_LIST_POSITION)
    hl_locus_study_set_model_slider (hl_workbench_locus (self->workbench), (int)position);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlSidePane *self) {
  if (changes & HL_CHANGED_KNOBS)
    fill_locus_model_sliders (self);
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY))
    hl_side_pane_show_levers (self);
}

void hl_side_pane_set_workbench (HlSidePane *self, HlWorkbench *workbench) {
  self->workbench = g_object_ref (workbench);
  hl_inspector_set_workbench (self->inspector, workbench);
  hl_locus_view_set_workbench (self->locus_view, workbench);
  hl_slider_panel_set_workbench (self->slider_panel, workbench);
  hl_eigen_table_set_workbench (self->eigen_table, workbench);
  hl_lever_panel_set_workbench (self->lever_panel, workbench);
  g_signal_connect (workbench, "changed", G_CALLBACK (changed_cb), self);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}

/* --- actions --- */

static void side_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlSidePane *self = data;

  if (self->arrangement == HL_ARRANGEMENT_DRIVE) /* which has neither of them */
    g_action_group_activate_action (G_ACTION_GROUP (self->actions), "arrangement",
                                    g_variant_new_string ("draw"));
  if (self->hides_detail)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "side-pane",
                                        g_variant_new_boolean (TRUE));
  hl_side_pane_show_tab (self, g_variant_get_string (parameter, NULL));
}

static void side_pane_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlSidePane *self = data;

  self->hides_detail = !g_variant_get_boolean (state);
  g_simple_action_set_state (action, state);
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
    hl_window_placement_present (GTK_WINDOW (study), GTK_WIDGET (self->side_paned));
}

/* Shows end time and start in the inspector of the run. */
static void run_settings_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlSidePane *self = data;

  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "side-pane",
                                      g_variant_new_boolean (TRUE));
  hl_workbench_select (self->workbench, "simulation");
  hl_side_pane_show_tab (self, "properties");
}

static const GActionEntry actions[] = {
    {"run-settings", run_settings_cb, NULL, NULL, NULL},
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
  hl_slider_panel_set_hall (self->slider_panel, in_hall);
  hl_side_pane_arrange (self, self->arrangement, self->is_wide);
}

void hl_side_pane_show_hall_locus (HlSidePane *self, gboolean shows) {
  self->hides_detail = !shows;
  if (shows)
    hl_side_pane_show_tab (self, "locus");
  show_parts (self);
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
               {self->slider_panel, "sliders"},
               {self->locus_box, "locus"},
               {self->lever_panel, "levers"}};

  for (gsize k = 0; widget != NULL && k < G_N_ELEMENTS (parts); k++)
    if (widget == parts[k].part || gtk_widget_is_ancestor (widget, parts[k].part))
      return parts[k].topic;
  return NULL;
}

gboolean hl_side_pane_is_settled (HlSidePane *self) {
  return !hl_rebuild_is_due (GTK_WIDGET (self->inspector)) &&
         !hl_rebuild_is_due (GTK_WIDGET (self->slider_panel)) &&
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
  g_type_ensure (HL_TYPE_SLIDER_PANEL);
  g_type_ensure (HL_TYPE_EIGEN_TABLE);
  hl_widget_tree_load (klass, "hl-properties-and-locus-pane");
  HL_TREE_CHILD (klass, HlSidePane, lever_panel);
  HL_TREE_CHILD (klass, HlSidePane, side_tabs);
  HL_TREE_CHILD (klass, HlSidePane, locus_tab);
  HL_TREE_CHILD (klass, HlSidePane, large_button);
  HL_TREE_CHILD (klass, HlSidePane, slider_box);
  HL_TREE_CHILD (klass, HlSidePane, slider_scroller);
  HL_TREE_CHILD (klass, HlSidePane, modes_box);
  HL_TREE_CHILD (klass, HlSidePane, detail_row);
  HL_TREE_CHILD (klass, HlSidePane, detail_box);
  HL_TREE_CHILD (klass, HlSidePane, side_paned);
  HL_TREE_CHILD (klass, HlSidePane, inspector);
  HL_TREE_CHILD (klass, HlSidePane, locus_box);
  HL_TREE_CHILD (klass, HlSidePane, locus_heading);
  HL_TREE_CHILD (klass, HlSidePane, locus_drop_down);
  HL_TREE_CHILD (klass, HlSidePane, locus_view);
  HL_TREE_CHILD (klass, HlSidePane, study_box);
  HL_TREE_CHILD (klass, HlSidePane, slider_panel);
  HL_TREE_CHILD (klass, HlSidePane, eigen_table);
  HL_TREE_CALLBACK (klass, locus_model_slider_picked_cb);
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
