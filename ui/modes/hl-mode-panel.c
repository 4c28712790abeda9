/* SPDX-License-Identifier: MIT */
/* The panel turns the phase while it is shown, unless the desktop asks for no animations; the
 * drawings then show the extremes alone. */
#include "ui/modes/hl-mode-panel.h"

#include "core/linear/hl-mode-energy.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-errand.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/modes/hl-mode-verdict.h"
#include "ui/paint/base/hl-axis.h"
#include "ui/paint/chart/hl-paint-locus.h"
#include "ui/widget/hl-focus-scroll.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>

#define PERIOD_S 1.6 /* of the slow motion */
#define MOST_BARS 6
#define LEAST_SHARE 0.01

typedef struct {
  GtkWidget *name, *bar, *share;
} Bar;

struct _HlModePanel {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *title, *scale, *grid, *check, *verdict;
  Bar states[MOST_BARS], energies[MOST_BARS];
  GtkWidget *energy_title;
  GCancellable *cancellable; /* of the check under way */
  int mode;                  /* of the verdict */
  guint tick;
  gint64 ticked_us;
  gboolean refreshing;
};

G_DEFINE_FINAL_TYPE (HlModePanel, hl_mode_panel, GTK_TYPE_BOX)

/* --- the check --- */

static bool is_cancelled (void *cancellable) {
  return g_cancellable_is_cancelled (cancellable);
}

static gpointer work_on_check (gpointer verdict, GCancellable *cancellable, GError **error) {
  hl_mode_verdict_compute (verdict, is_cancelled, cancellable);
  return verdict;
}

static void show_running (HlModePanel *self, gboolean running) {
  gtk_button_set_label (GTK_BUTTON (self->check), running ? _ ("Stop") : _ ("Check it"));
}

/* Below the button, which may be the last that is in sight. */
static void say (HlModePanel *self, const char *text) {
  gtk_label_set_text (GTK_LABEL (self->verdict), text);
  gtk_widget_set_visible (self->verdict, TRUE);
  hl_focus_scroll_show (self->verdict);
}

static void checked_cb (gpointer sender, gpointer job, gpointer verdict, const GError *error) {
  HlModePanel *self = sender;

  g_clear_object (&self->cancellable);
  show_running (self, FALSE);
  g_autofree char *text = hl_mode_verdict_text (verdict, hl_workbench_units (self->workbench));
  say (self, text);
}

static void forget_check (HlModePanel *self) {
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  show_running (self, FALSE);
  gtk_label_set_text (GTK_LABEL (self->verdict), "");
  gtk_widget_set_visible (self->verdict, FALSE);
}

void hl_mode_panel_check (HlModePanel *self) {
  int mode = hl_locus_study_mode (hl_workbench_locus (self->workbench));
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  if (mode < 0 || at->point == NULL)
    return;
  forget_check (self);
  self->cancellable = g_cancellable_new ();
  show_running (self, TRUE);
  say (self, _ ("Running…"));
  hl_errand_send (&(HlErrand){.work = work_on_check,
                              .done = checked_cb,
                              .free_job = (GDestroyNotify)hl_mode_verdict_free,
                              .sender = self,
                              .keep = G_OBJECT (self),
                              .life = self->cancellable},
                  hl_mode_verdict_new (at->system, at->point, mode));
}

/* The button begins a check, and stops the one under way. */
static void check_clicked_cb (HlModePanel *self) {
  if (self->cancellable == NULL) {
    hl_mode_panel_check (self);
    return;
  }
  forget_check (self);
  say (self, _ ("Stopped."));
}

static char *lambda_text (const HlEigenvalue *value) {
  double size = hypot (value->re, value->im);
  char re[48], im[48];

  hl_axis_format (hl_locus_part (value->re, size), 5, re, sizeof re);
  hl_axis_format (fabs (value->im), 5, im, sizeof im);
  return value->im == 0 ? g_strdup (re) : g_strdup_printf ("%s ± %s i", re, im);
}

/* --- the motion --- */

static gboolean tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlModePanel *self = HL_MODE_PANEL (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double seconds = self->ticked_us != 0 ? 1e-6 * (double)(now - self->ticked_us) : 0;

  self->ticked_us = now;
  hl_locus_study_set_mode_phase (hl_workbench_locus (self->workbench),
                                 hl_locus_study_mode_phase (hl_workbench_locus (self->workbench)) +
                                     seconds / PERIOD_S);
  return G_SOURCE_CONTINUE;
}

static void animate (HlModePanel *self, gboolean on) {
  gboolean allowed = TRUE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &allowed, NULL);
  on = on && allowed;
  if (on && self->tick == 0) {
    self->ticked_us = 0;
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  } else if (!on && self->tick != 0) {
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
    self->tick = 0;
  }
}

/* --- what is shown --- */

/* share NAN: the bar is not needed. */
static void show_bar (Bar *bar, const char *name, double share) {
  gboolean shown = share >= LEAST_SHARE;

  gtk_widget_set_visible (bar->name, shown);
  gtk_widget_set_visible (bar->bar, shown);
  gtk_widget_set_visible (bar->share, shown);
  if (!shown)
    return;
  g_autofree char *percent = g_strdup_printf ("%.0f %%", 100 * share);
  gtk_label_set_text (GTK_LABEL (bar->name), name);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (bar->bar), CLAMP (share, 0, 1));
  gtk_label_set_text (GTK_LABEL (bar->share), percent);
}

