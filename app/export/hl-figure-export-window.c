/* SPDX-License-Identifier: MIT */
/* The preview is the page itself, painted by the same function into a smaller area. The picture is rebuilt when it is
 * needed, so that it shows the present run. */
#include "app/export/hl-figure-export-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/io/hl-json-text.h"
#include "ui/workbench/hl-document-editing.h"
#include "core/io/hl-file-access.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

#define POINTS_PER_MM (72.0 / 25.4)
#define SHADOW_PX 12.0

struct _HlExportWindow {
  GtkWindow parent_instance;

  HlPictureSource source;
  GtkWindow *parent; /* window of these views, weak: without it they no longer exist */
  char *what, *revision;
  GtkDrawingArea *preview;
  GtkSpinButton *width, *height, *font_size, *dpi;
  GtkDropDown *style, *format;
  GtkStringList *formats;
  GtkCheckButton *transparent, *photograph, *whole, *seen;
  GtkLabel *message;
  HlFileChooser *chooser;
};

G_DEFINE_FINAL_TYPE (HlExportWindow, hl_export_window, GTK_TYPE_WINDOW)

static guint written_signal;

/* In the order of the list; the last one only where there are numbers. */
static const HlFileFormat formats[] = {
    {".svg", N_ ("Scalable drawing (*.svg)")},
    {".pdf", N_ ("Document (*.pdf)")},
    {".png", N_ ("Picture (*.png)")},
    {".csv", N_ ("Comma-separated values (*.csv)")},
};

static const HlStyleKind styles[] = {HL_STYLE_PRINT, HL_STYLE_LIGHT, HL_STYLE_DARK};

/* --- choices --- */

HlFigureOptions hl_export_window_options (HlExportWindow *self) {
  guint style = gtk_drop_down_get_selected (self->style);

  return (HlFigureOptions){
      .width_mm = gtk_spin_button_get_value (self->width),
      .height_mm = gtk_spin_button_get_value (self->height),
      .font_size_pt = gtk_spin_button_get_value (self->font_size),
      .dpi = gtk_spin_button_get_value (self->dpi),
      .style = styles[MIN (style, G_N_ELEMENTS (styles) - 1)],
      .transparent = gtk_check_button_get_active (self->transparent),
  };
}

void hl_export_window_set_options (HlExportWindow *self, const HlFigureOptions *options) {
  gtk_spin_button_set_value (self->width, options->width_mm);
  gtk_spin_button_set_value (self->height, options->height_mm);
  gtk_spin_button_set_value (self->font_size, options->font_size_pt);
  gtk_spin_button_set_value (self->dpi, options->dpi);
  gtk_check_button_set_active (self->transparent, options->transparent);
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    if (styles[i] == options->style)
      gtk_drop_down_set_selected (self->style, i);
}

/* Adds the name and the revision of the model, which the file of the figure states. */
static void describe_model (HlExportWindow *self, HlFigureOptions *options) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->source.workbench));
  const char *name = hl_document_name (document);

  g_free (self->revision);
  self->revision = hl_document_revision (document);
  options->title = *name != '\0' ? name : NULL;
  options->revision = self->revision;
}

static HlPicture *picture_now (HlExportWindow *self, const HlFigureOptions *options, GError **error) {
  HlPicture *picture =
      self->parent != NULL ? hl_picture_new (&self->source, self->what, options->style, error) : NULL;

  if (picture != NULL && gtk_check_button_get_active (self->whole))
    hl_picture_show_all (picture, &self->source, options->style);
  if (picture != NULL && gtk_check_button_get_active (self->seen))
    hl_picture_show_seen (picture, &self->source);
  if (picture != NULL && gtk_check_button_get_active (self->photograph))
    hl_picture_add_photograph (picture, &self->source);
  return picture;
}

static void changed_cb (HlExportWindow *self);

static void show_message (HlExportWindow *self, const char *text) {
  gtk_label_set_text (self->message, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->message), text);
}

/* --- preview --- */

static void preview_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlExportWindow *self = data;
  HlFigureOptions options = hl_export_window_options (self);
  g_autoptr (HlPicture) picture = picture_now (self, &options, NULL);
  double page_width = options.width_mm * POINTS_PER_MM;
  double page_height = options.height_mm * POINTS_PER_MM;
  double scale = fmin ((width - 2 * SHADOW_PX) / page_width, (height - 2 * SHADOW_PX) / page_height);

  if (picture == NULL || scale <= 0)
    return;
  cairo_translate (cr, 0.5 * (width - scale * page_width), 0.5 * (height - scale * page_height));
  cairo_scale (cr, scale, scale);
  cairo_rectangle (cr, 0, 0, page_width, page_height);
  cairo_clip (cr);
  hl_figure_paint_page (cr, picture->painter, picture->data, &options);
}

/* Sets the page to the shape of the visible part. */
static void seen_toggled_cb (HlExportWindow *self) {
  HlFigureOptions options = hl_export_window_options (self);
  g_autoptr (HlPicture) picture = picture_now (self, &options, NULL);

  if (picture != NULL)
    gtk_spin_button_set_value (self->height,
                               picture->height_mm * options.width_mm / hl_figure_options_default ().width_mm);
  changed_cb (self);
}

