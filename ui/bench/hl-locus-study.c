/* SPDX-License-Identifier: MIT */
/* The root locus over the chosen knob and what is computed with it: crossings of the stability
 * axis, sensitivities to every knob, poles of the other parameter sets. */
#include "ui/bench/hl-locus-study.h"

#include "ui/bench/hl-locus-study-private.h"

#include "core/base/hl-i18n.h"

#include <math.h>
#include <string.h>

#define MODE_AMPLITUDE 0.1 /* [m or rad] */
#define SAME_POLE 1e-6     /* part of an eigenvalue that two ways to it may differ by */

HlLocusStudy *
hl_locus_study_new (HlWorkbench *hub)
{
  HlLocusStudy *self = g_new0 (HlLocusStudy, 1);

  self->hub = hub;
  self->knobs = g_ptr_array_new ();
  self->knob = -1;
  self->mode = -1;
  self->mode_amplitude = MODE_AMPLITUDE;
  self->target = (HlLocusTarget){NAN, NAN};
  return self;
}

void
hl_locus_study_free (HlLocusStudy *self)
{
  g_clear_handle_id (&self->rest_source, g_source_remove);
  g_clear_pointer (&self->locus, hl_locus_free);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
  g_clear_pointer (&self->others, g_array_unref);
  g_clear_pointer (&self->fates, g_array_unref);
  g_free (self->some);
  hl_locus_study_drop_movie (self);
  g_ptr_array_unref (self->knobs);
  g_free (self);
}

static HlEditing *
editing_of (HlLocusStudy *self)
{
  return hl_workbench_editing (self->hub);
}

/* --- knobs --- */

/* A machine that drives is read in m/s, unless somebody chose otherwise. */
static void
choose_speed_unit (HlLocusStudy *self)
{
  const HlUnit *unit = hl_unit_find (HL_QUANTITY_SPEED, "m/s");

  for (guint i = 0; i < self->knobs->len && unit != NULL; i++) {
    const HlKnob *knob = self->knobs->pdata[i];
    if (knob->slider >= 0 || knob->quantity != HL_QUANTITY_SPEED)
      continue;
    hl_workbench_prefer_unit (self->hub, unit);
  }
}

void
hl_locus_study_follow_system (HlLocusStudy *self)
{
  GPtrArray *knobs = hl_knobs_of_document (hl_editing_document (editing_of (self)));
  gboolean same = knobs->len == self->knobs->len;

  for (guint i = 0; same && i < knobs->len; i++)
    same = hl_knob_equal (knobs->pdata[i], self->knobs->pdata[i]);
  if (same) { /* rows of the window hold on to the array */
    g_ptr_array_unref (knobs);
    return;
  }
  gboolean first = self->knobs->len == 0;
  g_ptr_array_unref (self->knobs);
  self->knobs = knobs;
  if (first)
    choose_speed_unit (self);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free); /* to the knobs before */
  self->knob = knobs->len > 0 ? 0 : -1;
  hl_workbench_note (self->hub, HL_CHANGED_KNOBS | HL_CHANGED_LOCUS);
}

const HlLocusTarget *
hl_locus_study_target (HlLocusStudy *self)
{
  return &self->target;
}

void
hl_locus_study_set_target (HlLocusStudy *self, const HlLocusTarget *target)
{
  self->target = *target;
  hl_workbench_announce (self->hub, HL_CHANGED_LOCUS);
}

GPtrArray *
hl_locus_study_knobs (HlLocusStudy *self)
{
  return self->knobs;
}

void
hl_locus_study_branches_changed (HlLocusStudy *self)
{
  self->branches_due = TRUE;
  self->branches_from = 0;
}

gboolean
hl_locus_study_is_knob (HlLocusStudy *self, const char *const *paths)
{
  if (self->knob < 0)
    return FALSE;
  const HlKnob *knob = self->knobs->pdata[self->knob];
  return g_strv_equal ((const char *const *)knob->paths, paths);
}

void
hl_locus_study_forget_locus (HlLocusStudy *self)
{
  self->serial = 0;
  hl_locus_study_branches_changed (self);
  g_clear_pointer (&self->locus, hl_locus_free);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
  if (self->others != NULL)
    g_array_set_size (self->others, 0);
  g_clear_pointer (&self->fates, g_array_unref);
}

void
hl_locus_study_forget (HlLocusStudy *self)
{
  hl_runner_forget_locus (hl_workbench_runner (self->hub));
  hl_locus_study_forget_locus (self);
  hl_locus_study_drop_movie (self);
  self->mode = -1;
}

