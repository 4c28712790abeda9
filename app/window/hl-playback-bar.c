/* SPDX-License-Identifier: MIT */
#include "app/window/hl-playback-bar.h"

#include "app/export/hl-window-recorder.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-gamepad.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

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
  /* as wide as it was measured, or the list would be cut by a line */
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

static void refresh_problems (HlProblems *self) {
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

static void problems_changed_cb (HlWorkbench *workbench, guint changes, HlProblems *self) {
  if (changes & HL_CHANGED_FINDINGS)
    refresh_problems (self);
}

static void problems_dispose (GObject *object) {
  g_clear_object (&HL_PROBLEMS (object)->workbench);
  G_OBJECT_CLASS (hl_problems_parent_class)->dispose (object);
}

static void hl_problems_class_init (HlProblemsClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = problems_dispose;
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

static void problems_set_workbench (HlProblems *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (problems_changed_cb), self, 0);
  refresh_problems (self);
}

#define HL_TYPE_STATUS_LINE (hl_status_line_get_type ())
G_DECLARE_FINAL_TYPE (HlStatusLine, hl_status_line, HL, STATUS_LINE, GtkWidget)

/* Order of removal when the room is too small. */
typedef enum {
  HL_WORTH_FACT,
  HL_WORTH_NEWS, /* that a person needs */
} HlWorth;

typedef struct {
  char *text;
  HlWorth worth;
} HlStatusPart;

/* Painted by hand: a label that changed its text for the width that it got would be measured anew, and
 * would get another one. */

#define BETWEEN " · "

struct _HlStatusLine {
  GtkWidget parent_instance;

  GArray *parts; /* HlStatusPart */
  char *text;
  PangoLayout *layout; /* of what there is room for */
};

enum { TEXT = 1, SHOWN, N_PROPERTIES };

G_DEFINE_FINAL_TYPE (HlStatusLine, hl_status_line, GTK_TYPE_WIDGET)

static void clear_part (gpointer data) {
  g_free (((HlStatusPart *)data)->text);
}

/* Returns an empty array of HlStatusPart. Owned by the caller. */
static GArray *status_parts_new (void) {
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (HlStatusPart));

  g_array_set_clear_func (parts, clear_part);
  return parts;
}

/* Returns the text of the parts that are not `gone`. Owned by the caller. */
static char *join_parts (const GArray *parts, const gboolean gone[]) {
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < parts->len; k++)
    if (!gone[k])
      g_string_append_printf (text, "%s%s", text->len > 0 ? BETWEEN : "",
                              g_array_index (parts, HlStatusPart, k).text);
  return g_string_free (text, FALSE);
}

/* Returns the last one of the least worth; -1: one alone is left, which is shortened at its end. */
static int least_of (const GArray *parts, const gboolean gone[]) {
  int least = -1, n = 0;

  for (guint k = 0; k < parts->len; k++)
    if (!gone[k]) {
      n++;
      if (least < 0 ||
          g_array_index (parts, HlStatusPart, k).worth <= g_array_index (parts, HlStatusPart, least).worth)
        least = (int)k;
    }
  return n > 1 ? least : -1;
}

static int width_of (PangoLayout *layout, const char *text) {
  int width;

  pango_layout_set_text (layout, text, -1);
  pango_layout_set_width (layout, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static void fit_text (HlStatusLine *self, int width) {
  g_autofree gboolean *gone = g_new0 (gboolean, MAX (self->parts->len, 1));
  g_autofree char *text = g_strdup (self->text);

  while (width_of (self->layout, text) > width) {
    int least = least_of (self->parts, gone);
    if (least < 0) {
      pango_layout_set_width (self->layout, width * PANGO_SCALE);
      return;
    }
    gone[least] = TRUE;
    g_free (text);
    text = join_parts (self->parts, gone);
  }
}

/* Returns the width of all parts. */
static int natural_width (HlStatusLine *self) {
  g_autoptr (PangoLayout) whole = pango_layout_copy (self->layout);

  return width_of (whole, self->text);
}

static void status_line_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                                 int *natural, int *minimum_baseline, int *natural_baseline) {
  HlStatusLine *self = HL_STATUS_LINE (widget);
  g_autoptr (PangoLayout) whole = pango_layout_copy (self->layout);
  int width = width_of (whole, self->text), height;

  pango_layout_get_pixel_size (whole, NULL, &height);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 0 : height;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? width : height;
}

static void status_line_size_allocate (GtkWidget *widget, int width, int height, int baseline) {
  fit_text (HL_STATUS_LINE (widget), width);
}

static void status_line_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlStatusLine *self = HL_STATUS_LINE (widget);
  HlStyle style = hl_widget_style (widget);
  GdkRGBA ink = {(float)style.ink.r, (float)style.ink.g, (float)style.ink.b, (float)style.ink.a};
  int width, height;

  pango_layout_get_pixel_size (self->layout, &width, &height);
  int x = MAX (gtk_widget_get_width (widget) - width, 0), y = (gtk_widget_get_height (widget) - height) / 2;
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)x, (float)y));
  gtk_snapshot_append_layout (snapshot, self->layout, &ink);
}

