/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-long-scale.h"

#define LONGER 80 /* px: what it likes to have beyond its least length */

struct _HlLongScale {
  GtkScale parent_instance;
};

G_DEFINE_FINAL_TYPE (HlLongScale, hl_long_scale, GTK_TYPE_SCALE)

static void hl_long_scale_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *least,
                                   int *natural, int *least_baseline, int *natural_baseline) {
  GTK_WIDGET_CLASS (hl_long_scale_parent_class)
      ->measure (widget, orientation, for_size, least, natural, least_baseline, natural_baseline);
  if (orientation == gtk_orientable_get_orientation (GTK_ORIENTABLE (widget)))
    *natural += LONGER;
}

static void hl_long_scale_class_init (HlLongScaleClass *klass) {
  GTK_WIDGET_CLASS (klass)->measure = hl_long_scale_measure;
}

static void hl_long_scale_init (HlLongScale *self) {
}
