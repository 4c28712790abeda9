/* SPDX-License-Identifier: MIT */
/* The film is made by a task of its own; it tells its progress by one number and is told to stop by
 * another. Closing the window stops it. */
#include "app/hl-film-window.h"

#include "app/hl-window-private.h"
#include "core/document/hl-error.h"
#include "core/document/hl-i18n.h"

#include <math.h>
#include <stdatomic.h>

#define PROGRESS_MS 100
#define ASPECT (9.0 / 16.0)

/* Shared by the window and the task; whoever is last frees it. */
typedef struct
{
  gatomicrefcount count;
  atomic_int frame;
  atomic_bool stop;
  HlFilm *film;
  char *path;
} Job;

struct _HlFilmWindow
{
  GtkWindow parent_instance;

  HlWindow *window; /* weak */
  HlRun *run;
  HlFilm *film; /* what a job copies */
  Job *job;     /* NULL: nothing is being written */
  guint timeout;
  GtkDropDown *drawing, *style;
  GtkSpinButton *from, *to, *speed, *rate, *width;
  GtkLabel *message;
  GtkProgressBar *progress;
  GtkButton *save, *cancel;
  GtkNativeDialog *chooser;
};

G_DEFINE_FINAL_TYPE (HlFilmWindow, hl_film_window, GTK_TYPE_WINDOW)

static const HlStyleKind styles[] = {HL_STYLE_LIGHT, HL_STYLE_DARK, HL_STYLE_PRINT};

/* --- the job --- */

static void
job_unref (gpointer data)
{
  Job *job = data;
  if (!g_atomic_ref_count_dec (&job->count))
    return;
  hl_film_free (job->film);
  g_free (job->path);
  g_free (job);
}

static gboolean
progress_cb (int frame, int n_frames, gpointer data)
{
  Job *job = data;
  atomic_store (&job->frame, frame);
  return !atomic_load (&job->stop);
}

static void
work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (hl_film_write (job->film, job->path, progress_cb, job, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* --- the choices --- */

static void
read_choices (HlFilmWindow *self)
{
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

static void
show (HlFilmWindow *self)
{
  gboolean working = self->job != NULL;

  read_choices (self);
  int n = hl_film_n_frames (self->film);
  if (!working) {
    g_autofree char *text =
        g_strdup_printf (ngettext ("%d frame of %d × %d pixels, %.1f s",
                                   "%d frames of %d × %d pixels, %.1f s", (gulong)n),
                         n, self->film->width_px, self->film->height_px, n / self->film->rate_hz);
    gtk_label_set_text (self->message, text);
  }
  gtk_widget_set_sensitive (GTK_WIDGET (self->save), !working && n > 0);
  gtk_widget_set_sensitive (GTK_WIDGET (self->cancel), working);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), working);
}

/* --- working --- */

static gboolean
show_progress_cb (gpointer data)
{
  HlFilmWindow *self = data;
  int frame = atomic_load (&self->job->frame), n = hl_film_n_frames (self->job->film);
  g_autofree char *text = g_strdup_printf (_ ("Frame %d of %d"), frame, n);

  gtk_progress_bar_set_fraction (self->progress, (double)frame / MAX (n, 1));
  gtk_label_set_text (self->message, text);
  return G_SOURCE_CONTINUE;
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  HlFilmWindow *self = HL_FILM_WINDOW (source);
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);
  g_autofree char *text =
      ok ? g_strdup_printf (_ ("Written: %s"), self->job->path) : g_strdup (error->message);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->job, job_unref);
  if (self->film == NULL) /* closed meanwhile */
    return;
  show (self);
  gtk_label_set_text (self->message, text);
}

void
hl_film_window_start (HlFilmWindow *self, const char *path)
{
  if (self->job != NULL)
    return;
  read_choices (self);
  Job *job = g_new0 (Job, 1);
  g_atomic_ref_count_init (&job->count);
  job->film = hl_film_copy (self->film);
  job->path = g_strdup (path);
  self->job = job;
  g_autoptr (GTask) task = g_task_new (self, NULL, done_cb, NULL);
  g_atomic_ref_count_inc (&job->count);
  g_task_set_task_data (task, job, job_unref);
  g_task_run_in_thread (task, work);
  self->timeout = g_timeout_add (PROGRESS_MS, show_progress_cb, self);
  show (self);
}

gboolean
hl_film_window_is_working (HlFilmWindow *self)
{
  return self->job != NULL;
}

const char *
hl_film_window_message (HlFilmWindow *self)
{
  return gtk_label_get_text (self->message);
}

static void
cancel_cb (GtkButton *button, HlFilmWindow *self)
{
  if (self->job != NULL)
    atomic_store (&self->job->stop, TRUE);
}

static void
save_response_cb (GtkNativeDialog *dialog, int response, HlFilmWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = response == GTK_RESPONSE_ACCEPT
                              ? hl_window_chosen_path (GTK_FILE_CHOOSER (dialog), &error)
                              : NULL;

  g_clear_object (&self->chooser);
  if (error != NULL)
    gtk_label_set_text (self->message, error->message);
  else if (path != NULL)
    hl_film_window_start (self, path);
}