static gboolean status_line_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                           GtkTooltip *tooltip) {
  HlStatusLine *self = HL_STATUS_LINE (widget);

  if (*self->text == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, self->text);
  return TRUE;
}

static void status_line_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec) {
  HlStatusLine *self = HL_STATUS_LINE (object);

  g_value_set_string (value, id == TEXT ? self->text : pango_layout_get_text (self->layout));
}

static void status_line_finalize (GObject *object) {
  HlStatusLine *self = HL_STATUS_LINE (object);

  g_array_unref (self->parts);
  g_free (self->text);
  g_object_unref (self->layout);
  G_OBJECT_CLASS (hl_status_line_parent_class)->finalize (object);
}

static void hl_status_line_class_init (HlStatusLineClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->get_property = status_line_get_property;
  G_OBJECT_CLASS (klass)->finalize = status_line_finalize;
  widget_class->measure = status_line_measure;
  widget_class->size_allocate = status_line_size_allocate;
  widget_class->snapshot = status_line_snapshot;
  widget_class->query_tooltip = status_line_query_tooltip;
  for (guint id = TEXT; id < N_PROPERTIES; id++)
    g_object_class_install_property (G_OBJECT_CLASS (klass), id,
                                     g_param_spec_string (id == TEXT ? "text" : "shown", NULL, NULL, "",
                                                          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void hl_status_line_init (HlStatusLine *self) {
  PangoAttrList *digits = pango_attr_list_new ();

  self->parts = status_parts_new ();
  self->text = g_strdup ("");
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  pango_attr_list_insert (digits, pango_attr_font_features_new ("tnum")); /* all equally wide */
  pango_layout_set_attributes (self->layout, digits);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
  pango_attr_list_unref (digits);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

/* Takes the parts. */
static void status_line_set (HlStatusLine *self, GArray *parts) {
  g_autofree gboolean *gone = g_new0 (gboolean, MAX (parts->len, 1));
  g_autofree char *text = join_parts (parts, gone);

  g_array_unref (self->parts);
  self->parts = parts;
  if (strcmp (text, self->text) == 0)
    return; /* costs nothing while a slider is dragged */
  int given = gtk_widget_get_width (GTK_WIDGET (self));
  gboolean is_whole = natural_width (self) <= given;
  g_free (self->text);
  self->text = g_steal_pointer (&text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->text, -1);
  /* Words that have room in the place of those before move nothing; and in each layout GTK 4.8 queries the display a
   * dozen times for its monitors. */
  if (is_whole && natural_width (self) <= given) {
    fit_text (self, given);
    hl_pixels_queue_draw (GTK_WIDGET (self));
    return;
  }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* Playing moves the cursor with the frame clock, at a speed of choice, and starts over at the end
 * of the run. */

#define USUAL_SPEED 4 /* index of 1x */

static const double speeds[] = {0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10};

struct _HlTimeBar {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *play, *scale, *label, *speed;
  GtkAdjustment *adjustment;
  guint tick;
  gint64 last_us;
  gboolean refreshing;
};

G_DEFINE_FINAL_TYPE (HlTimeBar, hl_time_bar, GTK_TYPE_BOX)

static gboolean tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlTimeBar *self = HL_TIME_BAR (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double speed = speeds[gtk_drop_down_get_selected (GTK_DROP_DOWN (self->speed))];
  double t = hl_runs_time (hl_workbench_runs (self->workbench));

  if (self->last_us != 0)
    t += 1e-6 * (double)(now - self->last_us) * speed;
  self->last_us = now;
  if (t > hl_runs_t_end (hl_workbench_runs (self->workbench)))
    t = 0;
  hl_runs_set_time (hl_workbench_runs (self->workbench), t);
  return G_SOURCE_CONTINUE;
}

gboolean hl_time_bar_is_playing (HlTimeBar *self) {
  return self->tick != 0;
}

/* Shows whether the button plays, or pauses and continues an interactive run. */
static void show_play (HlTimeBar *self) {
  gboolean moves =
      self->tick != 0 || (hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench)) &&
                          !hl_manual_run_is_paused (hl_workbench_manual_run (self->workbench)));
  const char *icon = moves ? "media-playback-pause-symbolic" : "media-playback-start-symbolic";

  if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (self->play)), icon) == 0)
    return;
  gtk_button_set_icon_name (GTK_BUTTON (self->play), icon);
  gtk_widget_set_tooltip_text (self->play, moves ? _ ("Pause (Ctrl+P)") : _ ("Play (Ctrl+P)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  moves ? _ ("Pause") : _ ("Play"), -1);
}

void hl_time_bar_set_playing (HlTimeBar *self, gboolean playing) {
  if (playing == (self->tick != 0))
    return;
  self->last_us = 0;
  if (playing) {
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  } else {
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
    self->tick = 0;
  }
  show_play (self);
}

/* Sets whether the time bar is alone in its row and takes all the room; otherwise its width does not change
 * while the window is used. */
static void time_bar_set_alone (HlTimeBar *self, gboolean alone) {
  gtk_widget_set_hexpand (self->scale, alone);
  gtk_widget_set_hexpand (GTK_WIDGET (self), alone);
}

static void time_bar_rewind (HlTimeBar *self) {
  hl_runs_set_time (hl_workbench_runs (self->workbench), 0);
}

static void scale_changed_cb (GtkAdjustment *adjustment, HlTimeBar *self) {
  if (!self->refreshing)
    hl_runs_set_time (hl_workbench_runs (self->workbench), gtk_adjustment_get_value (adjustment));
}

static void speed_chosen_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlTimeBar *self) {
  hl_manual_run_set_speed (hl_workbench_manual_run (self->workbench),
                           speeds[gtk_drop_down_get_selected (drop_down)]);
}

static void refresh (HlTimeBar *self) {
  double t = hl_runs_time (hl_workbench_runs (self->workbench)),
         t_end = hl_runs_t_end (hl_workbench_runs (self->workbench));
  g_autofree char *text = hl_number_localize (g_strdup_printf ("%.3f / %.3f s", t, t_end));

  self->refreshing = TRUE;
  gtk_adjustment_configure (self->adjustment, t, 0, t_end, t_end / 200, t_end / 20, 0);
  self->refreshing = FALSE;
  gtk_label_set_text (GTK_LABEL (self->label), text);
}

static void time_changed_cb (HlWorkbench *workbench, guint changes, HlTimeBar *self) {
  if (changes & (HL_CHANGED_TIME | HL_CHANGED_RUN | HL_CHANGED_NUMBERS | HL_CHANGED_DOCUMENT))
    refresh (self);
  if (changes & (HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY))
    show_play (self);
}

static void time_bar_dispose (GObject *object) {
  HlTimeBar *self = HL_TIME_BAR (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_time_bar_parent_class)->dispose (object);
}

static void hl_time_bar_class_init (HlTimeBarClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = time_bar_dispose;
  hl_widget_tree_load (klass, "hl-time-bar");
  HL_TREE_CHILD (klass, HlTimeBar, play);
  HL_TREE_CHILD (klass, HlTimeBar, scale);
  HL_TREE_CHILD (klass, HlTimeBar, label);
  HL_TREE_CHILD (klass, HlTimeBar, speed);
  HL_TREE_CHILD (klass, HlTimeBar, adjustment);
  HL_TREE_CALLBACK (klass, scale_changed_cb);
}

static void hl_time_bar_init (HlTimeBar *self) {
  GtkStringList *names = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++) {
    g_autofree char *name = g_strdup_printf ("%s×", hl_shown (speeds[i], 6).text);
    gtk_string_list_append (names, name);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->speed), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed), USUAL_SPEED);
  g_object_unref (names);
}

