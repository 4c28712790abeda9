/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-knob.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-oil-model.h"

#include <math.h>
#include <string.h>

#define FRICTION_FROM 0.001
#define FRICTION_TO 10.0
#define SPEED_FROM 0.5 /* [m/s] */
#define SPEED_TO 20.0

static void free_knob (gpointer data) {
  HlKnob *knob = data;
  g_free (knob->label);
  g_free (knob->detail);
  g_strfreev (knob->paths);
  g_free (knob);
}

/* Several cylinders have an Fc each: their labels get the element's id. */
static gboolean label_is_taken (const GPtrArray *knobs, const char *label) {
  for (guint i = 0; i < knobs->len; i++)
    if (strcmp (((const HlKnob *)knobs->pdata[i])->label, label) == 0)
      return TRUE;
  return FALSE;
}

static void add_friction_master (GPtrArray *knobs, const HlDocument *document) {
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

  HlKnob *knob = g_new0 (HlKnob, 1);
  knob->label = g_strdup (_ ("Friction ×"));
  knob->detail = g_strdup (_ ("Multiplies F_c, F_s and σ₂ of every cylinder together"));
  knob->from = FRICTION_FROM;
  knob->to = FRICTION_TO;
  knob->log = TRUE;
  knob->quantity = HL_QUANTITY_NONE;
  knob->slider = -1;
  g_ptr_array_add (paths, NULL);
  knob->paths = g_strdupv ((char **)paths->pdata);
  g_ptr_array_add (knobs, knob);
}

/* A vehicle: bodies that start with one forward speed keep it together. */
static void add_speed_master (GPtrArray *knobs, const HlDocument *document) {
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

  HlKnob *knob = g_new0 (HlKnob, 1);
  knob->label = g_strdup (_ ("Speed"));
  knob->detail = g_strdup (_ ("Starting speed v_x of all bodies that start with the same one"));
  knob->from = SPEED_FROM;
  knob->to = SPEED_TO;
  knob->quantity = HL_QUANTITY_SPEED;
  knob->slider = -1;
  g_ptr_array_add (paths, NULL);
  knob->paths = g_strdupv ((char **)paths->pdata);
  g_ptr_array_add (knobs, knob);
}

static void add_slider (GPtrArray *knobs, const HlDocument *document, const HlSlider *slider, int index) {
  HlPathInfo info;

  if (!hl_edit_slider_acts (document, slider) || !hl_path_find (document, slider->path, &info, NULL))
    return;

  HlKnob *knob = g_new0 (HlKnob, 1);
  const char *words = info.field != NULL ? _ (info.field->label) : info.name;
  /* "Coulomb force F_c" reads as F_c on a narrow row, if the label ends in a symbol. */
  const char *symbol = words != NULL ? strrchr (words, ' ') : NULL;
  gboolean has_symbol =
      symbol != NULL && (strchr (symbol, '_') != NULL || g_utf8_strlen (symbol + 1, -1) <= 2);
  knob->label = g_strdup (has_symbol ? symbol + 1 : words != NULL ? words : slider->path);
  if (label_is_taken (knobs, knob->label)) {
    g_free (knob->label);
    knob->label = g_strdup (slider->path);
  }
  const char *idle = hl_path_idle_text (document, slider->path, hl_document_oil (document));
  /* the root locus is that of the lumped model, whatever runs */
  const char *still = hl_path_idle_text (document, slider->path, hl_oil_model_of_points ()->bit);
  gboolean both = still != NULL && still != idle;
  knob->detail =
      g_strdup_printf ("%s: %s%s%s%s%s", slider->path, words != NULL ? words : "", idle != NULL ? "\n" : "",
                       idle != NULL ? idle : "", both ? "\n" : "", both ? still : "");
  const char *paths[] = {slider->path, NULL};
  knob->paths = g_strdupv ((char **)paths);
  knob->from = slider->from;
  knob->to = slider->to;
  knob->log = slider->log;
  knob->quantity = info.quantity;
  knob->slider = index;
  g_ptr_array_add (knobs, knob);
}

GPtrArray *hl_knobs_of_document (const HlDocument *document) {
  GPtrArray *knobs = g_ptr_array_new_with_free_func (free_knob);

  add_friction_master (knobs, document);
  add_speed_master (knobs, document);
  for (int index = 0; index < hl_document_n_sliders (document); index++) {
    HlSlider slider;
    if (hl_document_slider (document, index, &slider))
      add_slider (knobs, document, &slider, index);
  }
  return knobs;
}

double hl_knob_value (const HlKnob *knob, const HlDocument *document) {
  double value;
  return hl_document_get_number (document, knob->paths[0], &value, NULL, NULL) ? value : NAN;
}

double hl_knob_fraction (const HlKnob *knob, double value) {
  if (knob->log)
    return value > 0 ? log (value / knob->from) / log (knob->to / knob->from) : 0;
  return (value - knob->from) / (knob->to - knob->from);
}

double hl_knob_at (const HlKnob *knob, double fraction) {
  if (knob->log)
    return knob->from * pow (knob->to / knob->from, fraction);
  return knob->from + fraction * (knob->to - knob->from);
}

gboolean hl_knob_equal (const HlKnob *a, const HlKnob *b) {
  return strcmp (a->label, b->label) == 0 && a->from == b->from && a->to == b->to && a->log == b->log &&
         a->slider == b->slider &&
         g_strv_equal ((const char *const *)a->paths, (const char *const *)b->paths);
}
