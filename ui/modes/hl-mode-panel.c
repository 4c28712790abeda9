/* SPDX-License-Identifier: MIT */
/* The panel turns the phase while it is shown, unless the desktop asks for no animations; the
 * drawings then show the extremes alone. */
#include "ui/modes/hl-mode-panel.h"

#include "core/base/hl-i18n.h"
#include "core/compile/hl-compile.h"
#include "core/linear/hl-mode-check.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-errand.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/modes/hl-eigen-text.h"
#include "ui/paint/base/hl-axis.h"
#include "ui/paint/chart/hl-paint-locus.h"
#include "ui/widget/hl-focus-scroll.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>
#include <string.h>

#define KICK 1e-4        /* natural sizes */
#define GENTLE_KICK 1e-6 /* where the laws bend within the first one */
#define LIMIT_TO 1e2
#define LIMIT_RTOL 1e-5 /* five in a hundred is looked for */
#define PART_APART 0.05
#define MOST_DRIFT 0.01 /* that a run can still show an eigenvalue with */
#define MOST_KINK 0.05
#define WORTH_SAYING 1e-6 /* [s]; what takes less is at once */

struct HlModeVerdict {
  HlSystem *system;
  HlPoint *point;
  int mode;
  HlEigenvalue value;
  HlStatus status; /* of the small one */
  HlFault fault;
  HlModeCheck small, limit;
  char *no_verdict;   /* on the way of a moving machine */
  char *state, *unit; /* of the state that is kicked furthest */
};

HlModeVerdict *hl_mode_verdict_new (HlSystem *system, const HlPoint *point, int mode) {
  HlModeVerdict *self = g_new0 (HlModeVerdict, 1);

  self->system = hl_system_ref (system);
  self->point = hl_point_new (system);
  hl_point_copy (system, self->point, point);
  self->mode = mode;
  self->status = HL_CANCELLED;
  return self;
}

void hl_mode_verdict_free (HlModeVerdict *self) {
  hl_point_free (self->point);
  hl_system_unref (self->system);
  g_free (self->no_verdict);
  g_free (self->state);
  g_free (self->unit);
  g_free (self);
}

/* Whether the machine itself, not the size of the kick, keeps run and eigenvalue apart. */
static gboolean has_reason (const HlModeCheck *check) {
  return check->drift > MOST_DRIFT || check->kink > MOST_KINK;
}

static void run_checks (HlModeVerdict *self, const HlLinearization *lin, HlModeCheckOptions *options) {
  const double kicks[] = {KICK, GENTLE_KICK};

  for (int i = 0; i < (int)G_N_ELEMENTS (kicks); i++) {
    self->fault = (HlFault){.time = NAN, .entity = -1};
    self->status = hl_mode_check (self->system, self->point, lin, self->mode, kicks[i], options, &self->small,
                                  &self->fault);
    if (self->status != HL_OK || self->small.apart < PART_APART || has_reason (&self->small))
      break;
  }
  if (self->status != HL_OK || self->small.apart >= PART_APART || has_reason (&self->small))
    return;
  const double range[2] = {self->small.amplitude, LIMIT_TO};
  options->rtol = LIMIT_RTOL;
  options->duration = self->small.duration;
  self->status = hl_mode_check_limit (self->system, self->point, lin, self->mode, range, PART_APART, options,
                                      &self->limit);
}

void hl_mode_verdict_compute (HlModeVerdict *self, bool (*cancel) (void *data), void *data) {
  HlModeCheckOptions options = hl_mode_check_options_default ();
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlWork *work = hl_work_new (self->system);
  HlLinearization *lin = hl_linearize (self->system, work, self->point, &how, &self->fault);

  options.cancel = cancel;
  options.cancel_data = data;
  self->status = HL_BAD_MODEL;
  if (lin != NULL && self->mode < lin->n) {
    self->value = lin->eigenvalues[self->mode];
    self->no_verdict = hl_eigen_text_no_verdict (lin);
    run_checks (self, lin, &options);
    self->state = g_strdup (lin->state_names[self->small.state]);
    self->unit = g_strdup (lin->state_units[self->small.state]);
  }
  hl_linearization_free (lin);
  hl_work_free (work);
}

/* ---- words ---- */

static char *number_text (double value, int digits) {
  char text[48];
  hl_axis_format (value, digits, text, sizeof text);
  return g_strdup (text);
}

static char *lambda_text (double re, double im) {
  double size = hypot (re, im);
  g_autofree char *real = number_text (hl_locus_part (re, size), 5);
  g_autofree char *imaginary = number_text (fabs (im), 5);
  return im == 0 ? g_steal_pointer (&real) : g_strdup_printf ("%s ± %s i", real, imaginary);
}

