/* SPDX-License-Identifier: MIT */
/* Rows are made once and reused: a dragged slider changes their text in every frame. Size groups align the
 * columns of rows and header. Of hundreds of eigenvalues only the first ones are shown, and more on request,
 * because every row would be laid out again at each change. */
#include "ui/modes/hl-eigen-table.h"

#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/linear/hl-eigenmode-check.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/modes/hl-eigen-table-text.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/chart/hl-paint-locus.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

/* The panel advances the phase while it is visible, unless animations are off in the desktop; the drawings then show
 * the extremes alone. */

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

/* Returns whether the machine itself, not the size of the kick, keeps run and eigenvalue apart. */
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

/* Returns the kick of an amplitude in the state that is kicked furthest: all go in proportion. */
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
                            _ (" The machine is not at rest: within %s this eigenvalue changes by %s %%, so "
                               "a run cannot show it."),
                            while_, drift);
  else if (check->drift > MOST_DRIFT)
    g_string_append (text, _ (" The machine is not at rest, so a run cannot show this eigenvalue."));
  else if (check->moves_on)
    g_string_append_printf (text, _ (" Fitted over %s: the machine is moving, and its eigenvalues change."),
                            while_);
  if (check->kink > MOST_KINK)
    g_string_append_printf (text,
                            _ (" The equations have a kink here: the slopes on both sides differ by %s %%, "
                               "and the eigenvalue uses their mean."),
                            kink);
}

static void append_limit (GString *text, const HlModeVerdict *self, HlUnits units) {
  gboolean is_found = isfinite (self->limit.amplitude);
  g_autofree char *kick = kick_text (self, units, is_found ? self->limit.amplitude : LIMIT_TO);

  if (is_found && self->limit.ended) {
    /* without time and advice: it is no run of the user's that ends */
    const char *id =
        hl_system_entity_id (self->system, self->limit.fault.entity_kind, self->limit.fault.entity);
    g_autofree char *what = hl_fault_what (self->system, &self->limit.fault);
    g_autofree char *why = id != NULL ? g_strdup_printf ("%s: %s", id, what) : g_strdup (what);
    g_string_append_printf (text,
                            _ (" Up to a disturbance of %s in %s the error of the linear model is below 5 "
                               "%%; the run ends there: %s"),
                            kick, self->state, why);
  } else if (is_found) {
    g_string_append_printf (
        text, _ (" Above a disturbance of %s in %s the error of the linear model exceeds 5 %%."), kick,
        self->state);
  } else {
    g_string_append_printf (
        text, _ (" Even at a disturbance of %s in %s the error of the linear model is below 5 %%."), kick,
        self->state);
  }
}

static char *comparison_text (const HlModeVerdict *self, HlUnits units) {
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->status != HL_OK) {
    g_autofree char *why = hl_fault_message (self->system, &self->fault);
    if (self->status == HL_TOO_MUCH_WORK)
      g_string_append (text, _ ("The disturbed run needs too many steps for a comparison."));
    else
      g_string_append_printf (text, _ ("The disturbed run ends early: %s"), why);
    append_reason (text, &self->small);
    return g_string_free (g_steal_pointer (&text), FALSE);
  }
  g_autofree char *fitted = lambda_text (self->small.re, self->value.im == 0 ? 0 : self->small.im);
  g_autofree char *apart = number_text (100 * self->small.apart, 2);
  g_string_append_printf (text,
                          self->value.im != 0  ? _ ("The full model oscillates at %s (difference %s %%).")
                          : self->small.re > 0 ? _ ("The full model diverges with %s (difference %s %%).")
                                               : _ ("The full model decays with %s (difference %s %%)."),
                          fitted, apart);
  append_reason (text, &self->small);
  if (has_reason (&self->small))
    return g_string_free (g_steal_pointer (&text), FALSE);
  if (self->small.apart < PART_APART) {
    append_limit (text, self, units);
  } else {
    g_autofree char *kick = kick_text (self, units, self->small.amplitude);
    g_string_append_printf (
        text, _ (" Already at a disturbance of %s in %s the error of the linear model exceeds 5 %%."), kick,
        self->state);
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
  gtk_button_set_label (GTK_BUTTON (self->check), running ? _ ("Stop") : _ ("Check with a run"));
}