static void time_bar_set_workbench (HlTimeBar *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (time_changed_cb), self, 0);
  g_signal_connect (self->speed, "notify::selected", G_CALLBACK (speed_chosen_cb), self);
  refresh (self);
}

#define READING_US 300000 /* a line that is to be read stays as long [us] */
#define SECOND_MS 1000

struct _HlTransportBar {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  HlPlotPane *plots;
  HlFrameMeter *meter;
  HlBanner *banner;
  GActionMap *actions; /* of the window */
  char *figures;       /* for the label behind (i); NULL: none yet */
  gint64 status_us;    /* when a drag last wrote the status line; 0: it did not */
  gboolean was_driving, is_tight;
  HlGamepad *pad;           /* of the drive under way, else NULL */
  HlPadDevice *pad_device;  /* NULL: there are no gamepads */
  HlWindowRecorder *camera; /* NULL: the window is not filmed */
  gboolean film_waits;      /* while something is over the window that no film shows */
  HlFileChooser *chooser;   /* kept until it answers */
  guint recording_id;       /* counts the seconds of the film */

  /* template */
  HlTimeBar *time_bar;
  HlProblems *problems;
  HlStatusLine *status_line;
  GtkWidget *plots_button, *info_button;
  GtkLabel *info_label;        /* of how long the program took, and what it keeps */
  GtkWidget *recording_button; /* there while a film is made */
  GtkWidget *unfullscreen_button;
};

