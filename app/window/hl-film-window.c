/* SPDX-License-Identifier: MIT */
/* The film is made by a task of its own; it tells its progress by one number and is told to stop by
 * another. Closing the window stops it. */
#include "app/window/hl-film-window.h"

#include "app/window/hl-chooser.h"
#include "app/window/hl-encoder.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-errand.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-widget-tree.h"
#include "ui/widget/hl-file-chooser.h"

#include <math.h>
#include <stdatomic.h>

#define PROGRESS_MS 100
#define ASPECT (9.0 / 16.0)

/* Shared by the window and the task; whoever is last frees it. */
typedef struct {
  gatomicrefcount count;
  atomic_int frame;
  atomic_bool stop;
  HlFilm *film;
  char *path;
} Job;

struct _HlFilmWindow {
  GtkWindow parent_instance;

  HlRun *run;
  HlFilm *film; /* what a job copies */
  Job *job;     /* NULL: nothing is being written */
  guint timeout;
  GtkDropDown *drawing, *style;
  GtkSpinButton *from, *to, *speed, *rate, *width;
  GtkLabel *message;
  GtkProgressBar *progress;
  GtkButton *save, *cancel;
  HlFileChooser *chooser;
};

G_DEFINE_FINAL_TYPE (HlFilmWindow, hl_film_window, GTK_TYPE_WINDOW)

static const HlStyleKind styles[] = {HL_STYLE_LIGHT, HL_STYLE_DARK, HL_STYLE_PRINT};

/* --- the job --- */

static void job_unref (gpointer data) {
  Job *job = data;
  if (!g_atomic_ref_count_dec (&job->count))
    return;
  hl_film_free (job->film);
  g_free (job->path);
  g_free (job);
}

static gboolean progress_cb (int frame, int n_frames, gpointer data) {
  Job *job = data;
  atomic_store (&job->frame, frame);
  return !atomic_load (&job->stop);
}

static gpointer work (gpointer data, GCancellable *cancellable, GError **error) {
  Job *job = data;

  return hl_film_write (job->film, job->path, progress_cb, job, error) ? job : NULL;
}

/* --- the choices --- */

static void read_choices (HlFilmWindow *self) {
  HlFilm *film = self->film;
  guint style = gtk_drop_down_get_selected (self->style);

  film->circuit = gtk_drop_down_get_selected (self->drawing) == 1;
  film->t_from = gtk_spin_button_get_value (self->from);
  film->t_to = gtk_spin_button_get_value (self->to);
  film->speed = gtk_spin_button_get_value (self->speed);
  film->rate_hz = gtk_spin_button_get_value (self->rate);
  film->width_px = 2 * ((int)gtk_spin_button_get_value (self->width) / 2); /* encoders want even */
  film->height_px = 2 * (int)lround (0.5 * ASPECT * film->width_px);
  film->style = styles[MIN (style, G_N_ELEMENTS (styles) - 1)];
}

static void show (HlFilmWindow *self) {
  gboolean working = self->job != NULL;

  if (self->film == NULL) /* a number being typed as the window goes */
    return;
  read_choices (self);
  int n = hl_film_n_frames (self->film);
  if (!working) {
    g_autofree char *text = g_strdup_printf (
        ngettext ("%d frame of %d × %d pixels, %.1f s", "%d frames of %d × %d pixels, %.1f s", (gulong)n), n,
        self->film->width_px, self->film->height_px, n / self->film->rate_hz);
    gtk_label_set_text (self->message, text);
  }
  gtk_widget_set_sensitive (GTK_WIDGET (self->save), !working && n > 0);
  gtk_widget_set_sensitive (GTK_WIDGET (self->cancel), working);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), working);
}

/* --- working --- */

static gboolean show_progress_cb (gpointer data) {
  HlFilmWindow *self = data;
  int frame = atomic_load (&self->job->frame), n = hl_film_n_frames (self->job->film);
  g_autofree char *text = g_strdup_printf (_ ("Frame %d of %d"), frame, n);

  gtk_progress_bar_set_fraction (self->progress, (double)frame / MAX (n, 1));
  gtk_label_set_text (self->message, text);
  return G_SOURCE_CONTINUE;
}

static void done_cb (gpointer sender, gpointer job, gpointer written, const GError *error) {
  HlFilmWindow *self = sender;
  g_autofree char *text =
      written != NULL ? g_strdup_printf (_ ("Written: %s"), self->job->path) : g_strdup (error->message);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->job, job_unref);
  if (self->film == NULL) /* closed meanwhile */
    return;
  show (self);
  gtk_label_set_text (self->message, text);
}