/* Shows a message below the button, which may be the last visible widget. */
static void show_message (HlModePanel *self, const char *text) {
  gtk_label_set_text (GTK_LABEL (self->verdict), text);
  gtk_widget_set_visible (self->verdict, TRUE);
  hl_focus_scroll_show (self->verdict);
}

static void checked_cb (gpointer sender, gpointer job, gpointer verdict, const GError *error) {
  HlModePanel *self = sender;

  g_clear_object (&self->cancellable);
  show_running (self, FALSE);
  g_autofree char *text = hl_mode_verdict_text (verdict, hl_workbench_units (self->workbench));
  show_message (self, text);
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
  show_message (self, _ ("Running…"));
  hl_task_start (&(HlTask){.work = work_on_check,
                           .done = checked_cb,
                           .free_job = (GDestroyNotify)hl_mode_verdict_free,
                           .sender = self,
                           .keep = G_OBJECT (self),
                           .life = self->cancellable},
                 hl_mode_verdict_new (at->system, at->point, mode));
}

/* Begins a check, or stops the running one. */
static void check_clicked_cb (HlModePanel *self) {
  if (self->cancellable == NULL) {
    hl_mode_panel_check (self);
    return;
  }
  forget_check (self);
  show_message (self, _ ("Stopped."));
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

/* Shows a bar; share NAN: hides it. */
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

static void refresh_panel (HlModePanel *self) {
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

static void panel_changed_cb (HlWorkbench *workbench, guint changes, HlModePanel *self) {
  if ((changes & HL_CHANGED_POINT) || hl_locus_study_mode (hl_workbench_locus (workbench)) != self->mode)
    forget_check (self);
  self->mode = hl_locus_study_mode (hl_workbench_locus (workbench));
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_MODE))
    refresh_panel (self);
}

/* --- life --- */

static void mode_panel_dispose (GObject *object) {
  HlModePanel *self = HL_MODE_PANEL (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_mode_panel_parent_class)->dispose (object);
}

static void hl_mode_panel_class_init (HlModePanelClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = mode_panel_dispose;
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

/* Returns a heading and rows below it, from `top` on; the heading. */
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
  g_signal_connect_object (workbench, "changed", G_CALLBACK (panel_changed_cb), self, 0);
  refresh_panel (self);
}

enum { COLUMN_LAMBDA, COLUMN_HZ, COLUMN_ZETA, COLUMN_WHAT, N_COLUMNS };

#define COLUMN_SPACING 9
#define WHAT_CHARS 12 /* of names; the column takes what room there is */
#define PAIR_TOLERANCE 1e-9
#define ROWS_AT_ONCE 50
#define NEW_AT_ONCE 8 /* rows that are made in one turn of the main loop */

typedef struct {
  GtkWidget *row; /* GtkListBoxRow */
  GtkWidget *cells[N_COLUMNS];
  int mode; /* eigenvalue, of a pair the upper one; -1 = null ones */
} Row;

struct _HlEigenTable {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *head, *list;
  GtkWidget *message, *hint;
  GtkSizeGroup *columns[N_COLUMNS];
  GArray *rows; /* Row, made as needed */
  int n_rows;   /* shown */
  int most;     /* rows to show, null ones apart */
  GtkWidget *more;
  GtkWidget *titles[N_COLUMNS]; /* GtkLabel, each in a button that sorts */
  int sorted_by;
  gboolean reversed;
  gboolean hides_states;
  int n_modes; /* eigenvalues that have one */
  GtkWidget *mode_panel;
};

G_DEFINE_FINAL_TYPE (HlEigenTable, hl_eigen_table, GTK_TYPE_BOX)