G_DEFINE_FINAL_TYPE (HlTransportBar, hl_transport_bar, GTK_TYPE_BOX)

enum { RUN_PRESSED, DRIVE_BEGAN, DRIVE_ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

static GtkWindow *window_of (HlTransportBar *self) {
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

static GSimpleAction *find_action (HlTransportBar *self, const char *name) {
  return G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, name));
}

static void enable (HlTransportBar *self, const char *name, gboolean enabled) {
  g_simple_action_set_enabled (find_action (self, name), enabled);
}

/* Sets what is enabled and every action's state from the present state. */
static void show_states (HlTransportBar *self) {
  HlRuns *runs = hl_workbench_runs (self->workbench);
  HlManualRun *driving = hl_workbench_manual_run (self->workbench);
  gboolean is_driving = hl_manual_run_is_under_way (driving);
  HlRun *run = hl_runs_shown (runs);
  gboolean has_rows = run != NULL && hl_results_n_rows (run->results) > 0;

  enable (self, "run", run == NULL || hl_editing_has_system (hl_workbench_editing (self->workbench)));
  enable (self, "stop", hl_runs_is_running (runs));
  enable (self, "play", has_rows);
  enable (self, "rewind", has_rows);
  enable (self, "pin-run", has_rows);
  g_simple_action_set_state (find_action (self, "pin-run"),
                             g_variant_new_boolean (hl_runs_pinned (runs) != NULL));
  enable (self, "drive", is_driving || hl_manual_run_is_possible (driving));
  g_simple_action_set_state (find_action (self, "drive"), g_variant_new_boolean (is_driving));
  enable (self, "drive-pause", is_driving);
  enable (self, "keep-levers", !is_driving && run != NULL && run->levers != NULL);
}

/* --- what the status line says --- */

static void append_part (GArray *parts, HlWorth worth, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void append_part (GArray *parts, HlWorth worth, const char *format, ...) {
  va_list args;

  va_start (args, format);
  HlStatusPart part = {hl_number_localize (g_strdup_vprintf (format, args)), worth};
  va_end (args);
  g_array_append_val (parts, part);
}

/* Returns the lines whose oil contains vapour in the start state, by given pressures or by a source; NULL: none. Owned. */
static char *doubt_of_point (HlTransportBar *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  g_autoptr (HlCavitations) cavitations = hl_working_point_cavitations (at);
  int n = hl_cavitations_n (cavitations);

  if (n == 0)
    return NULL;
  const HlCavitation *first = hl_cavitations_get (cavitations, 0);
  const char *id = hl_system_entity_id (at->system, HL_ENTITY_LINE, first->line);
  g_autofree char *pressure =
      hl_units_format (hl_workbench_units (self->workbench), HL_QUANTITY_PRESSURE, first->lowest, 3);
  g_autofree char *text =
      first->kind == HL_DOUBT_BURSTS
          ? g_strdup_printf (_ ("%s is over the limit in the start state, at %s"), id, pressure)
          : g_strdup_printf (_ ("%s cavitates in the start state, at %s"), id, pressure);
  if (n == 1)
    return g_steal_pointer (&text);
  return g_strdup_printf (ngettext ("%s; and %d more line", "%s; and %d more lines", (gulong)(n - 1)), text,
                          n - 1);
}

/* Returns whether the present model cannot be run and the plots show a run of an earlier one. */
static gboolean shows_earlier_model (HlTransportBar *self) {
  HlRuns *runs = hl_workbench_runs (self->workbench);
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlRun *run = hl_runs_shown (runs);

  return run != NULL && !run->is_driven && hl_results_n_rows (run->results) > 0 &&
         !hl_runs_is_running (runs) && hl_findings_first_error (hl_editing_findings (editing)) &&
         !hl_document_equal (run->document, hl_editing_document (editing)) &&
         hl_plot_edit_has_traces (self->workbench);
}

/* Returns whether the status line of a preview run should keep its text: during a drag the duration changes
 * faster than a person can read, and a text of another length causes a new layout. */
static gboolean is_hurried (HlTransportBar *self, const HlRun *run) {
  gint64 now = g_get_monotonic_time ();

  if (run == NULL || !run->preview || run->state != HL_RUN_DONE || run->refines) {
    self->status_us = 0;
    return FALSE;
  }
  if (now - self->status_us < READING_US)
    return TRUE;
  self->status_us = now;
  return FALSE;
}

static void figures_mapped_cb (HlTransportBar *self) {
  gtk_label_set_text (self->info_label, self->figures != NULL ? self->figures : _ ("No run yet"));
}

/* Shows one figure per line. A hidden label is not updated while a slider is dragged. */
static void show_figures (HlTransportBar *self, const GArray *figures) {
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < figures->len; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? "\n" : "", g_array_index (figures, HlStatusPart, k).text);
  g_free (self->figures);
  self->figures = g_string_free (text, text->len == 0);
  if (gtk_widget_get_mapped (GTK_WIDGET (self->info_label)))
    figures_mapped_cb (self);
}

