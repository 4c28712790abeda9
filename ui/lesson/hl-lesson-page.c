/* SPDX-License-Identifier: MIT */
#include "ui/lesson/hl-lesson-page.h"

#include "core/base/hl-i18n.h"
#include "core/help/hl-term.h"
#include "core/lesson/hl-lesson-inline.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/formula/hl-formula-box.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/paint/page/hl-figure.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>
#include <string.h>

#define BLOCK_KEY "hl-lesson-block"
#define PLAY_KEY "hl-lesson-play"
#define PICTURE_PX 170
#define LINES 0.7 /* of a canvas' widths */
#define INDENT 12

static const HlLessonBlock *block_of (GtkWidget *widget) {
  return g_object_get_data (G_OBJECT (widget), BLOCK_KEY);
}

static GtkWidget *label_new (void) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  return label;
}

static void show_text (GtkWidget *label, const HlLessonBlock *block, HlLessonPlay *play) {
  g_autofree char *markup = hl_lesson_inline (block->text, HL_LESSON_PANGO, hl_lesson_play_value, play);
  g_autofree char *item = block->kind == HL_LESSON_BULLET ? g_strconcat ("• ", markup, NULL) : NULL;

  gtk_label_set_markup (GTK_LABEL (label), item != NULL ? item : markup);
}

/* --- formulas --- */

/* A formula as large as the text about it, or as wide as the page; its height then. */
static double shrink_of (double wide, int width) {
  return fmin (1.0, fmax (width - 2.0 * INDENT, 1.0) / fmax (wide, 1.0));
}

static int height_of (double shrink, double above, double below) {
  return (int)ceil (shrink * (above + below)) + 6;
}

/* The text grew, or the page became wider. */
static gboolean refit_cb (GtkWidget *area, GdkFrameClock *clock, gpointer height) {
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), GPOINTER_TO_INT (height));
  return G_SOURCE_REMOVE;
}

static void draw_formula_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlStyle style = hl_look_style (GTK_WIDGET (area));
  g_autoptr (HlTerm) term = hl_term_parse (block_of (GTK_WIDGET (area))->text, NULL);
  double wide, above, below;

  if (term == NULL)
    return;
  g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, term, &style);
  hl_formula_box_size (box, &wide, &above, &below);
  double shrink = shrink_of (wide, width);
  int needed = height_of (shrink, above, below);
  if (needed != gtk_drawing_area_get_content_height (area))
    gtk_widget_add_tick_callback (GTK_WIDGET (area), refit_cb, GINT_TO_POINTER (needed), NULL);
  cairo_translate (cr, INDENT, 0.5 * (height - shrink * (above + below)));
  cairo_scale (cr, shrink, shrink);
  hl_formula_box_paint (cr, box, (HlSpot){0.0, above}, style.ink);
}

static void fit_formula (GtkWidget *area, const HlLessonBlock *block) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  HlStyle style = hl_look_style (area);
  g_autoptr (HlTerm) term = hl_term_parse (block->text, NULL);
  double width = 0, above = 0, below = 0;

  if (term != NULL) {
    g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, term, &style);
    hl_formula_box_size (box, &width, &above, &below);
  }
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), height_of (1.0, above, below));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* --- drawings of the model --- */

static void draw_model_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlLessonPlay *play = g_object_get_data (G_OBJECT (area), PLAY_KEY);
  HlStyle style = hl_look_style (GTK_WIDGET (area));
  HlStyle fine = hl_style_scaled (&style, LINES);
  HlRect all = {0, 0, width, height};
  HlInstant start = {NULL, 0};

  if (strcmp (block_of (GTK_WIDGET (area))->what, "circuit") == 0) {
    HlCircuitScene *scene = hl_circuit_scene_new ();
    HlCircuitPicture picture =
        *hl_circuit_scene_update (scene, hl_lesson_play_document (play), &start, NULL, NULL);
    picture.plain = TRUE;
    picture.show_grid = FALSE;
    hl_figure_paint_circuit (cr, all, &fine, &picture);
    hl_circuit_scene_free (scene);
  } else {
    HlLinkageScene *scene = hl_linkage_scene_new ();
    HlMechanismPicture picture =
        *hl_linkage_scene_update (scene, hl_lesson_play_document (play), &start, NULL);
    picture.plain = TRUE;
    picture.show_grid = FALSE;
    hl_figure_paint_mechanism (cr, all, &fine, &picture);
    hl_linkage_scene_free (scene);
  }
}

static GtkWidget *drawing_new (const HlLessonBlock *block, HlLessonPlay *play, GtkDrawingAreaDrawFunc draw) {
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  g_object_set_data (G_OBJECT (area), PLAY_KEY, play);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  *block->text != '\0' ? block->text : _ ("Drawing of the model"), -1);
  g_object_set_data (G_OBJECT (area), BLOCK_KEY, (gpointer)block);
  return area;
}

static void append_picture (GtkBox *box, const HlLessonBlock *block, HlLessonPlay *play) {
  GtkWidget *area = drawing_new (block, play, draw_model_cb);
  GtkWidget *caption = label_new ();

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), PICTURE_PX);
  g_object_set_data (G_OBJECT (caption), BLOCK_KEY, (gpointer)block);
  show_text (caption, block, play);
  gtk_widget_add_css_class (caption, "dim-label");
  gtk_box_append (box, area);
  gtk_box_append (box, caption);
}

void hl_lesson_page_append (GtkBox *box, const GPtrArray *blocks, HlLessonPlay *play) {
  for (guint k = 0; k < blocks->len; k++) {
    const HlLessonBlock *block = blocks->pdata[k];
    if (block->kind == HL_LESSON_PICTURE)
      append_picture (box, block, play);
    else if (block->kind == HL_LESSON_FORMULA) {
      GtkWidget *area = drawing_new (block, play, draw_formula_cb);
      fit_formula (area, block);
      gtk_box_append (box, area);
    } else {
      GtkWidget *label = label_new ();
      g_object_set_data (G_OBJECT (label), BLOCK_KEY, (gpointer)block);
      show_text (label, block, play);
      if (block->kind == HL_LESSON_BULLET)
        gtk_widget_set_margin_start (label, INDENT);
      gtk_box_append (box, label);
    }
  }
}

void hl_lesson_page_refresh (GtkWidget *box, HlLessonPlay *play) {
  for (GtkWidget *child = gtk_widget_get_first_child (box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (block_of (child) != NULL && GTK_IS_LABEL (child))
      show_text (child, block_of (child), play);
    else if (GTK_IS_DRAWING_AREA (child))
      hl_pixels_queue_draw (child);
}