static void show_states (HlModePanel *self, const HlLinearization *lin, int mode) {
  const double *share = lin->participation + (gsize)mode * (gsize)lin->n;
  g_autofree gboolean *used = g_new0 (gboolean, lin->n + 1);

  for (int row = 0; row < MOST_BARS; row++) {
    int most = -1;
    for (int state = 0; state < lin->n; state++)
      if (!used[state] && (most < 0 || share[state] > share[most]))
        most = state;
    if (most >= 0)
      used[most] = TRUE;
    show_bar (&self->states[row], most >= 0 ? lin->state_names[most] : NULL, most >= 0 ? share[most] : NAN);
  }
}

static void show_energies (HlModePanel *self, const HlWorkingPoint *at, int mode) {
  const char *const kinds[] = {
      [HL_MODE_KINETIC] = _ ("motion"), [HL_MODE_ELASTIC] = _ ("spring"), [HL_MODE_OIL] = _ ("oil")};
  HlModeEnergy parts[MOST_BARS];
  int n = hl_mode_energy (at->system, at->point, at->linearization, mode, parts, MOST_BARS);

  gtk_widget_set_visible (self->energy_title, n > 0);
  for (int row = 0; row < MOST_BARS; row++) {
    g_autofree char *name =
        row < n
            ? g_strdup_printf ("%s (%s)",
                               hl_system_entity_id (at->system, parts[row].entity_kind, parts[row].entity),
                               kinds[parts[row].kind])
            : NULL;
    show_bar (&self->energies[row], name, row < n ? parts[row].share : NAN);
  }
}

static void refresh (HlModePanel *self) {
  int mode = hl_locus_study_mode (hl_workbench_locus (self->workbench));

  gtk_widget_set_visible (GTK_WIDGET (self), mode >= 0);
  animate (self, mode >= 0);
  if (mode < 0)
    return;
  const HlLinearization *lin = hl_editing_point (hl_workbench_editing (self->workbench))->linearization;
  g_autofree char *lambda = lambda_text (&lin->eigenvalues[mode]);
  g_autofree char *title = g_strdup_printf (_ ("Mode λ = %s"), lambda);
  gtk_label_set_text (GTK_LABEL (self->title), title);
  self->refreshing = TRUE;
  gtk_range_set_value (GTK_RANGE (self->scale),
                       log10 (hl_locus_study_mode_amplitude (hl_workbench_locus (self->workbench))));
  self->refreshing = FALSE;
  if (lin->participation == NULL)
    return;
  show_states (self, lin, mode);
  show_energies (self, hl_editing_point (hl_workbench_editing (self->workbench)), mode);
}

static void amplitude_cb (GtkRange *range, HlModePanel *self) {
  if (!self->refreshing)
    hl_locus_study_set_mode_amplitude (hl_workbench_locus (self->workbench),
                                       pow (10, gtk_range_get_value (range)));
}

static void close_cb (GtkButton *button, HlModePanel *self) {
  hl_locus_study_set_mode (hl_workbench_locus (self->workbench), -1);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlModePanel *self) {
  if ((changes & HL_CHANGED_POINT) || hl_locus_study_mode (hl_workbench_locus (workbench)) != self->mode)
    forget_check (self);
  self->mode = hl_locus_study_mode (hl_workbench_locus (workbench));
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_MODE))
    refresh (self);
}

/* --- life --- */

static void hl_mode_panel_dispose (GObject *object) {
  HlModePanel *self = HL_MODE_PANEL (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_mode_panel_parent_class)->dispose (object);
}

static void hl_mode_panel_class_init (HlModePanelClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_mode_panel_dispose;
  hl_widget_tree_load (klass, "hl-mode-panel");
  HL_TREE_CHILD (klass, HlModePanel, title);
  HL_TREE_CHILD (klass, HlModePanel, scale);
  HL_TREE_CHILD (klass, HlModePanel, check);
  HL_TREE_CHILD (klass, HlModePanel, verdict);
  HL_TREE_CHILD (klass, HlModePanel, grid);
  HL_TREE_CALLBACK (klass, close_cb);
  HL_TREE_CALLBACK (klass, amplitude_cb);
  HL_TREE_CALLBACK (klass, check_clicked_cb);
}

static GtkWidget *new_label (gboolean grows) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, grows);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* A heading and rows below it, from `top` on; the heading. */
static GtkWidget *add_bars (HlModePanel *self, const char *heading, Bar bars[MOST_BARS], int top) {
  GtkWidget *title = new_label (TRUE);

  gtk_label_set_text (GTK_LABEL (title), heading);
  gtk_widget_add_css_class (title, "dim-label");
  gtk_grid_attach (GTK_GRID (self->grid), title, 0, top, 3, 1);
  for (int row = 0; row < MOST_BARS; row++) {
    Bar *bar = &bars[row];
    bar->name = new_label (FALSE);
    bar->bar = gtk_level_bar_new_for_interval (0, 1);
    gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar->bar), NULL);
    gtk_widget_set_hexpand (bar->bar, TRUE);
    gtk_widget_set_valign (bar->bar, GTK_ALIGN_CENTER);
    bar->share = new_label (FALSE);
    gtk_label_set_xalign (GTK_LABEL (bar->share), 1);
    gtk_grid_attach (GTK_GRID (self->grid), bar->name, 0, top + 1 + row, 1, 1);
    gtk_grid_attach (GTK_GRID (self->grid), bar->bar, 1, top + 1 + row, 1, 1);
    gtk_grid_attach (GTK_GRID (self->grid), bar->share, 2, top + 1 + row, 1, 1);
  }
  return title;
}

static void hl_mode_panel_init (HlModePanel *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  add_bars (self, _ ("Participation of the states"), self->states, 0);
  self->energy_title = add_bars (self, _ ("Energy over a period"), self->energies, MOST_BARS + 1);
}

void hl_mode_panel_set_workbench (HlModePanel *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (self);
}