static void show_status (HlTransportBar *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);
  HlRuns *runs = hl_workbench_runs (self->workbench);
  g_autoptr (GArray) parts = status_parts_new ();
  g_autoptr (GArray) figures = status_parts_new ();
  HlRun *run = hl_runs_shown (runs);

  gboolean is_stale = shows_earlier_model (self);
  /* no run follows a drag that ends where none can begin */
  if (is_hurried (self, run) && !is_stale)
    return;
  HlFrameTimes latency = hl_frame_meter_latencies (self->meter);

  g_autofree char *drive = hl_manual_run_text (hl_workbench_manual_run (self->workbench));
  gboolean is_over = run != NULL && hl_run_is_over (run);

  is_stale = is_stale && drive == NULL;
  if (is_stale)
    append_part (parts, HL_WORTH_NEWS, _ ("the plots show the run from before the last changes"));
  if (is_stale != gtk_widget_has_css_class (GTK_WIDGET (self->plots), "earlier"))
    (is_stale ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (self->plots), "earlier");
  if (drive != NULL)
    append_part (parts, HL_WORTH_NEWS, "%s", drive);
  else if (hl_runs_is_running (runs) && run != NULL && !is_over)
    append_part (parts, HL_WORTH_NEWS, _ ("running"));
  if (is_over && run->is_driven)
    append_part (parts, HL_WORTH_FACT, _ ("driven for %s s"), hl_shown (run->t_end, 3).text);
  else if (run != NULL && run->state == HL_RUN_STOPPED)
    append_part (parts, HL_WORTH_NEWS,
                 run->is_stopped_by_user ? _ ("stopped by the user at %s s") : _ ("interrupted at %s s"),
                 hl_shown (run->stats.t_reached, 3).text);
  if (run != NULL && run->state == HL_RUN_FAILED)
    append_part (parts, HL_WORTH_NEWS, _ ("run failed"));
  if (is_over && run->state != HL_RUN_FAILED && !run->is_driven) {
    append_part (figures, HL_WORTH_FACT, _ ("Run of %s s in %.1f ms"), hl_shown (run->t_end, 3).text,
                 1e3 * run->stats.seconds);
    append_part (figures, HL_WORTH_FACT, _ ("%ld steps"), run->stats.steps);
    if (run->stats.again)
      append_part (parts, HL_WORTH_FACT, _ ("by %s: %s failed at %s s"),
                   run->stats.method == HL_METHOD_RADAU ? "Radau" : "BDF",
                   run->stats.method == HL_METHOD_RADAU ? "BDF" : "Radau",
                   hl_shown (run->stats.t_gave_up, 3).text);
    if (run->stats.takeover.why != HL_TAKEOVER_NONE)
      append_part (parts, HL_WORTH_FACT, _ ("by %s from %s s"),
                   run->stats.takeover.method == HL_METHOD_RADAU ? "Radau" : "BDF",
                   hl_shown (run->stats.takeover.t, 3).text);
    if (run->stats.start_loss.energy > 0.0)
      append_part (parts, HL_WORTH_FACT, _ ("%s J lost at the start"),
                   hl_shown (run->stats.start_loss.energy, 3).text);
    if (run->stats.compressible_lines.n > 0)
      append_part (parts, HL_WORTH_FACT, _ ("a line is compressible from %s s"),
                   hl_shown (run->stats.compressible_lines.t, 3).text);
  }
  g_autofree char *doubt = hl_runs_doubt_text (runs, run);
  if (doubt == NULL && !(is_over && run->state == HL_RUN_DONE))
    doubt = doubt_of_point (self); /* before a run says more, or where none came of it */
  if (doubt != NULL)
    append_part (parts, HL_WORTH_NEWS, "%s", doubt);
  g_autofree char *size = run != NULL && !run->is_driven ? hl_run_size_text (run) : NULL;
  if (size != NULL)
    append_part (figures, HL_WORTH_FACT, "%s", size);
  if (hl_runs_news (runs) != NULL)
    append_part (parts, HL_WORTH_FACT, "%s", hl_runs_news (runs));
  else if (hl_runs_kept (runs)->len > 1) {
    g_autofree char *bytes = g_format_size (hl_runs_bytes (runs));
    append_part (figures, HL_WORTH_FACT, _ ("Kept runs: %s"), bytes);
  }
  if (hl_locus_study_locus (study) != NULL)
    append_part (figures, HL_WORTH_FACT, _ ("Root locus in %.1f ms"), 1e3 * hl_locus_study_seconds (study));
  if (latency.n > 1) {
    append_part (figures, HL_WORTH_FACT, _ ("Slider to trace in %.0f ms"), latency.median_ms);
    append_part (figures, HL_WORTH_FACT, _ ("Frame in %.0f ms"),
                 hl_frame_meter_frames (self->meter).median_ms);
  }
  status_line_set (self->status_line, g_steal_pointer (&parts));
  show_figures (self, figures);
}