static guint format_of (HlExportWindow *self) {
  return MIN (gtk_drop_down_get_selected (self->format), G_N_ELEMENTS (formats) - 1);
}

/* Updates the options: vector figures have no pixels; the size of a PNG is shown below. */
static void changed_cb (HlExportWindow *self) {
  HlFigureOptions options = hl_export_window_options (self);
  g_autofree char *text =
      g_strdup_printf (_ ("PNG: %.0f × %.0f pixels"), round (options.width_mm / 25.4 * options.dpi),
                       round (options.height_mm / 25.4 * options.dpi));
  const char *ending = formats[format_of (self)].ending;
  gboolean has_pixels = strcmp (ending, ".png") == 0;
  show_message (self, has_pixels ? text : "");
  gtk_widget_set_sensitive (GTK_WIDGET (self->dpi), has_pixels);
  hl_pixels_queue_draw (GTK_WIDGET (self->preview));
}

/* --- save --- */

char *hl_export_window_file_name (HlExportWindow *self) {
  return g_strconcat (g_str_has_prefix (self->what, "plot:") ? "plot" : self->what,
                      formats[format_of (self)].ending, NULL);
}

gboolean hl_export_window_save_to (HlExportWindow *self, const char *path, GError **error) {
  HlFigureOptions options = hl_export_window_options (self);
  g_autoptr (HlPicture) picture = picture_now (self, &options, error);

  if (picture != NULL && picture->table != NULL && g_str_has_suffix (path, ".csv"))
    return hl_file_save_text (path, picture->table, -1, error);
  if (picture != NULL)
    describe_model (self, &options);
  return picture != NULL && hl_figure_save (picture->painter, picture->data, path, &options, error);
}

static void file_chosen_cb (gpointer owner, const char *path, const GError *refused) {
  HlExportWindow *self = owner;
  g_autoptr (GError) error = NULL;

  if (path == NULL || !hl_export_window_save_to (self, path, &error)) {
    show_message (self, path == NULL ? refused->message : error->message);
    return;
  }
  g_signal_emit (self, written_signal, 0, path);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* Opens the file chooser with a single filter, so that name and format always agree. */
static void save_cb (GtkButton *button, HlExportWindow *self) {
  g_autofree char *name = hl_export_window_file_name (self);

  hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Save the figure"),
                                    .accept = _ ("_Save"),
                                    .name = name,
                                    .formats = formats,
                                    .n_formats = G_N_ELEMENTS (formats),
                                    .only = (int)format_of (self),
                                    .chosen = file_chosen_cb},
                  &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

/* --- clipboard: as pixels and as a scalable drawing --- */

gboolean hl_export_window_copy (HlExportWindow *self, GError **error) {
  HlFigureOptions options = hl_export_window_options (self);
  g_autoptr (HlPicture) picture = picture_now (self, &options, error);

  if (picture == NULL)
    return FALSE;
  describe_model (self, &options);
  g_autoptr (GBytes) png = hl_figure_render (picture->painter, picture->data, HL_FIGURE_PNG, &options, error);
  g_autoptr (GBytes) svg =
      png != NULL ? hl_figure_render (picture->painter, picture->data, HL_FIGURE_SVG, &options, error) : NULL;
  if (svg == NULL)
    return FALSE;
  GdkContentProvider *kinds[] = {gdk_content_provider_new_for_bytes ("image/png", png),
                                 gdk_content_provider_new_for_bytes ("image/svg+xml", svg)};
  g_autoptr (GdkContentProvider) both = gdk_content_provider_new_union (kinds, 2);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (self)), both);
  return TRUE;
}

static void copy_cb (GtkButton *button, HlExportWindow *self) {
  g_autoptr (GError) error = NULL;
  show_message (self, hl_export_window_copy (self, &error) ? _ ("Copied as PNG and as SVG") : error->message);
}

/* --- print --- */

static void draw_page_cb (GtkPrintOperation *operation, GtkPrintContext *context, int page,
                          HlExportWindow *self) {
  HlFigureOptions options = hl_export_window_options (self);
  g_autoptr (HlPicture) picture = picture_now (self, &options, NULL);
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  double width = gtk_print_context_get_width (context);
  double height = gtk_print_context_get_height (context);
  double page_width = options.width_mm * POINTS_PER_MM;
  double page_height = options.height_mm * POINTS_PER_MM;

  if (picture == NULL)
    return;
  /* its own size, smaller only where the paper is */
  double scale = fmin (1.0, fmin (width / page_width, height / page_height));
  cairo_translate (cr, 0.5 * (width - scale * page_width), 0);
  cairo_scale (cr, scale, scale);
  hl_figure_paint_page (cr, picture->painter, picture->data, &options);
}

