/* SPDX-License-Identifier: MIT */
/* In a narrow window the header's buttons step back behind the title, and the panes share what
 * there is as in a first window of that size. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "core/system/hl-oil-model.h"

#define NARROW 1060 /* px; more where the words of the language are longer */
/* px: the header steps back before it keeps the window from becoming narrower. */
#define MARGIN 40
#define NO_RUN_WORD 1020 /* px: below it Run is a picture */
#define TIGHT 930        /* px: below it the parameter set is one as well */
#define SET_CHARS 10
#define SET_CHARS_NARROW 11 /* at least; more where the title leaves room */
#define SET_CHARS_NARROW_MOST 12
#define SET_CHARS_MOST 22
#define TITLE_CHARS_NARROW 14

static void name_widget (gpointer widget, const char *name) {
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void hl_window_show_oil_model (HlWindow *self) {
  const char *model = hl_document_object_text (hl_editing_document (hl_workbench_editing (self->workbench)),
                                               HL_SECTION_SIMULATION, "model");
  const char *word = hl_schema_word (model != NULL ? model : hl_oil_models[0]->name);
  g_autofree char *whole = g_strdup_printf (_ ("Oil: %s"), word);
  const char *text = self->is_narrow ? word : whole;

  if (g_strcmp0 (gtk_menu_button_get_label (self->model_button), text) != 0)
    gtk_menu_button_set_label (self->model_button, text);
}

/* One that it shows already would be measured again. */
static void show_word (GtkButton *button, const char *word) {
  if (g_strcmp0 (gtk_button_get_label (button), word) != 0)
    gtk_button_set_label (button, word);
}

static void show_header (HlWindow *self) {
  if (self->is_narrow) {
    gtk_button_set_icon_name (self->open_button, "document-open-symbolic");
    gtk_button_set_icon_name (self->save_button, "document-save-symbolic");
    gtk_menu_button_set_icon_name (self->export_button, "document-send-symbolic");
  } else {
    show_word (self->open_button, _ ("Open"));
    show_word (self->save_button, _ ("Save"));
    if (g_strcmp0 (gtk_menu_button_get_label (self->export_button), _ ("Export")) != 0)
      gtk_menu_button_set_label (self->export_button, _ ("Export"));
  }
  gtk_widget_set_visible (self->drive_label, !self->is_narrow);
  gtk_widget_set_visible (self->run_label, !self->is_wordless);
  /* a long title would take what the name of the parameter set needs */
  gtk_label_set_max_width_chars (self->title_label, self->is_narrow ? TITLE_CHARS_NARROW : -1);
  gtk_label_set_max_width_chars (self->subtitle_label, self->is_narrow ? TITLE_CHARS_NARROW : -1);
  name_widget (self->open_button, _ ("Open"));
  name_widget (self->save_button, _ ("Save"));
  name_widget (self->export_button, _ ("Export"));
  gtk_label_set_width_chars (self->set_label, self->is_narrow ? SET_CHARS_NARROW : SET_CHARS);
  gtk_label_set_max_width_chars (self->set_label, self->is_narrow ? SET_CHARS_NARROW_MOST : SET_CHARS_MOST);
  hl_window_show_present_set (self);
}

/* What the header with all its words needs. */
static int wide_header (HlWindow *self) {
  GtkWidget *header = gtk_window_get_titlebar (GTK_WINDOW (self));
  int least = 0;

  if (header != NULL)
    gtk_widget_measure (header, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return MAX (least + MARGIN, NARROW);
}

/* Before the layout of a frame: what changes after it is laid out again within the same one, which
 * GTK does only a few times before it paints what has no place yet. */
static gboolean fit_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  int width = gdk_surface_get_width (surface), height = gdk_surface_get_height (surface);
  gboolean is_narrow = width < self->least_wide;
  gboolean is_wordless = width < NO_RUN_WORD, is_tight = width < TIGHT;
  gboolean is_other = hl_window_fit_side (self, height);

  self->fit_id = 0;
  if (is_narrow != self->is_narrow || is_tight != self->is_tight || is_wordless != self->is_wordless) {
    self->is_narrow = is_narrow;
    self->is_tight = is_tight;
    self->is_wordless = is_wordless;
    show_header (self);
    is_other = TRUE;
  }
  if (is_other)
    hl_window_place_panes (self, width, height);
  return G_SOURCE_REMOVE;
}

static void layout_cb (GdkSurface *surface, int width, int height, HlWindow *self) {
  if (self->fit_id == 0)
    self->fit_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), fit_cb, NULL, NULL);
}

static gboolean lay_out_cb (GtkWidget *paned, GdkFrameClock *clock, gpointer data) {
  gtk_widget_queue_resize (paned);
  return G_SOURCE_REMOVE;
}

/* A border that is dragged has only its two sides laid out anew, and what lies between it and the window not.
 * When a scroll bar comes or goes at that and something beside, as the line at the foot, is laid out in the
 * same frame, GTK 4.8 forgets what lies between, and does not paint it. So all of it is laid out with the
 * frame. */
static void border_moved_cb (GtkWidget *paned) {
  gtk_widget_add_tick_callback (paned, lay_out_cb, NULL, NULL);
}

void hl_window_watch_size (HlWindow *self) {
  GtkPaned *borders[] = {self->main_paned, self->outline_paned, self->left_paned, self->drawings_paned,
                         self->side_paned};
  int width, height;

  for (gsize i = 0; i < G_N_ELEMENTS (borders); i++)
    g_signal_connect (borders[i], "notify::position", G_CALLBACK (border_moved_cb), NULL);
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  self->least_wide = wide_header (self);
  /* a header that keeps its words would not let the window become as narrow as was asked for */
  self->is_narrow = width < self->least_wide;
  self->is_tight = width < TIGHT;
  self->is_wordless = width < NO_RUN_WORD;
  show_header (self);
  hl_window_fit_side (self, height);
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (layout_cb), self,
                           0);
}