/* A text of another length does not lay the window out again: a label would, in every frame of a
 * drag. */
static const guint widths[N_COLUMNS] = {
    [COLUMN_LAMBDA] = 13, [COLUMN_HZ] = 5, [COLUMN_ZETA] = 5, [COLUMN_WHAT] = 3};

static GtkWidget *new_cell (int column) {
  GtkWidget *cell = gtk_inscription_new (NULL);
  GtkInscription *text = GTK_INSCRIPTION (cell);

  gtk_inscription_set_xalign (text, column == COLUMN_HZ || column == COLUMN_ZETA ? 1 : 0);
  gtk_inscription_set_text_overflow (text, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (text, widths[column]);
  gtk_inscription_set_nat_chars (text, column == COLUMN_WHAT ? WHAT_CHARS : widths[column]);
  gtk_inscription_set_min_lines (text, 1);
  gtk_widget_set_hexpand (cell, column == COLUMN_WHAT);
  if (column == COLUMN_WHAT)
    gtk_widget_add_css_class (cell, "dim-label");
  gtk_widget_add_css_class (cell, "numeric");
  return cell;
}

static GtkWidget *new_line (HlEigenTable *self, GtkWidget *cells[N_COLUMNS]) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, COLUMN_SPACING);

  for (int column = 0; column < N_COLUMNS; column++) {
    cells[column] = new_cell (column);
    gtk_size_group_add_widget (self->columns[column], cells[column]);
    gtk_widget_set_visible (cells[column], column != COLUMN_WHAT || !self->hides_states);
    gtk_box_append (GTK_BOX (box), cells[column]);
  }
  return box;
}

static Row *row_at (HlEigenTable *self, int row) {
  return &g_array_index (self->rows, Row, row);
}

/* Returns the next row, made when there are not enough yet. */
static Row *add_row (HlEigenTable *self, int mode) {
  if (self->n_rows == (int)self->rows->len) {
    Row row = {.row = gtk_list_box_row_new ()};
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row.row), new_line (self, row.cells));
    gtk_list_box_append (GTK_LIST_BOX (self->list), row.row);
    g_array_append_val (self->rows, row);
  }
  Row *row = row_at (self, self->n_rows++);
  row->mode = mode;
  gtk_widget_set_visible (row->row, TRUE);
  return row;
}

/* Returns the usual width of a character [Pango units]. */
static int usual_width (GtkWidget *cell) {
  PangoFontMetrics *metrics = pango_context_get_metrics (gtk_widget_get_pango_context (cell), NULL, NULL);
  int usual = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                   pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return usual;
}

/* Returns the width of a text in characters of usual width. */
static guint chars_of (GtkWidget *cell, const char *text) {
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (cell, text);
  int width, usual = usual_width (cell);

  pango_layout_get_size (layout, &width, NULL);
  return usual > 0 ? (guint)((width + usual - 1) / usual) : 0;
}

static void set_cell (Row *row, int column, const char *text, const char *help) {
  GtkWidget *cell = row->cells[column];
  GtkInscription *shown = GTK_INSCRIPTION (cell);

  /* a number is never cut off; the room that it once had stays */
  if (column != COLUMN_WHAT && (guint)g_utf8_strlen (text, -1) > gtk_inscription_get_min_chars (shown)) {
    guint n = MAX (chars_of (cell, text), gtk_inscription_get_min_chars (shown));
    if (n > gtk_inscription_get_min_chars (shown)) {
      gtk_inscription_set_min_chars (shown, n);
      gtk_inscription_set_nat_chars (shown, n);
    }
  }
  if (g_strcmp0 (gtk_inscription_get_text (shown), text) != 0)
    gtk_inscription_set_text (shown, text);
  hl_tooltip_set_changing (cell, help);
}