GtkPrintOperation *hl_export_window_print_operation (HlExportWindow *self) {
  GtkPrintOperation *operation = gtk_print_operation_new ();
  HlFigureOptions options = hl_export_window_options (self);
  g_autoptr (GtkPageSetup) page = gtk_page_setup_new ();

  if (options.width_mm > options.height_mm)
    gtk_page_setup_set_orientation (page, GTK_PAGE_ORIENTATION_LANDSCAPE);
  gtk_print_operation_set_default_page_setup (operation, page);
  gtk_print_operation_set_n_pages (operation, 1);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, gtk_window_get_title (GTK_WINDOW (self)));
  g_signal_connect_object (operation, "draw-page", G_CALLBACK (draw_page_cb), self, 0);
  return operation;
}

static void print_cb (GtkButton *button, HlExportWindow *self) {
  g_autoptr (GtkPrintOperation) operation = hl_export_window_print_operation (self);
  g_autoptr (GError) error = NULL;

  /* a preview is begun in an idle call that reads the display of this window, closed or not */
  g_object_set_data_full (G_OBJECT (operation), "parent", g_object_ref (self), g_object_unref);
  gtk_print_operation_set_allow_async (operation, TRUE);
  if (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, GTK_WINDOW (self),
                               &error) == GTK_PRINT_OPERATION_RESULT_ERROR)
    show_message (self, error->message);
}

/* --- the window --- */

static void hl_export_window_dispose (GObject *object) {
  HlExportWindow *self = HL_EXPORT_WINDOW (object);

  g_clear_weak_pointer (&self->parent);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  G_OBJECT_CLASS (hl_export_window_parent_class)->dispose (object);
}

static void hl_export_window_finalize (GObject *object) {
  g_free (HL_EXPORT_WINDOW (object)->what);
  g_free (HL_EXPORT_WINDOW (object)->revision);
  G_OBJECT_CLASS (hl_export_window_parent_class)->finalize (object);
}

static void hl_export_window_class_init (HlExportWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_export_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_export_window_finalize;
  written_signal = g_signal_new ("written", HL_TYPE_EXPORT_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-figure-export-window");
  HL_TREE_CHILD (klass, HlExportWindow, preview);
  HL_TREE_CHILD (klass, HlExportWindow, width);
  HL_TREE_CHILD (klass, HlExportWindow, height);
  HL_TREE_CHILD (klass, HlExportWindow, font_size);
  HL_TREE_CHILD (klass, HlExportWindow, dpi);
  HL_TREE_CHILD (klass, HlExportWindow, style);
  HL_TREE_CHILD (klass, HlExportWindow, format);
  HL_TREE_CHILD (klass, HlExportWindow, formats);
  HL_TREE_CHILD (klass, HlExportWindow, transparent);
  HL_TREE_CHILD (klass, HlExportWindow, photograph);
  HL_TREE_CHILD (klass, HlExportWindow, whole);
  HL_TREE_CHILD (klass, HlExportWindow, seen);
  HL_TREE_CHILD (klass, HlExportWindow, message);
  HL_TREE_CALLBACK (klass, changed_cb);
  HL_TREE_CALLBACK (klass, seen_toggled_cb);
  HL_TREE_CALLBACK (klass, copy_cb);
  HL_TREE_CALLBACK (klass, print_cb);
  HL_TREE_CALLBACK (klass, save_cb);
}

static void hl_export_window_init (HlExportWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

static const char *title_of (const char *what) {
  return strcmp (what, "circuit") == 0   ? _ ("Export the circuit")
         : strcmp (what, "linkage") == 0 ? _ ("Export the linkage")
         : strcmp (what, "locus") == 0   ? _ ("Export the root locus")
         : strcmp (what, "chart") == 0   ? _ ("Export a chart")
         : strcmp (what, "plots") == 0   ? _ ("Export all plots")
                                         : _ ("Export a plot");
}

HlExportWindow *hl_export_window_present (const HlPictureSource *source, GtkWindow *parent, const char *what,
                                          GError **error) {
  HlFigureOptions options = hl_figure_options_default ();
  g_autoptr (HlPicture) picture = hl_picture_new (source, what, options.style, error);

  if (picture == NULL)
    return NULL;
  HlExportWindow *self = g_object_new (HL_TYPE_EXPORT_WINDOW, "transient-for", parent, "destroy-with-parent",
                                       TRUE, "title", title_of (what), NULL);
  /* printing keeps it alive, maybe longer than its parent */
  g_signal_connect_after (self, "unrealize", G_CALLBACK (gtk_window_set_transient_for), NULL);
  g_set_weak_pointer (&self->parent, parent);
  self->source = *source;
  self->what = g_strdup (what);
  options.height_mm = picture->height_mm;
  if (picture->table != NULL)
    gtk_string_list_append (self->formats, "CSV");
  gtk_widget_set_visible (GTK_WIDGET (self->photograph), hl_picture_add_photograph (picture, source));
  gtk_widget_set_visible (GTK_WIDGET (self->whole), hl_picture_show_all (picture, source, options.style));
  gtk_widget_set_visible (GTK_WIDGET (self->seen), hl_picture_show_seen (picture, source));
  hl_export_window_set_options (self, &options);
  gtk_drawing_area_set_draw_func (self->preview, preview_cb, self, NULL);
  changed_cb (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
