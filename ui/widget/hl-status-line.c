/* SPDX-License-Identifier: MIT */
/* Painted by hand: a label that changed its text for the width that it got would be measured anew, and
 * would get another one. */
#include "ui/widget/hl-status-line.h"

#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

#include <string.h>

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

GArray *hl_status_parts_new (void) {
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (HlStatusPart));

  g_array_set_clear_func (parts, clear_part);
  return parts;
}

/* Those that are left. Owned. */
static char *join (const GArray *parts, const gboolean gone[]) {
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < parts->len; k++)
    if (!gone[k])
      g_string_append_printf (text, "%s%s", text->len > 0 ? BETWEEN : "",
                              g_array_index (parts, HlStatusPart, k).text);
  return g_string_free (text, FALSE);
}

/* The last one of the least worth; -1: one alone is left, which is shortened at its end. */
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

static void fit (HlStatusLine *self, int width) {
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
    text = join (self->parts, gone);
  }
}

/* What all of it would take. */
static int natural_width (HlStatusLine *self) {
  g_autoptr (PangoLayout) whole = pango_layout_copy (self->layout);

  return width_of (whole, self->text);
}

static void hl_status_line_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                                    int *natural, int *minimum_baseline, int *natural_baseline) {
  HlStatusLine *self = HL_STATUS_LINE (widget);
  g_autoptr (PangoLayout) whole = pango_layout_copy (self->layout);
  int width = width_of (whole, self->text), height;

  pango_layout_get_pixel_size (whole, NULL, &height);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 0 : height;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? width : height;
}

static void hl_status_line_size_allocate (GtkWidget *widget, int width, int height, int baseline) {
  fit (HL_STATUS_LINE (widget), width);
}

static void hl_status_line_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlStatusLine *self = HL_STATUS_LINE (widget);
  HlStyle style = hl_look_style (widget);
  GdkRGBA ink = {(float)style.ink.r, (float)style.ink.g, (float)style.ink.b, (float)style.ink.a};
  int width, height;

  pango_layout_get_pixel_size (self->layout, &width, &height);
  int x = MAX (gtk_widget_get_width (widget) - width, 0), y = (gtk_widget_get_height (widget) - height) / 2;
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)x, (float)y));
  gtk_snapshot_append_layout (snapshot, self->layout, &ink);
}

static gboolean hl_status_line_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                              GtkTooltip *tooltip) {
  HlStatusLine *self = HL_STATUS_LINE (widget);

  if (*self->text == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, self->text);
  return TRUE;
}

static void hl_status_line_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec) {
  HlStatusLine *self = HL_STATUS_LINE (object);

  g_value_set_string (value, id == TEXT ? self->text : pango_layout_get_text (self->layout));
}

static void hl_status_line_finalize (GObject *object) {
  HlStatusLine *self = HL_STATUS_LINE (object);

  g_array_unref (self->parts);
  g_free (self->text);
  g_object_unref (self->layout);
  G_OBJECT_CLASS (hl_status_line_parent_class)->finalize (object);
}

static void hl_status_line_class_init (HlStatusLineClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->get_property = hl_status_line_get_property;
  G_OBJECT_CLASS (klass)->finalize = hl_status_line_finalize;
  widget_class->measure = hl_status_line_measure;
  widget_class->size_allocate = hl_status_line_size_allocate;
  widget_class->snapshot = hl_status_line_snapshot;
  widget_class->query_tooltip = hl_status_line_query_tooltip;
  for (guint id = TEXT; id < N_PROPERTIES; id++)
    g_object_class_install_property (G_OBJECT_CLASS (klass), id,
                                     g_param_spec_string (id == TEXT ? "text" : "shown", NULL, NULL, "",
                                                          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void hl_status_line_init (HlStatusLine *self) {
  PangoAttrList *digits = pango_attr_list_new ();

  self->parts = hl_status_parts_new ();
  self->text = g_strdup ("");
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  pango_attr_list_insert (digits, pango_attr_font_features_new ("tnum")); /* all equally wide */
  pango_layout_set_attributes (self->layout, digits);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
  pango_attr_list_unref (digits);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

void hl_status_line_set (HlStatusLine *self, GArray *parts) {
  g_autofree gboolean *gone = g_new0 (gboolean, MAX (parts->len, 1));
  g_autofree char *text = join (parts, gone);

  g_array_unref (self->parts);
  self->parts = parts;
  if (strcmp (text, self->text) == 0)
    return; /* costs nothing while a slider is dragged */
  int given = gtk_widget_get_width (GTK_WIDGET (self));
  gboolean is_whole = natural_width (self) <= given;
  g_free (self->text);
  self->text = g_steal_pointer (&text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->text, -1);
  /* Words that have room in the place of those before move nothing; and in each layout GTK 4.8 asks
   * the display a dozen times for its monitors. */
  if (is_whole && natural_width (self) <= given) {
    fit (self, given);
    hl_pixels_queue_draw (GTK_WIDGET (self));
    return;
  }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