/* Resets the widths of the columns for another model with other numbers. */
static void forget_widths (HlEigenTable *self) {
  for (guint row = 0; row < self->rows->len; row++)
    for (int column = 0; column < COLUMN_WHAT; column++) {
      GtkInscription *cell = GTK_INSCRIPTION (row_at (self, (int)row)->cells[column]);
      gtk_inscription_set_min_chars (cell, widths[column]);
      gtk_inscription_set_nat_chars (cell, widths[column]);
    }
}

/* Describes the row as a sentence, and the states with their shares as its tooltip. */
static void describe_row (Row *row, char *sentence, const char *tooltip) {
  g_autofree char *taken = sentence;
  GtkWidget *widget = row->row;

  if (g_strcmp0 (g_object_get_data (G_OBJECT (widget), "sentence"), taken) != 0) {
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, taken, -1);
    g_object_set_data_full (G_OBJECT (widget), "sentence", g_steal_pointer (&taken), g_free);
  }
  hl_tooltip_set_changing (widget, tooltip);
}

/* Marks a row; either one of a pair may be examined. */
static void mark_row (HlEigenTable *self, Row *row) {
  int mode = hl_locus_study_mode (hl_workbench_locus (self->workbench)), k = row->mode;
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  gboolean chosen = FALSE;

  if (mode >= 0 && k >= 0) {
    const HlEigenvalue *mine = &at->linearization->eigenvalues[k];
    const HlEigenvalue *looked_at = &at->linearization->eigenvalues[mode];
    chosen = mine->re == looked_at->re && fabs (mine->im) == fabs (looked_at->im);
  }
  hl_widget_set_class (row->row, "chosen", chosen);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->row), GTK_ACCESSIBLE_STATE_SELECTED, chosen, -1);
}

/* Returns whether a mode grows: a real part that is zero within rounding is not an instability. */
static gboolean is_growing (const HlEigenvalue *value) {
  return !value->null && value->re > 1e-9 * hypot (value->re, value->im);
}

static gboolean is_paired (const HlLinearization *lin, int k) {
  const HlEigenvalue *value = &lin->eigenvalues[k];

  return k + 1 < lin->n && value->im > 0 &&
         fabs (lin->eigenvalues[k + 1].im + value->im) <= PAIR_TOLERANCE * fabs (value->im);
}

/* Sets a number; one too long for its column gets as few digits as fit, and is complete in its tooltip: the
 * pane does not become wider. */
static void set_number (Row *row, int column,
                        char *(*text_of) (const HlEigenvalue *value, gboolean paired, int digits),
                        const HlEigenvalue *value, gboolean paired, const char *whole, const char *help) {
  static const glong longest[] = {[COLUMN_LAMBDA] = 13, [COLUMN_HZ] = 5, [COLUMN_ZETA] = 5};
  g_autofree char *shown = g_strdup (whole);

  for (int digits = 4;
       digits >= (column == COLUMN_LAMBDA ? 3 : 1) && g_utf8_strlen (shown, -1) > longest[column]; digits--) {
    g_free (shown);
    shown = text_of (value, paired, digits);
  }
  set_cell (row, column, shown, strcmp (shown, whole) != 0 ? whole : help);
}

static void add_eigenvalue (HlEigenTable *self, const HlLinearization *lin, int k) {
  const HlEigenvalue *value = &lin->eigenvalues[k];
  Row *row = add_row (self, k);
  gboolean paired = is_paired (lin, k);
  g_autofree char *lambda = hl_eigen_text_lambda (value, paired, 5);
  g_autofree char *zeta = hl_eigen_text_zeta (value, paired, 3);
  g_autofree char *hz = hl_eigen_text_hz (value, paired, 4);
  g_autofree char *tooltip = NULL;
  g_autofree char *what = hl_eigen_text_what (lin, k, &tooltip);

  set_number (row, COLUMN_LAMBDA, hl_eigen_text_lambda, value, paired, lambda, NULL);
  set_number (row, COLUMN_HZ, hl_eigen_text_hz, value, paired, hz,
              value->im == 0 ? _ ("A real eigenvalue: the motion decays or grows without oscillation")
                             : NULL);
  set_number (row, COLUMN_ZETA, hl_eigen_text_zeta, value, paired, zeta, NULL);
  set_cell (row, COLUMN_WHAT, what, NULL);
  describe_row (row,
                value->im != 0 ? g_strdup_printf (_ ("Eigenvalue %s rad/s, %s Hz, damping ratio %s, %s"),
                                                  lambda, hz, zeta, what)
                               : g_strdup_printf (_ ("Eigenvalue %s rad/s, %s"), lambda, what),
                tooltip);
  hl_widget_set_class (row->row, "unstable", lin->steadiness != HL_ON_THE_WAY && is_growing (value));
  mark_row (self, row);
}

