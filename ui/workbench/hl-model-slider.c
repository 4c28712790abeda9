/* SPDX-License-Identifier: MIT */
#include "ui/workbench/hl-model-slider.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-hydraulic-model.h"

#include <math.h>
#include <string.h>

#define FRICTION_FROM 0.001
#define FRICTION_TO 10.0
#define SPEED_FROM 0.5 /* [m/s] */
#define SPEED_TO 20.0

static void free_model_slider (gpointer data) {
  HlModelSlider *model_slider = data;
  g_free (model_slider->label);
  g_free (model_slider->detail);
  g_strfreev (model_slider->paths);
  g_free (model_slider);
}

/* Returns whether a label is used already. Several cylinders have an Fc each: their labels get the id of the
 * element. */
static gboolean label_is_taken (const GPtrArray *model_sliders, const char *label) {
  for (guint i = 0; i < model_sliders->len; i++)
    if (strcmp (((const HlModelSlider *)model_sliders->pdata[i])->label, label) == 0)
      return TRUE;
  return FALSE;
}

static void add_friction_master (GPtrArray *model_sliders, const HlDocument *document) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (int part = 0; part < hl_document_n_elements (document, HL_SECTION_COMPONENTS); part++) {
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, part);
    const HlValue *element = hl_document_element (document, HL_SECTION_COMPONENTS, part);
    const HlField *scale = kind != NULL ? hl_kind_find_field (kind, "friction.scale") : NULL;
    if (scale == NULL || !hl_field_matters (kind, scale, element))
      continue;
    g_autofree char *path =
        g_strdup_printf ("%s.friction.scale", hl_document_element_id (document, HL_SECTION_COMPONENTS, part));
    if (hl_document_get_number (document, path, &(double){0}, NULL, NULL))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  if (paths->len == 0)
    return;

  HlModelSlider *model_slider = g_new0 (HlModelSlider, 1);
  model_slider->label = g_strdup (_ ("Friction ×"));
  model_slider->detail = g_strdup (_ ("Multiplies F_c, F_s and σ₂ of every cylinder together"));
  model_slider->from = FRICTION_FROM;
  model_slider->to = FRICTION_TO;
  model_slider->log = TRUE;
  model_slider->quantity = HL_QUANTITY_NONE;
  model_slider->slider = -1;
  g_ptr_array_add (paths, NULL);
  model_slider->paths = g_strdupv ((char **)paths->pdata);
  g_ptr_array_add (model_sliders, model_slider);
}

/* Adds a slider for the speed of a vehicle: bodies that start with the same forward speed keep it together. */
static void add_speed_master (GPtrArray *model_sliders, const HlDocument *document) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  double common = 0;

  for (int body = 0; body < hl_document_n_elements (document, HL_SECTION_BODIES); body++) {
    double speed;
    g_autofree char *path =
        g_strdup_printf ("%s.vx", hl_document_element_id (document, HL_SECTION_BODIES, body));
    if (!hl_document_get_number (document, path, &speed, NULL, NULL) || speed == 0)
      continue;
    if (paths->len > 0 && speed != common)
      return;
    common = speed;
    g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  if (paths->len < 2)
    return;

  HlModelSlider *model_slider = g_new0 (HlModelSlider, 1);
  model_slider->label = g_strdup (_ ("Speed"));
  model_slider->detail = g_strdup (_ ("Start speed v_x of all bodies that have the same one"));
  model_slider->from = SPEED_FROM;
  model_slider->to = SPEED_TO;
  model_slider->quantity = HL_QUANTITY_SPEED;
  model_slider->slider = -1;
  g_ptr_array_add (paths, NULL);
  model_slider->paths = g_strdupv ((char **)paths->pdata);
  g_ptr_array_add (model_sliders, model_slider);
}

static void add_slider (GPtrArray *model_sliders, const HlDocument *document, const HlSlider *slider,
                        int index) {
  HlPathInfo info;

  if (!hl_edit_slider_acts (document, slider) || !hl_path_find (document, slider->path, &info, NULL))
    return;

  HlModelSlider *model_slider = g_new0 (HlModelSlider, 1);
  const char *words = info.field != NULL ? _ (info.field->label) : info.name;
  /* "Coulomb force F_c" reads as F_c on a narrow row, if the label ends in a symbol. */
  const char *symbol = words != NULL ? strrchr (words, ' ') : NULL;
  gboolean has_symbol =
      symbol != NULL && (strchr (symbol, '_') != NULL || g_utf8_strlen (symbol + 1, -1) <= 2);
  model_slider->label = g_strdup (has_symbol ? symbol + 1 : words != NULL ? words : slider->path);
  if (label_is_taken (model_sliders, model_slider->label)) {
    g_free (model_slider->label);
    model_slider->label = g_strdup (slider->path);
  }
  const char *idle = hl_path_idle_text (document, slider->path, hl_document_oil (document));
  /* the root locus is that of the lumped model, whatever runs */
  const char *still = hl_path_idle_text (document, slider->path, hl_oil_model_of_points ()->bit);
  gboolean both = still != NULL && still != idle;
  model_slider->detail =
      g_strdup_printf ("%s: %s%s%s%s%s", slider->path, words != NULL ? words : "", idle != NULL ? "\n" : "",
                       idle != NULL ? idle : "", both ? "\n" : "", both ? still : "");
  const char *paths[] = {slider->path, NULL};
  model_slider->paths = g_strdupv ((char **)paths);
  model_slider->from = slider->from;
  model_slider->to = slider->to;
  model_slider->log = slider->log;
  model_slider->quantity = info.quantity;
  model_slider->slider = index;
  g_ptr_array_add (model_sliders, model_slider);
}

GPtrArray *hl_model_sliders_of_document (const HlDocument *document) {
  GPtrArray *model_sliders = g_ptr_array_new_with_free_func (free_model_slider);

  add_friction_master (model_sliders, document);
  add_speed_master (model_sliders, document);
  for (int index = 0; index < hl_document_n_sliders (document); index++) {
    HlSlider slider;
    if (hl_document_slider (document, index, &slider))
      add_slider (model_sliders, document, &slider, index);
  }
  return model_sliders;
}

double hl_model_slider_value (const HlModelSlider *model_slider, const HlDocument *document) {
  double value;
  return hl_document_get_number (document, model_slider->paths[0], &value, NULL, NULL) ? value : NAN;
}

double hl_model_slider_fraction (const HlModelSlider *model_slider, double value) {
  if (model_slider->log)
    return value > 0 ? log (value / model_slider->from) / log (model_slider->to / model_slider->from) : 0;
  return (value - model_slider->from) / (model_slider->to - model_slider->from);
}

double hl_model_slider_at (const HlModelSlider *model_slider, double fraction) {
  if (model_slider->log)
    return model_slider->from * pow (model_slider->to / model_slider->from, fraction);
  return model_slider->from + fraction * (model_slider->to - model_slider->from);
}

gboolean hl_model_slider_equal (const HlModelSlider *a, const HlModelSlider *b) {
  return strcmp (a->label, b->label) == 0 && a->from == b->from && a->to == b->to && a->log == b->log &&
         a->slider == b->slider &&
         g_strv_equal ((const char *const *)a->paths, (const char *const *)b->paths);
}