void
hl_locus_study_set_due (HlLocusStudy *self)
{
  self->is_stale = TRUE;
}

gboolean
hl_locus_study_is_due (HlLocusStudy *self)
{
  return self->is_stale;
}

/* Of a large machine. */
static void
tell_some (HlLocusStudy *self)
{
  int n = self->locus->n_states;

  g_clear_pointer (&self->some, g_free);
  if (n < self->n_states)
    self->some =
        g_strdup_printf (_ ("%d of %d branches:\nthose that ring or are slow"), n, self->n_states);
}

void
hl_locus_study_take (HlLocusStudy *self, HlLocusPost *post)
{
  /* branches over the knob before are of no use, and their values would mislead */
  if (self->serial == 0 || (gint)(post->base.serial - self->serial) < 0)
    return;
  if (post->has_branches && (post->locus == NULL || post->locus->n_values < 2)) {
    self->message = _ ("No branches over this slider:\nno start state on its range");
    g_clear_pointer (&self->locus, hl_locus_free);
    g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
    hl_workbench_note (self->hub, HL_CHANGED_LOCUS);
    return;
  }
  if (post->locus != NULL) {
    g_clear_pointer (&self->locus, hl_locus_free);
    self->locus = g_steal_pointer (&post->locus);
    tell_some (self);
    self->seconds = post->seconds;
    self->n_crossings = post->n_crossings;
    memcpy (self->crossings, post->crossings, sizeof post->crossings);
    if (self->branches_from != 0 && post->base.serial >= self->branches_from)
      self->branches_due = FALSE;
  }
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
  self->sensitivity = g_steal_pointer (&post->sensitivity);
  if (post->others != NULL) {
    g_clear_pointer (&self->others, g_array_unref);
    self->others = g_steal_pointer (&post->others);
  }
  if (post->fates != NULL) {
    g_clear_pointer (&self->fates, g_array_unref);
    self->fates = g_steal_pointer (&post->fates);
  }
  hl_workbench_note (self->hub, HL_CHANGED_LOCUS);
}

int
hl_locus_study_knob (HlLocusStudy *self)
{
  return self->knob;
}

void
hl_locus_study_set_knob (HlLocusStudy *self, int knob)
{
  if (knob == self->knob || knob < -1 || knob >= (int)self->knobs->len)
    return;
  self->knob = knob;
  self->is_stale = TRUE;
  self->serial = 0;
  self->message = NULL;
  hl_locus_study_branches_changed (self);
  g_clear_pointer (&self->locus, hl_locus_free);
  hl_workbench_wake (self->hub, HL_CHANGED_LOCUS);
}

const HlLocus *
hl_locus_study_locus (HlLocusStudy *self)
{
  return self->locus;
}

const char *
hl_locus_study_message (HlLocusStudy *self)
{
  return self->message != NULL ? self->message : self->locus != NULL ? self->some : NULL;
}

const HlCrossing *
hl_locus_study_crossings (HlLocusStudy *self, int *n)
{
  *n = self->locus != NULL ? self->n_crossings : 0;
  return self->crossings;
}

const HlSensitivity *
hl_locus_study_sensitivity (HlLocusStudy *self)
{
  return self->sensitivity;
}

gboolean
hl_locus_study_other_pole (HlLocusStudy *self, int index, double *re, double *im, int *set)
{
  if (self->others == NULL || index < 0 || index >= (int)self->others->len)
    return FALSE;
  const HlOtherPole *pole = &g_array_index (self->others, HlOtherPole, index);
  *re = pole->re;
  *im = pole->im;
  *set = pole->other;
  return TRUE;
}

const char *
hl_locus_study_other_pole_mode (HlLocusStudy *self, int index)
{
  if (self->others == NULL || index < 0 || index >= (int)self->others->len)
    return NULL;
  const HlOtherPole *pole = &g_array_index (self->others, HlOtherPole, index);
  return pole->other < 0 ? pole->mode : NULL;
}

const char *
hl_locus_study_fate (HlLocusStudy *self, double re, double im)
{
  for (guint k = 0; self->fates != NULL && k < self->fates->len; k++) {
    const HlPoleFate *fate = &g_array_index (self->fates, HlPoleFate, k);
    if (hypot (fate->re - re, fate->im - im) <= SAME_POLE * (1.0 + hypot (re, im)))
      return fate->text;
  }
  return NULL;
}

double
hl_locus_study_seconds (HlLocusStudy *self)
{
  return self->seconds;
}