static void add_null_row (HlEigenTable *self, const HlLinearization *lin) {
  Row *row = add_row (self, -1);
  g_autofree char *lines = hl_null_text_lines (lin);
  g_autofree char *freely = hl_null_text_short (lin);
  g_auto (GStrv) each = g_strsplit (freely, "\n", -1);
  g_autofree char *names = g_strjoinv (", ", each);
  g_autofree char *zeros = lin->n_null > 1 ? g_strdup_printf ("0 (%d×)", lin->n_null) : g_strdup ("0");
  const char *help =
      _ ("A zero eigenvalue neither oscillates nor decays: the named quantity keeps any value");

  set_cell (row, COLUMN_LAMBDA, zeros, NULL);
  set_cell (row, COLUMN_HZ, "–", help);
  set_cell (row, COLUMN_ZETA, "–", help);
  set_cell (row, COLUMN_WHAT, names, NULL);
  describe_row (row, g_strdup_printf (_ ("Eigenvalue %s, %s"), zeros, names), lines);
  hl_widget_set_class (row->row, "unstable", FALSE);
  mark_row (self, row);
}

/* --- order --- */

typedef struct {
  const HlLinearization *lin;
  int column;
  gboolean reversed;
} Order;

static double key_of (const HlEigenvalue *value, int column) {
  return column == COLUMN_HZ     ? -value->frequency_hz
         : column == COLUMN_ZETA ? (isfinite (value->damping_ratio) ? value->damping_ratio : 0)
                                 : -value->re;
}

/* Returns the first the largest real part, the highest frequency, the least damping, or by name; ties as they
 * come. */
static int compare_modes (gconstpointer a, gconstpointer b, gpointer data) {
  const Order *order = data;
  int mode_a = *(const int *)a, mode_b = *(const int *)b, found = 0;

  if (order->column == COLUMN_WHAT) {
    g_autofree char *help_a = NULL, *help_b = NULL;
    g_autofree char *what_a = hl_eigen_text_what (order->lin, mode_a, &help_a);
    g_autofree char *what_b = hl_eigen_text_what (order->lin, mode_b, &help_b);
    found = g_utf8_collate (what_a, what_b);
  } else {
    double key_a = key_of (&order->lin->eigenvalues[mode_a], order->column);
    double key_b = key_of (&order->lin->eigenvalues[mode_b], order->column);
    found = key_a < key_b ? -1 : key_a > key_b;
  }
  return found == 0 ? mode_a - mode_b : order->reversed ? -found : found;
}

static void show_order (HlEigenTable *self) {
  for (int column = 0; column < N_COLUMNS; column++) {
    gboolean is_key = column == self->sorted_by;
    g_autofree char *text =
        g_strdup_printf ("%s%s", (const char *)g_object_get_data (G_OBJECT (self->titles[column]), "title"),
                         is_key ? self->reversed ? " ▴" : " ▾" : "");
    gtk_label_set_text (GTK_LABEL (self->titles[column]), text);
  }
}

static void show_more (HlEigenTable *self, int n) {
  gtk_widget_set_visible (self->more, n > self->most);
  if (n <= self->most)
    return;
  g_autofree char *text = g_strdup_printf (_ ("%d of %d rows: show more"), self->most, n);
  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self->more)), text) != 0)
    gtk_button_set_label (GTK_BUTTON (self->more), text);
}