/* --- the window as a film --- */

/* Shows "● Recording 0:12 · Stop" beside the time bar, in every layout of the window. */
static void show_seconds (HlTransportBar *self) {
  int s = (int)hl_window_recorder_seconds (self->camera);
  g_autofree char *text = g_strdup_printf (_ ("● Recording %d:%02d · Stop"), s / 60, s % 60);

  gtk_button_set_label (GTK_BUTTON (self->recording_button), text);
}

static gboolean second_cb (gpointer data) {
  show_seconds (data);
  return G_SOURCE_CONTINUE;
}

static void show_recording (HlTransportBar *self) {
  g_simple_action_set_state (find_action (self, "record"), g_variant_new_boolean (self->camera != NULL));
  g_clear_handle_id (&self->recording_id, g_source_remove);
  gtk_widget_set_visible (self->recording_button, self->camera != NULL);
  if (self->camera == NULL)
    return;
  show_seconds (self);
  self->recording_id = g_timeout_add (SECOND_MS, second_cb, self);
}

static void ended (gpointer data, const char *path, const GError *error) {
  HlTransportBar *self = data;
  g_autofree char *text =
      error == NULL ? g_strdup_printf (_ ("Recording saved to %s"), path) : g_strdup (error->message);

  self->camera = NULL; /* which frees itself */
  show_recording (self);
  hl_banner_show (self->banner, text, error != NULL);
}

void hl_transport_bar_set_film_waiting (HlTransportBar *self, gboolean waits) {
  self->film_waits = waits;
  if (self->camera != NULL)
    hl_window_recorder_set_waiting (self->camera, waits);
}

/* Clears the selected text of the field that had the keyboard focus, for the recording. */
static void leave_field (GtkWindow *window) {
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus == NULL || !GTK_IS_EDITABLE (focus))
    return;
  gtk_editable_select_region (GTK_EDITABLE (focus), 0, 0);
  gtk_window_set_focus (window, NULL);
}

gboolean hl_transport_bar_record (HlTransportBar *self, const char *path, GError **error) {
  g_return_val_if_fail (self->camera == NULL, FALSE);
  hl_banner_hide (self->banner);
  leave_field (window_of (self));
  self->camera = hl_window_recorder_new (window_of (self), path, ended, self, error);
  if (self->camera != NULL) {
    hl_window_recorder_set_waiting (self->camera, self->film_waits);
    hl_window_recorder_leave_out (self->camera, self->recording_button);
  }
  show_recording (self);
  return self->camera != NULL;
}

static void chosen (gpointer owner, const char *path, const GError *refused) {
  HlTransportBar *self = owner;
  g_autoptr (GError) error = NULL;

  if (self->camera != NULL)
    return;
  if (path == NULL)
    hl_banner_show (self->banner, refused->message, TRUE);
  else if (!hl_transport_bar_record (self, path, &error))
    hl_banner_show (self->banner, error->message, TRUE);
}

static void record_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  static const HlFileFormat formats[] = {{".webm", N_ ("Films (*.webm)")}};
  HlTransportBar *self = data;

  if (self->camera != NULL) {
    hl_window_recorder_stop (self->camera);
    return;
  }
  if (!hl_encoder_exists ()) {
    hl_banner_show (self->banner, _ ("Recording needs the program ffmpeg, which is not installed."), TRUE);
    return;
  }
  hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Record the window as"),
                                    .accept = _ ("_Record"),
                                    .name = "hydrolink.webm",
                                    .formats = formats,
                                    .n_formats = G_N_ELEMENTS (formats),
                                    .only = -1,
                                    .chosen = chosen},
                  &self->chooser, window_of (self), G_OBJECT (self));
}

/* --- driving --- */

static void connect_gamepad (HlTransportBar *self) {
  self->pad = hl_gamepad_new (hl_workbench_manual_run (self->workbench));
  self->pad_device = hl_gamepad_device_new (self->pad);
}

