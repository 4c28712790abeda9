/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-pressure-meters.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/paint/chart/hl-scene-meters.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

struct _HlPressureMeters {
  GtkWidget parent_instance;
  HlMeterScene *scene;
  const HlMeterPicture *picture; /* of the scene; NULL: nothing yet */
};

G_DEFINE_FINAL_TYPE (HlPressureMeters, hl_pressure_meters, GTK_TYPE_WIDGET)

void hl_pressure_meters_refresh (HlPressureMeters *self, HlWorkbench *workbench) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  int before = self->picture != NULL ? self->picture->n : 0;

  self->picture =
      run != NULL
          ? hl_meter_scene_update (self->scene, hl_editing_document (hl_workbench_editing (workbench)),
                                   run->results, run->serial, hl_runs_time (hl_workbench_runs (workbench)),
                                   hl_workbench_units (workbench)[HL_QUANTITY_PRESSURE])
          : NULL;
  int n = self->picture != NULL ? self->picture->n : 0;
  if (n != before) {
    gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
    gtk_widget_queue_resize (GTK_WIDGET (self));
  } else
    hl_pixels_queue_draw (GTK_WIDGET (self));
}

char *hl_pressure_meters_text (HlPressureMeters *self) {
  return hl_meter_scene_text (self->scene);
}

/* Bars move at every frame: who hears them instead asks for them. */
static gboolean tooltip_cb (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                            gpointer data) {
  g_autofree char *text = hl_pressure_meters_text (HL_PRESSURE_METERS (widget));

  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void hl_pressure_meters_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                                        int *least, int *natural, int *least_baseline,
                                        int *natural_baseline) {
  HlPressureMeters *self = HL_PRESSURE_METERS (widget);
  HlStyle style = hl_look_style (widget);
  int n = self->picture != NULL ? self->picture->n : 0;

  *least_baseline = *natural_baseline = -1;
  *least = *natural =
      orientation == GTK_ORIENTATION_VERTICAL && n > 0 ? (int)hl_meters_height (n, &style) : 0;
}

static void hl_pressure_meters_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlPressureMeters *self = HL_PRESSURE_METERS (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (self->picture == NULL || width < 1 || height < 1)
    return;
  HlStyle style = hl_look_style (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  hl_meters_paint (cr, self->picture, (HlRect){0, 0, width, height}, &style);
  cairo_destroy (cr);
}

static void hl_pressure_meters_finalize (GObject *object) {
  hl_meter_scene_free (HL_PRESSURE_METERS (object)->scene);
  G_OBJECT_CLASS (hl_pressure_meters_parent_class)->finalize (object);
}

static void hl_pressure_meters_class_init (HlPressureMetersClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_pressure_meters_finalize;
  widget_class->measure = hl_pressure_meters_measure;
  widget_class->snapshot = hl_pressure_meters_snapshot;
  gtk_widget_class_set_css_name (widget_class, "meters");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void hl_pressure_meters_init (HlPressureMeters *self) {
  self->scene = hl_meter_scene_new ();
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Pressures"), -1);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (tooltip_cb), NULL);
}
