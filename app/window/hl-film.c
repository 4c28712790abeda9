/* SPDX-License-Identifier: MIT */
/* One view for the whole film, so that nothing jumps: it holds all the way the linkage goes, or
 * goes along where that is much longer than the machine. */
#include "app/window/hl-film.h"

#include "app/window/hl-encoder.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/paint/base/hl-text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

HlFilm *hl_film_copy (const HlFilm *film) {
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

/* Of the run [s]. */
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

static void follow (Studio *studio, const HlMechanismPicture *picture) {
  HlRect box = hl_mechanism_box (picture);
  HlSpot at = hl_view_to_device (&studio->view, (HlSpot){box.x + 0.5 * box.width, box.y + 0.5 * box.height});

  hl_view_pan (&studio->view, studio->area.x + 0.5 * studio->area.width - at.x,
               studio->area.y + 0.5 * studio->area.height - at.y);
}

static void paint_linkage (Studio *studio, cairo_t *cr, double t, const char *caption) {
  HlMechanismPicture picture = *linkage_at (studio, t);

  picture.caption = caption;
  if (studio->travels)
    follow (studio, &picture);
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
  g_autofree char *caption = g_strdup_printf ("t = %.3f s", t);
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

/* A film that is cancelled does not wait for the encoder. */
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
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s is there already: choose another name or folder"),
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

static gboolean check (const HlFilm *film, GError **error) {
  int n = hl_film_n_frames (film);

  if (hl_results_n_rows (film->results) == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There are no results yet: press Run first"));
  else if (n < 1 || n > MOST_FRAMES || film->width_px < 16 || film->height_px < 16 || film->width_px > 8192 ||
           film->height_px > 8192)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("An animation of %d frames of %d × %d pixels cannot be made: choose another "
                    "time, speed or size"),
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

  if (!check (film, error) || !sink_open (&sink, film, path, error))
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
