/* SPDX-License-Identifier: MIT */
/* A task writes the animation. One number reports its progress, another cancels it. Closing the window
 * cancels it. */
#include "app/export/hl-animation-export-window.h"

#include "app/export/hl-window-recorder.h"
#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-widget-template.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One view for the whole film, so that nothing jumps: it holds all the way the linkage goes, or
 * goes along where that is much longer than the machine. */

#define MOST_FRAMES 100000
#define FONT_OF_WIDTH 0.0145 /* body text in parts of the width */
#define MARGIN_EM 4.0
#define BOX_INSTANTS 48
#define TRAVEL 2.5 /* a way this many times the size of the machine: the view goes along */

HlFilm *hl_film_new (const HlDocument *document, HlResults *results, const HlUnit *const *units) {
  HlFilm *film = g_new0 (HlFilm, 1);
  int n = hl_results_n_rows (results);

  film->document = hl_document_ref (document);
  film->results = hl_results_ref (results);
  memcpy (film->units, units, sizeof film->units);
  film->t_to = n > 0 ? hl_results_get (results, 0, n - 1) : 0;
  film->speed = 1;
  film->rate_hz = 25;
  film->width_px = 960;
  film->height_px = 540;
  film->style = HL_STYLE_LIGHT;
  return film;
}

static HlFilm *film_copy (const HlFilm *film) {
  HlFilm *copy = g_new (HlFilm, 1);

  *copy = *film;
  hl_document_ref (copy->document);
  hl_results_ref (copy->results);
  return copy;
}

void hl_film_free (HlFilm *film) {
  if (film == NULL)
    return;
  hl_document_unref (film->document);
  hl_results_unref (film->results);
  g_free (film);
}

int hl_film_n_frames (const HlFilm *film) {
  double n = (film->t_to - film->t_from) / film->speed * film->rate_hz;
  return isfinite (n) && n >= 0 ? (int)fmin (floor (n + 1e-9) + 1, MOST_FRAMES + 1.0) : 0;
}

/* Returns the time of a frame in the run [s]. */
static double time_of (const HlFilm *film, int frame) {
  return film->t_from + frame * film->speed / film->rate_hz;
}

/* --- painting --- */

typedef struct {
  const HlFilm *film;
  HlStyle style;
  HlRect area;
  HlLinkageScene *linkage;
  HlCircuitScene *circuit;
  HlView view;
  gboolean travels;
  cairo_surface_t *surface;
} Studio;

static const HlMechanismPicture *linkage_at (Studio *studio, double t) {
  HlInstant instant = {studio->film->results, t};
  return hl_linkage_scene_update (studio->linkage, studio->film->document, &instant, NULL);
}

static void place_linkage (Studio *studio) {
  const HlFilm *film = studio->film;
  HlRect now = hl_mechanism_box (linkage_at (studio, film->t_from)), way = now;

  for (int k = 1; k <= BOX_INSTANTS; k++)
    way = hl_rect_union (way, hl_mechanism_box (linkage_at (
                                  studio, film->t_from + (film->t_to - film->t_from) * k / BOX_INSTANTS)));
  studio->travels = fmax (way.width, way.height) > TRAVEL * fmax (now.width, now.height);
  studio->view = (HlView){.scale = 1, .y_up = TRUE};
  hl_view_fit (&studio->view, studio->travels ? now : way, studio->area, MARGIN_EM * studio->style.font_size,
               1e6);
}

static void center_mechanism (Studio *studio, const HlMechanismPicture *picture) {
  HlRect box = hl_mechanism_box (picture);
  HlSpot at = hl_view_to_device (&studio->view, (HlSpot){box.x + 0.5 * box.width, box.y + 0.5 * box.height});

  hl_view_pan (&studio->view, studio->area.x + 0.5 * studio->area.width - at.x,
               studio->area.y + 0.5 * studio->area.height - at.y);
}

static void paint_linkage (Studio *studio, cairo_t *cr, double t, const char *caption) {
  HlMechanismPicture picture = *linkage_at (studio, t);

  picture.caption = caption;
  if (studio->travels)
    center_mechanism (studio, &picture);
  hl_paint_mechanism (cr, &picture, &studio->view, studio->area, &studio->style);
}

static void paint_circuit (Studio *studio, cairo_t *cr, double t, const char *caption) {
  HlInstant instant = {studio->film->results, t};
  HlCircuitPicture picture =
      *hl_circuit_scene_update (studio->circuit, studio->film->document, &instant, NULL, studio->film->units);
  double em = studio->style.font_size;
  HlView view = {.scale = 1};

  picture.show_grid = FALSE;
  hl_view_fit (&view, hl_circuit_box (&picture), studio->area, 2 * em, 1.4 * em);
  hl_paint_circuit (cr, &picture, &view, studio->area, &studio->style);
  hl_text_pill (cr, &studio->style, caption,
                (HlSpot){studio->area.x + studio->area.width - em, studio->area.y + em}, 1, 0);
}