static void refresh (HlEigenTable *self);

static void refresh_cb (GtkWidget *widget) {
  if (HL_EIGEN_TABLE (widget)->workbench != NULL)
    refresh (HL_EIGEN_TABLE (widget));
}

/* Shows the hint beside the root locus, where the pane is otherwise empty. */
static void show_hint (HlEigenTable *self) {
  gtk_widget_set_visible (self->hint, self->hides_states && self->n_modes > 0 &&
                                          hl_locus_study_mode (hl_workbench_locus (self->workbench)) < 0);
}

static void refresh (HlEigenTable *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  const HlLinearization *lin = at != NULL ? at->linearization : NULL;
  g_autoptr (GArray) modes = g_array_new (FALSE, FALSE, sizeof (int));

  self->n_rows = 0;
  for (int k = 0; lin != NULL && k < lin->n; k++) {
    if (lin->eigenvalues[k].null)
      continue;
    g_array_append_val (modes, k);
    k += is_paired (lin, k);
  }
  Order order = {lin, self->sorted_by, self->reversed};
  if (self->sorted_by != COLUMN_LAMBDA || self->reversed)
    g_array_sort_with_data (modes, compare_modes, &order);
  int n = MIN ((int)modes->len, self->most), n_now = MIN (n, (int)self->rows->len + NEW_AT_ONCE);
  for (int i = 0; i < n_now; i++)
    add_eigenvalue (self, lin, g_array_index (modes, int, i));
  if (n_now < n)
    hl_rebuild_later (GTK_WIDGET (self), refresh_cb);
  show_more (self, (int)modes->len);
  if (lin != NULL && lin->n_null > 0)
    add_null_row (self, lin);
  for (int row = self->n_rows; row < (int)self->rows->len; row++)
    gtk_widget_set_visible (row_at (self, row)->row, FALSE);
  gboolean has_any = lin != NULL && lin->n > 0;
  self->n_modes = (int)modes->len;
  show_hint (self);
  gtk_widget_set_visible (self->head, has_any);
  gtk_widget_set_visible (self->list, has_any);
  g_autofree char *no_verdict = has_any ? hl_eigen_text_no_verdict (lin) : NULL;
  gtk_widget_set_visible (self->message, !has_any || no_verdict != NULL);
  const char *message = has_any                             ? no_verdict != NULL ? no_verdict : ""
                        : lin != NULL                       ? _ ("No states, so no eigenvalues.")
                        : at != NULL && at->message != NULL ? at->message
                                                            : _ ("No eigenvalues yet.");
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->message)), message) != 0)
    gtk_label_set_text (GTK_LABEL (self->message), message);
}

void hl_eigen_table_sort (HlEigenTable *self, int column) {
  self->reversed = column == self->sorted_by && !self->reversed;
  self->sorted_by = column;
  show_order (self);
  refresh (self);
}

/* Shows more rows, as the button below the rows does. */
static void show_more_rows (HlEigenTable *self) {
  self->most += ROWS_AT_ONCE;
  refresh (self);
}

static void head_clicked_cb (GtkButton *button, HlEigenTable *self) {
  hl_eigen_table_sort (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "column")));
}

char *hl_eigen_table_as_text (HlEigenTable *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  return at != NULL && at->linearization != NULL ? hl_eigen_text_table (at->linearization) : NULL;
}

/* Copies the whole table with all digits, in a form for spreadsheets. */
static gboolean copy_cb (GtkWidget *widget, GVariant *arguments, gpointer data) {
  g_autofree char *text = hl_eigen_table_as_text (HL_EIGEN_TABLE (widget));

  if (text == NULL)
    return FALSE;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  return TRUE;
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlEigenTable *self) {
  if (changes & HL_CHANGED_DOCUMENT)
    forget_widths (self);
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_DOCUMENT))
    refresh (self);
  else if (changes & HL_CHANGED_MODE) {
    for (int row = 0; row < self->n_rows; row++)
      mark_row (self, row_at (self, row));
    show_hint (self);
  }
}