static char *time_text (double seconds) {
  gboolean in_ms = seconds < 1;
  g_autofree char *number = number_text (in_ms ? 1e3 * seconds : seconds, 2);
  return g_strdup_printf ("%s %s", number, in_ms ? "ms" : "s");
}

/* The kick of an amplitude in the state that is kicked furthest: all go in proportion. */
static char *kick_text (const HlModeVerdict *self, HlUnits units, double amplitude) {
  double kick = fabs (self->small.kick) * amplitude / self->small.amplitude;
  HlQuantity quantity = hl_quantity_of_si (self->unit);
  if (quantity != HL_QUANTITY_NONE)
    return hl_units_format (units, quantity, kick, 2);
  g_autofree char *number = number_text (kick, 2);
  return strcmp (self->unit, "1") == 0 ? g_steal_pointer (&number)
                                       : g_strdup_printf ("%s %s", number, self->unit);
}

static void append_reason (GString *text, const HlModeCheck *check) {
  g_autofree char *while_ = time_text (check->duration);
  g_autofree char *drift = number_text (100 * check->drift, 2);
  g_autofree char *kink = number_text (100 * check->kink, 2);

  if (check->drift > MOST_DRIFT && isfinite (check->drift) && check->duration > WORTH_SAYING)
    g_string_append_printf (text,
                            _ (" The machine moves on at once: within %s this eigenvalue changes "
                               "by %s %%, so that no run can show it."),
                            while_, drift);
  else if (check->drift > MOST_DRIFT)
    g_string_append (text, _ (" The machine moves on at once, so that no run can show it."));
  else if (check->moves_on)
    g_string_append_printf (text, _ (" Fitted over %s: the machine moves on, and its eigenvalues with it."),
                            while_);
  if (check->kink > MOST_KINK)
    g_string_append_printf (text,
                            _ (" The laws have a kink here: the slopes on both sides differ by "
                               "%s %%, and the eigenvalue takes their mean."),
                            kink);
}

static void append_limit (GString *text, const HlModeVerdict *self, HlUnits units) {
  gboolean is_found = isfinite (self->limit.amplitude);
  g_autofree char *kick = kick_text (self, units, is_found ? self->limit.amplitude : LIMIT_TO);

  if (is_found && self->limit.ended) {
    g_autofree char *why = hl_fault_message (self->system, &self->limit.fault);
    g_string_append_printf (
        text,
        _ (" Up to a kick of %s in %s the linear model is less than 5 %% wrong; there the run "
           "ends: %s"),
        kick, self->state, why);
  } else if (is_found) {
    g_string_append_printf (text,
                            _ (" Beyond a kick of %s in %s the linear model is more than 5 %% "
                               "wrong."),
                            kick, self->state);
  } else {
    g_string_append_printf (text,
                            _ (" Even at a kick of %s in %s the linear model is less than 5 %% "
                               "wrong."),
                            kick, self->state);
  }
}

static char *comparison_text (const HlModeVerdict *self, HlUnits units) {
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->status != HL_OK) {
    g_autofree char *why = hl_fault_message (self->system, &self->fault);
    if (self->status == HL_TOO_MUCH_WORK)
      g_string_append (text, _ ("The kicked run takes too many steps to compare with."));
    else
      g_string_append_printf (text, _ ("The kicked run ends early: %s"), why);
    append_reason (text, &self->small);
    return g_string_free (g_steal_pointer (&text), FALSE);
  }
  g_autofree char *fitted = lambda_text (self->small.re, self->value.im == 0 ? 0 : self->small.im);
  g_autofree char *apart = number_text (100 * self->small.apart, 2);
  g_string_append_printf (text,
                          self->value.im != 0  ? _ ("The full model rings at %s, %s %% off.")
                          : self->small.re > 0 ? _ ("The full model runs away at %s, %s %% off.")
                                               : _ ("The full model comes to rest at %s, %s %% off."),
                          fitted, apart);
  append_reason (text, &self->small);
  if (has_reason (&self->small))
    return g_string_free (g_steal_pointer (&text), FALSE);
  if (self->small.apart < PART_APART) {
    append_limit (text, self, units);
  } else {
    g_autofree char *kick = kick_text (self, units, self->small.amplitude);
    g_string_append_printf (text,
                            _ (" Already at a kick of %s in %s the linear model is more than 5 %% "
                               "wrong."),
                            kick, self->state);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *hl_mode_verdict_text (const HlModeVerdict *self, HlUnits units) {
  char *text = comparison_text (self, units);

  if (self->no_verdict == NULL)
    return text;
  g_autofree char *alone = text;
  return g_strconcat (alone, " ", self->no_verdict, NULL);
}

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
  g_autofree char *lambda = lambda_text (lin->eigenvalues[mode].re, lin->eigenvalues[mode].im);
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