static void paint_frame (Studio *studio, int frame) {
  const HlFilm *film = studio->film;
  double t = fmin (time_of (film, frame), film->t_to);
  g_autofree char *caption = hl_number_localize (g_strdup_printf ("t = %.3f s", t));
  cairo_t *cr = cairo_create (studio->surface);

  hl_paint_background (cr, 0, 0, film->width_px, film->height_px, &studio->style);
  if (film->circuit)
    paint_circuit (studio, cr, t, caption);
  else
    paint_linkage (studio, cr, t, caption);
  cairo_destroy (cr);
  cairo_surface_flush (studio->surface);
}

static void studio_open (Studio *studio, const HlFilm *film) {
  HlStyle made = hl_style_make (film->style);

  *studio = (Studio){.film = film};
  studio->style = hl_style_scaled (&made, FONT_OF_WIDTH * film->width_px / made.font_size);
  studio->area = (HlRect){0, 0, film->width_px, film->height_px};
  studio->linkage = hl_linkage_scene_new ();
  studio->circuit = hl_circuit_scene_new ();
  studio->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, film->width_px, film->height_px);
  if (!film->circuit)
    place_linkage (studio);
}

static void studio_close (Studio *studio) {
  cairo_surface_destroy (studio->surface);
  hl_linkage_scene_free (studio->linkage);
  hl_circuit_scene_free (studio->circuit);
}

/* --- where frames go --- */

typedef struct {
  char *stem; /* series */
  int n_digits;
  int n_made;         /* frames of the series whose files this film has made: the first ones */
  HlEncoder *encoder; /* NULL: a series */
  int frame, n;       /* frames written so far, and all of them */
  HlFilmProgress progress;
  gpointer data;
} Sink;

static void set_cancelled (GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, _ ("Stopped: nothing was written"));
}

/* Returns whether to wait for the encoder; a cancelled animation does not. */
static gboolean encoder_waits_cb (gpointer data) {
  Sink *sink = data;
  return sink->progress == NULL || sink->progress (sink->frame, sink->n, sink->data);
}

static char *frame_path (const Sink *sink, int frame) {
  return g_strdup_printf ("%s-%0*d.png", sink->stem, sink->n_digits, frame + 1);
}

/* Pictures of another series, or of another kind, are neither written over nor removed when this one is stopped. */
static gboolean has_no_frames (Sink *sink, int n, GError **error) {
  for (int frame = 0; frame < n; frame++) {
    g_autofree char *path = frame_path (sink, frame);
    struct stat facts;
    if (lstat (path, &facts) != 0)
      continue;
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s already exists. Choose another name or folder."),
                 path);
    g_clear_pointer (&sink->stem, g_free);
    return FALSE;
  }
  return TRUE;
}

static gboolean sink_open (Sink *sink, const HlFilm *film, const char *path, GError **error) {
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".png")) {
    g_autofree char *last = g_strdup_printf ("%d", hl_film_n_frames (film));
    sink->stem = g_strndup (path, strlen (path) - strlen (".png"));
    sink->n_digits = (int)MAX (strlen (last), 4);
    return has_no_frames (sink, hl_film_n_frames (film), error);
  }
  if (!g_str_has_suffix (lower, ".webm")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("The name of an animation must end in .webm or .png"));
    return FALSE;
  }
  sink->encoder = hl_encoder_new (path, film->width_px, film->height_px, film->rate_hz, FALSE,
                                  encoder_waits_cb, sink, error);
  return sink->encoder != NULL;
}

static cairo_status_t write_cb (gpointer data, const unsigned char *bytes, unsigned int length) {
  const int *descriptor = data;

  while (length > 0) {
    gssize n = write (*descriptor, bytes, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return CAIRO_STATUS_WRITE_ERROR;
    bytes += n;
    length -= (unsigned int)n;
  }
  return CAIRO_STATUS_SUCCESS;
}

static gboolean put_frame (Sink *sink, cairo_surface_t *surface, int frame, GError **error) {
  if (sink->encoder != NULL) {
    if (hl_encoder_put (sink->encoder, surface, error))
      return TRUE;
    if (!encoder_waits_cb (sink)) {
      g_clear_error (error);
      set_cancelled (error);
    }
    return FALSE;
  }
  g_autofree char *path = frame_path (sink, frame);
  int descriptor = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be written: %s"), path, g_strerror (errno));
    return FALSE;
  }
  sink->n_made = frame + 1;
  cairo_status_t status = cairo_surface_write_to_png_stream (surface, write_cb, &descriptor);
  if (close (descriptor) != 0 && status == CAIRO_STATUS_SUCCESS)
    status = CAIRO_STATUS_WRITE_ERROR;
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be written: %s"), path,
               cairo_status_to_string (status));
  return FALSE;
}

/* Ends the file, or removes what there is of it. */
static gboolean sink_close (Sink *sink, gboolean ok, GError **error) {
  if (sink->encoder != NULL)
    ok = hl_encoder_close (sink->encoder, ok, error) && ok;
  for (int frame = 0; sink->stem != NULL && !ok && frame < sink->n_made; frame++) {
    g_autofree char *path = frame_path (sink, frame);
    g_unlink (path);
  }
  g_free (sink->stem);
  return ok;
}