static void put_pad_away (HlTransportBar *self) {
  g_clear_pointer (&self->pad_device, hl_gamepad_device_free);
  g_clear_pointer (&self->pad, hl_gamepad_free);
}

static void set_driving (HlTransportBar *self, gboolean driving) {
  hl_inspector_flush (gtk_widget_get_root (GTK_WIDGET (self)));
  if (!driving) {
    hl_runs_stop (hl_workbench_runs (self->workbench));
    return;
  }
  hl_time_bar_set_playing (self->time_bar, FALSE);
  hl_manual_run_begin (hl_workbench_manual_run (self->workbench));
  if (!hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench))) {
    hl_banner_show (self->banner,
                    _ ("Nothing can be driven yet. The problems below say what the model needs first."),
                    TRUE);
    return;
  }
  g_signal_emit (self, signals[DRIVE_BEGAN], 0);
}

static void drive_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  set_driving (data, g_variant_get_boolean (state));
  show_states (data);
}

static void pause_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlManualRun *driving = hl_workbench_manual_run (HL_TRANSPORT_BAR (data)->workbench);

  hl_manual_run_set_paused (driving, !hl_manual_run_is_paused (driving));
}

static void keep_levers_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTransportBar *self = data;
  const HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  g_autoptr (GError) error = NULL;

  if (run == NULL || run->levers == NULL)
    return;
  int n_tuned = run->n_tuned; /* the run may go when the model changes */
  if (!hl_manual_run_keep_levers (hl_workbench_manual_run (self->workbench), run, &error))
    hl_banner_show (self->banner, error->message, TRUE);
  else
    hl_banner_show (self->banner,
                    n_tuned > 0
                        ? _ ("The lever movements are in the file now, changes of numbers are not: a run "
                             "uses the present numbers from its start.")
                        : _ ("The lever movements are in the file now. Run repeats them."),
                    FALSE);
}

static void follow_drive (HlWorkbench *workbench, guint changes, HlTransportBar *self) {
  gboolean driving = hl_manual_run_is_under_way (hl_workbench_manual_run (workbench));

  if (driving && self->pad == NULL)
    connect_gamepad (self);
  if (self->was_driving && !driving) {
    put_pad_away (self);
    g_autofree char *news = hl_manual_run_take_news (hl_workbench_manual_run (workbench));
    g_signal_emit (self, signals[DRIVE_ENDED], 0);
    if (news != NULL)
      hl_banner_show (self->banner, news, FALSE);
  } else if (!driving && (changes & HL_CHANGED_ACTIVITY)) {
    g_autofree char *news = hl_manual_run_take_news (hl_workbench_manual_run (workbench));
    if (news != NULL) /* of a tape that does not fit */
      hl_banner_show (self->banner, news, TRUE);
  }
  self->was_driving = driving;
}

/* --- runs, time and the rest --- */

static void run_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTransportBar *self = data;

  hl_inspector_flush (gtk_widget_get_root (GTK_WIDGET (self)));
  hl_runs_start (hl_workbench_runs (self->workbench));
  g_signal_emit (self, signals[RUN_PRESSED], 0);
}

static void stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_runs_stop (hl_workbench_runs (HL_TRANSPORT_BAR (data)->workbench));
}

static void pin_run_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  hl_runs_pin_shown (hl_workbench_runs (HL_TRANSPORT_BAR (data)->workbench), g_variant_get_boolean (state));
}

/* Plays or stops the playback; during an interactive run pauses or continues the run. */
static void play_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTransportBar *self = data;

  if (hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench)))
    pause_cb (NULL, NULL, self);
  else
    hl_time_bar_set_playing (self->time_bar, !hl_time_bar_is_playing (self->time_bar));
}

static void rewind_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  time_bar_rewind (HL_TRANSPORT_BAR (data)->time_bar);
}

static void problems_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_problems_open (HL_TRANSPORT_BAR (data)->problems);
}