static void
save_cb (GtkButton *button, HlFilmWindow *self)
{
  GtkFileChooserNative *native =
      gtk_file_chooser_native_new (_ ("Save the animation"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);

  if (hl_film_has_encoder ())
    hl_window_add_filter (chooser, _ ("WebM (*.webm)"), "*.webm");
  hl_window_add_filter (chooser, _ ("Numbered pictures (*.png)"), "*.png");
  gtk_file_chooser_set_current_name (chooser,
                                     hl_film_has_encoder () ? "animation.webm" : "animation.png");
  g_clear_object (&self->chooser);
  self->chooser = GTK_NATIVE_DIALOG (native);
  g_signal_connect_object (native, "response", G_CALLBACK (save_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

/* --- the window --- */

static GtkWidget *
add_row (GtkGrid *grid, int row, const char *text, GtkWidget *widget)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, widget, 1, row, 1, 1);
  return widget;
}

static GtkSpinButton *
add_number (HlFilmWindow *self,
            GtkGrid *grid,
            int row,
            const char *text,
            double least,
            double most,
            double step,
            guint digits)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 7);
  return GTK_SPIN_BUTTON (add_row (grid, row, text, spin));
}

static GtkDropDown *
add_list (GtkGrid *grid, int row, const char *text, const char *const *entries)
{
  return GTK_DROP_DOWN (add_row (grid, row, text, gtk_drop_down_new_from_strings (entries)));
}

/* The task keeps the closed window alive, maybe longer than its parent: what ends it is that nobody
 * sees it any more. */
static void
unrealize_cb (HlFilmWindow *self)
{
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
  if (self->job != NULL)
    atomic_store (&self->job->stop, TRUE);
}

static void
hl_film_window_dispose (GObject *object)
{
  HlFilmWindow *self = HL_FILM_WINDOW (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_weak_pointer (&self->window);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->film, hl_film_free);
  g_clear_pointer (&self->run, hl_run_unref);
  G_OBJECT_CLASS (hl_film_window_parent_class)->dispose (object);
}

static void
hl_film_window_class_init (HlFilmWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_film_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
add_choices (HlFilmWindow *self, GtkGrid *grid)
{
  self->drawing =
      add_list (grid, 0, _ ("Drawing"), (const char *[]){_ ("Linkage"), _ ("Circuit"), NULL});
  self->from = add_number (self, grid, 1, _ ("From [s]"), 0, 1e6, 0.1, 3);
  self->to = add_number (self, grid, 2, _ ("To [s]"), 0, 1e6, 0.1, 3);
  self->speed = add_number (self, grid, 3, _ ("Speed (0.1 is slow motion)"), 0.001, 100, 0.1, 3);
  self->rate = add_number (self, grid, 4, _ ("Frames a second"), 1, 120, 1, 0);
  self->width = add_number (self, grid, 5, _ ("Width [px]"), 160, 3840, 10, 0);
  self->style =
      add_list (grid, 6, _ ("Style"), (const char *[]){_ ("Light"), _ ("Dark"), _ ("Print"), NULL});
  GtkWidget *const widgets[] = {
      GTK_WIDGET (self->from),  GTK_WIDGET (self->to),   GTK_WIDGET (self->speed),
      GTK_WIDGET (self->width), GTK_WIDGET (self->rate),
  };
  for (guint i = 0; i < G_N_ELEMENTS (widgets); i++)
    g_signal_connect_object (widgets[i], "value-changed", G_CALLBACK (show), self,
                             G_CONNECT_SWAPPED);
}

static void
hl_film_window_init (HlFilmWindow *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_window_set_titlebar (GTK_WINDOW (self), gtk_header_bar_new ());
  gtk_window_set_title (GTK_WINDOW (self), _ ("Export an animation"));
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "workbench");
  gtk_widget_add_css_class (page, "dialog-page");
  gtk_grid_set_row_spacing (grid, 6);
  gtk_grid_set_column_spacing (grid, 24);
  self->message = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->message, 0);
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_max_width_chars (self->message, 40);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "dim-label");
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  self->cancel = GTK_BUTTON (gtk_button_new_with_mnemonic (_ ("_Cancel")));
  self->save = GTK_BUTTON (gtk_button_new_with_mnemonic (_ ("_Save…")));
  gtk_widget_add_css_class (GTK_WIDGET (self->save), "suggested-action");
  gtk_widget_set_halign (buttons, GTK_ALIGN_END);
  add_choices (self, grid);
  gtk_box_append (GTK_BOX (buttons), GTK_WIDGET (self->cancel));
  gtk_box_append (GTK_BOX (buttons), GTK_WIDGET (self->save));
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (grid));
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->message));
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->progress));
  gtk_box_append (GTK_BOX (page), buttons);
  gtk_window_set_child (GTK_WINDOW (self), page);
  g_signal_connect (self, "unrealize", G_CALLBACK (unrealize_cb), NULL);
  g_signal_connect_object (self->cancel, "clicked", G_CALLBACK (cancel_cb), self, 0);
  g_signal_connect_object (self->save, "clicked", G_CALLBACK (save_cb), self, 0);
}

HlFilmWindow *
hl_film_window_present (HlWindow *window)
{
  HlWorkbench *workbench = hl_window_workbench (window);
  HlRun *run = hl_workbench_shown_run (workbench);

  if (run == NULL || !hl_run_is_over (run) || hl_results_n_rows (run->results) == 0) {
    hl_window_show_banner (window, _ ("An animation needs a finished run: press Run first"), TRUE);
    return NULL;
  }
  HlFilmWindow *self = g_object_new (HL_TYPE_FILM_WINDOW, "transient-for", window,
                                     "destroy-with-parent", TRUE, NULL);
  /* writing may keep a closed window longer than its parent lives, which GTK does not foresee */
  g_signal_connect_after (self, "unrealize", G_CALLBACK (gtk_window_set_transient_for), NULL);
  g_set_weak_pointer (&self->window, window);
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