/* Examines the mode of a row by click, Enter or Space, a second time no longer. */
static void row_activated_cb (GtkListBox *list, GtkListBoxRow *line, HlEigenTable *self) {
  int row = gtk_list_box_row_get_index (line);

  if (row >= self->n_rows || row_at (self, row)->mode < 0)
    return;
  gboolean shown = gtk_widget_has_css_class (GTK_WIDGET (line), "chosen");
  hl_locus_study_set_mode (hl_workbench_locus (self->workbench), shown ? -1 : row_at (self, row)->mode);
}

static void eigen_table_dispose (GObject *object) {
  HlEigenTable *self = HL_EIGEN_TABLE (object);

  for (int column = 0; column < N_COLUMNS; column++)
    g_clear_object (&self->columns[column]);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_eigen_table_parent_class)->dispose (object);
}

static void eigen_table_finalize (GObject *object) {
  g_array_unref (HL_EIGEN_TABLE (object)->rows);
  G_OBJECT_CLASS (hl_eigen_table_parent_class)->finalize (object);
}

static void hl_eigen_table_class_init (HlEigenTableClass *klass) {
  static const char *const titles[N_COLUMNS] = {"title_lambda", "title_hz", "title_zeta", "title_what"};

  G_OBJECT_CLASS (klass)->dispose = eigen_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = eigen_table_finalize;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_c, GDK_CONTROL_MASK, copy_cb, NULL);
  g_type_ensure (HL_TYPE_MODE_PANEL);
  hl_widget_tree_load (klass, "hl-eigen-table");
  HL_TREE_CHILD (klass, HlEigenTable, head);
  HL_TREE_CHILD (klass, HlEigenTable, list);
  HL_TREE_CHILD (klass, HlEigenTable, more);
  HL_TREE_CHILD (klass, HlEigenTable, message);
  HL_TREE_CHILD (klass, HlEigenTable, hint);
  HL_TREE_CHILD (klass, HlEigenTable, mode_panel);
  for (int column = 0; column < N_COLUMNS; column++)
    gtk_widget_class_bind_template_child_full (GTK_WIDGET_CLASS (klass), titles[column], FALSE,
                                               G_STRUCT_OFFSET (HlEigenTable, titles) +
                                                   column * (gssize)sizeof (GtkWidget *));
  HL_TREE_CALLBACK (klass, head_clicked_cb);
  HL_TREE_CALLBACK (klass, row_activated_cb);
  HL_TREE_CALLBACK (klass, show_more_rows);
}

static void hl_eigen_table_init (HlEigenTable *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  self->most = ROWS_AT_ONCE;
  for (int column = 0; column < N_COLUMNS; column++) {
    GtkWidget *title = self->titles[column];
    GObject *head = G_OBJECT (gtk_widget_get_ancestor (title, GTK_TYPE_BUTTON));
    self->columns[column] = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
    gtk_size_group_add_widget (self->columns[column], title);
    g_object_set_data_full (G_OBJECT (title), "title", g_strdup (gtk_label_get_text (GTK_LABEL (title))),
                            g_free);
    g_object_set_data (head, "column", GINT_TO_POINTER (column));
  }
  show_order (self);
}

void hl_eigen_table_show_states (HlEigenTable *self, gboolean shows) {
  if (shows != self->hides_states)
    return;
  self->hides_states = !shows;
  gtk_widget_set_visible (gtk_widget_get_ancestor (self->titles[COLUMN_WHAT], GTK_TYPE_BUTTON), shows);
  for (guint k = 0; k < self->rows->len; k++)
    gtk_widget_set_visible (g_array_index (self->rows, Row, k).cells[COLUMN_WHAT], shows);
  if (self->workbench != NULL)
    refresh (self);
}

void hl_eigen_table_set_workbench (HlEigenTable *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  hl_mode_panel_set_workbench (HL_MODE_PANEL (self->mode_panel), workbench);
  refresh (self);
}