static void fullscreen_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlTransportBar *self = data;

  if (g_variant_get_boolean (state))
    gtk_window_fullscreen (window_of (self));
  else
    gtk_window_unfullscreen (window_of (self));
  /* the header is gone then, and with it the menu */
  gtk_widget_set_visible (self->unfullscreen_button, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static const GActionEntry actions[] = {
    {"run", run_cb, NULL, NULL, NULL},
    {"stop", stop_cb, NULL, NULL, NULL},
    {"pin-run", NULL, NULL, "false", pin_run_cb},
    {"play", play_cb, NULL, NULL, NULL},
    {"rewind", rewind_cb, NULL, NULL, NULL},
    {"drive", NULL, NULL, "false", drive_cb},
    {"drive-pause", pause_cb, NULL, NULL, NULL},
    {"keep-levers", keep_levers_cb, NULL, NULL, NULL},
    {"problems", problems_cb, NULL, NULL, NULL},
    {"record", NULL, NULL, "false", record_cb},
    {"fullscreen", NULL, NULL, "false", fullscreen_cb},
};

static void changed_cb (HlWorkbench *workbench, guint changes, HlTransportBar *self) {
  follow_drive (workbench, changes, self);
  if (changes &
      (HL_CHANGED_RUN | HL_CHANGED_LOCUS | HL_CHANGED_ACTIVITY | HL_CHANGED_POINT | HL_CHANGED_FINDINGS))
    show_status (self);
  show_states (self);
}

void hl_transport_bar_set_source (HlTransportBar *self, const HlTransportSource *source, GActionMap *map) {
  self->workbench = g_object_ref (source->workbench);
  self->plots = source->plots;
  self->meter = source->meter;
  self->banner = source->banner;
  self->actions = map;
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
  time_bar_set_workbench (self->time_bar, self->workbench);
  problems_set_workbench (self->problems, self->workbench);
  g_signal_connect (self->workbench, "changed", G_CALLBACK (changed_cb), self);
  changed_cb (self->workbench, HL_CHANGED_EVERYTHING, self);
}

/* --- for the window --- */

void hl_transport_bar_set_hall (HlTransportBar *self, gboolean in_hall) {
  g_autoptr (GVariant) is_full =
      g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "fullscreen");

  time_bar_set_alone (self->time_bar, in_hall);
  gtk_widget_set_visible (GTK_WIDGET (self->status_line), !in_hall);
  gtk_widget_set_visible (GTK_WIDGET (self->problems), !in_hall);
  gtk_widget_set_visible (self->info_button, !in_hall);
  hl_transport_bar_set_tight (self, self->is_tight);
  gtk_widget_set_visible (self->unfullscreen_button, !in_hall && g_variant_get_boolean (is_full));
}

void hl_transport_bar_set_tight (HlTransportBar *self, gboolean is_tight) {
  self->is_tight = is_tight;
  gtk_widget_set_visible (self->plots_button, !is_tight && gtk_widget_get_visible (self->info_button));
}

const char *hl_transport_bar_topic (HlTransportBar *self, GtkWidget *widget) {
  const struct {
    gpointer part;
    const char *topic;
  } parts[] = {{self->time_bar, "time"}, {self->problems, "problems"}};

  for (gsize k = 0; widget != NULL && k < G_N_ELEMENTS (parts); k++)
    if (widget == parts[k].part || gtk_widget_is_ancestor (widget, parts[k].part))
      return parts[k].topic;
  return NULL;
}

gboolean hl_transport_bar_is_settled (HlTransportBar *self) {
  return !hl_rebuild_is_due (GTK_WIDGET (self->problems));
}

/* --- life --- */

void hl_transport_bar_stop (HlTransportBar *self) {
  g_clear_handle_id (&self->recording_id, g_source_remove);
  g_clear_pointer (&self->camera, hl_window_recorder_drop);
  put_pad_away (self);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
}

static void transport_bar_dispose (GObject *object) {
  HlTransportBar *self = HL_TRANSPORT_BAR (object);

  hl_transport_bar_stop (self);
  g_clear_pointer (&self->figures, g_free);
  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_transport_bar_parent_class)->dispose (object);
}

static void hl_transport_bar_class_init (HlTransportBarClass *klass) {
  static const char *const names[N_SIGNALS] = {"run-pressed", "drive-began", "drive-ended"};

  G_OBJECT_CLASS (klass)->dispose = transport_bar_dispose;
  for (int k = 0; k < N_SIGNALS; k++)
    signals[k] = g_signal_new (names[k], HL_TYPE_TRANSPORT_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
  g_type_ensure (HL_TYPE_TIME_BAR);
  g_type_ensure (HL_TYPE_PROBLEMS);
  g_type_ensure (HL_TYPE_STATUS_LINE);
  hl_widget_tree_load (klass, "hl-playback-bar");
  HL_TREE_CHILD (klass, HlTransportBar, time_bar);
  HL_TREE_CHILD (klass, HlTransportBar, problems);
  HL_TREE_CHILD (klass, HlTransportBar, status_line);
  HL_TREE_CALLBACK (klass, figures_mapped_cb);
  HL_TREE_CHILD (klass, HlTransportBar, plots_button);
  HL_TREE_CHILD (klass, HlTransportBar, info_button);
  HL_TREE_CHILD (klass, HlTransportBar, info_label);
  HL_TREE_CHILD (klass, HlTransportBar, recording_button);
  HL_TREE_CHILD (klass, HlTransportBar, unfullscreen_button);
}

static void hl_transport_bar_init (HlTransportBar *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}