void hl_film_window_start (HlFilmWindow *self, const char *path) {
  if (self->job != NULL)
    return;
  read_choices (self);
  Job *job = g_new0 (Job, 1);
  g_atomic_ref_count_init (&job->count);
  job->film = hl_film_copy (self->film);
  job->path = g_strdup (path);
  self->job = job;
  g_atomic_ref_count_inc (&job->count);
  hl_errand_send (
      &(HlErrand){
          .work = work, .done = done_cb, .free_job = job_unref, .sender = self, .keep = G_OBJECT (self)},
      job);
  self->timeout = g_timeout_add (PROGRESS_MS, show_progress_cb, self);
  show (self);
}

gboolean hl_film_window_is_working (HlFilmWindow *self) {
  return self->job != NULL;
}

static void cancel_cb (GtkButton *button, HlFilmWindow *self) {
  if (self->job != NULL)
    atomic_store (&self->job->stop, TRUE);
}

static void chosen (gpointer owner, const char *path, const GError *refused) {
  HlFilmWindow *self = owner;

  if (path == NULL)
    gtk_label_set_text (self->message, refused->message);
  else
    hl_film_window_start (self, path);
}

static void save_cb (GtkButton *button, HlFilmWindow *self) {
  static const HlFileFormat formats[] = {{".webm", N_ ("WebM (*.webm)")},
                                         {".png", N_ ("Numbered pictures (*.png)")}};
  gboolean can_film = hl_encoder_exists ();

  hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Save the animation"),
                                    .accept = _ ("_Save"),
                                    .name = can_film ? "animation.webm" : "animation.png",
                                    .formats = formats,
                                    .n_formats = G_N_ELEMENTS (formats),
                                    .only = can_film ? -1 : 1,
                                    .chosen = chosen},
                  &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

/* --- the window --- */

/* The task keeps the closed window alive, maybe longer than its parent: what ends it is that nobody
 * sees it any more. */
static void unrealize_cb (HlFilmWindow *self) {
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
  if (self->job != NULL)
    atomic_store (&self->job->stop, TRUE);
}

static void hl_film_window_dispose (GObject *object) {
  HlFilmWindow *self = HL_FILM_WINDOW (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_pointer (&self->film, hl_film_free);
  g_clear_pointer (&self->run, hl_run_unref);
  G_OBJECT_CLASS (hl_film_window_parent_class)->dispose (object);
}

static void hl_film_window_class_init (HlFilmWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_film_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-film-window");
  HL_TREE_CHILD (klass, HlFilmWindow, drawing);
  HL_TREE_CHILD (klass, HlFilmWindow, from);
  HL_TREE_CHILD (klass, HlFilmWindow, to);
  HL_TREE_CHILD (klass, HlFilmWindow, speed);
  HL_TREE_CHILD (klass, HlFilmWindow, rate);
  HL_TREE_CHILD (klass, HlFilmWindow, width);
  HL_TREE_CHILD (klass, HlFilmWindow, style);
  HL_TREE_CHILD (klass, HlFilmWindow, message);
  HL_TREE_CHILD (klass, HlFilmWindow, progress);
  HL_TREE_CHILD (klass, HlFilmWindow, cancel);
  HL_TREE_CHILD (klass, HlFilmWindow, save);
  HL_TREE_CALLBACK (klass, show);
  HL_TREE_CALLBACK (klass, cancel_cb);
  HL_TREE_CALLBACK (klass, save_cb);
}

static void hl_film_window_init (HlFilmWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "unrealize", G_CALLBACK (unrealize_cb), NULL);
}

HlFilmWindow *hl_film_window_present (HlWorkbench *workbench, GtkWindow *parent, GError **error) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));

  if (run == NULL || !hl_run_is_over (run) || hl_results_n_rows (run->results) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("An animation needs a finished run: press Run first"));
    return NULL;
  }
  HlFilmWindow *self =
      g_object_new (HL_TYPE_FILM_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  /* writing may keep a closed window longer than its parent lives, which GTK does not foresee */
  g_signal_connect_after (self, "unrealize", G_CALLBACK (gtk_window_set_transient_for), NULL);
  self->run = hl_run_ref (run);
  self->film = hl_film_new (run->document, run->results, hl_workbench_units (workbench));
  HlFilm usual = *self->film; /* setting one row reads all of them */
  gtk_spin_button_set_value (self->rate, usual.rate_hz);
  gtk_spin_button_set_value (self->speed, usual.speed);
  gtk_spin_button_set_value (self->width, usual.width_px);
  gtk_spin_button_set_value (self->to, usual.t_to);
  show (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