static gboolean check_film (const HlFilm *film, GError **error) {
  int n = hl_film_n_frames (film);

  if (hl_results_n_rows (film->results) == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There are no results yet. Press Run first."));
  else if (n < 1 || n > MOST_FRAMES || film->width_px < 16 || film->height_px < 16 || film->width_px > 8192 ||
           film->height_px > 8192)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("An animation of %d frames of %d × %d pixels is too large. Choose another time span, "
                    "speed or size."),
                 n, film->width_px, film->height_px);
  else
    return TRUE;
  return FALSE;
}

gboolean hl_film_write (const HlFilm *film, const char *path, HlFilmProgress progress, gpointer data,
                        GError **error) {
  int n = hl_film_n_frames (film), frame = 0;
  Sink sink = {.n = n, .progress = progress, .data = data};
  Studio studio;

  if (!check_film (film, error) || !sink_open (&sink, film, path, error))
    return FALSE;
  studio_open (&studio, film);
  gboolean ok = TRUE;
  for (; ok && frame < n; frame++) {
    paint_frame (&studio, frame);
    sink.frame = frame;
    ok = put_frame (&sink, studio.surface, frame, error);
    if (ok && progress != NULL && !progress (frame + 1, n, data)) {
      set_cancelled (error);
      ok = FALSE;
    }
  }
  studio_close (&studio);
  return sink_close (&sink, ok, ok ? error : NULL);
}

#define PROGRESS_MS 100
#define ASPECT (9.0 / 16.0)

/* Shared by the window and the task; freed with the last reference. */
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
  HlFilm *film; /* data that a job copies */
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
  film->width_px = 2 * ((int)gtk_spin_button_get_value (self->width) / 2); /* encoders require even numbers */
  film->height_px = 2 * (int)lround (0.5 * ASPECT * film->width_px);
  film->style = styles[MIN (style, G_N_ELEMENTS (styles) - 1)];
}

static void show_message (HlFilmWindow *self) {
  gboolean working = self->job != NULL;

  if (self->film == NULL) /* a number being typed as the window goes */
    return;
  read_choices (self);
  int n = hl_film_n_frames (self->film);
  if (!working) {
    g_autofree char *text = g_strdup_printf (
        ngettext ("%d frame of %d × %d pixels, %.1f s", "%d frames of %d × %d pixels, %.1f s", (gulong)n), n,
        self->film->width_px, self->film->height_px, n / self->film->rate_hz);
    gtk_label_set_text (self->message, hl_number_localize (text));
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
  show_message (self);
  gtk_label_set_text (self->message, text);
}

void hl_film_window_start (HlFilmWindow *self, const char *path) {
  if (self->job != NULL)
    return;
  read_choices (self);
  Job *job = g_new0 (Job, 1);
  g_atomic_ref_count_init (&job->count);
  job->film = film_copy (self->film);
  job->path = g_strdup (path);
  self->job = job;
  g_atomic_ref_count_inc (&job->count);
  hl_task_start (
      &(HlTask){
          .work = work, .done = done_cb, .free_job = job_unref, .sender = self, .keep = G_OBJECT (self)},
      job);
  self->timeout = g_timeout_add (PROGRESS_MS, show_progress_cb, self);
  show_message (self);
}

gboolean hl_film_window_is_working (HlFilmWindow *self) {
  return self->job != NULL;
}

static void cancel_cb (GtkButton *button, HlFilmWindow *self) {
  if (self->job != NULL)
    atomic_store (&self->job->stop, TRUE);
}

static void file_chosen_cb (gpointer owner, const char *path, const GError *refused) {
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
                                    .chosen = file_chosen_cb},
                  &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

/* --- the window --- */

/* Ends the recording when the window is hidden: the task keeps the closed window alive, possibly longer than
 * its parent. */
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
  hl_widget_tree_load (klass, "hl-animation-export-window");
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
  HL_TREE_CALLBACK (klass, show_message);
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
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("An animation needs a finished run. Press Run first."));
    return NULL;
  }
  HlFilmWindow *self =
      g_object_new (HL_TYPE_FILM_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  /* writing may keep a closed window after its parent is freed, which GTK does not support */
  g_signal_connect_after (self, "unrealize", G_CALLBACK (gtk_window_set_transient_for), NULL);
  self->run = hl_run_ref (run);
  self->film = hl_film_new (run->document, run->results, hl_workbench_units (workbench));
  HlFilm usual = *self->film; /* setting one row reads all of them */
  gtk_spin_button_set_value (self->rate, usual.rate_hz);
  gtk_spin_button_set_value (self->speed, usual.speed);
  gtk_spin_button_set_value (self->width, usual.width_px);
  gtk_spin_button_set_value (self->to, usual.t_to);
  show_message (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
