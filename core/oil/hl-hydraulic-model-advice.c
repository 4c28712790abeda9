/* SPDX-License-Identifier: MIT */
#include "core/oil/hl-hydraulic-model-advice.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/edit/hl-edit.h"
#include "core/linear/hl-linearize.h"
#include "core/system/hl-system-private.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static gboolean is_proposal (const HlFinding *finding) {
  return finding->severity == HL_SEVERITY_ERROR && finding->bars == HL_BARS_RUN &&
         finding->fix.type == HL_FIX_SET_NUMBER;
}

HlDocument *hl_oil_take_proposals (const HlDocument *document, HlSystem *sys, HlModelKind model,
                                   void (*tell) (const char *path, double value, void *data), void *data) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlDocument *mended = NULL;

  hl_compile_verify_oil (document, sys, model, findings);
  if (hl_findings_first_barrier (findings, HL_BARS_OIL) != NULL)
    return NULL;
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (!is_proposal (finding))
      continue;
    HlDocument *next = hl_edit_apply_fix (mended != NULL ? mended : document, &finding->fix, NULL);
    if (next == NULL)
      continue;
    if (mended != NULL)
      hl_document_unref (mended);
    mended = next;
    if (tell != NULL)
      tell (finding->fix.path, finding->fix.value, data);
  }
  return mended;
}

/* From this ratio of the slowest to the fastest time constant on, the lumped model costs more than it is worth, unless
 * the oscillation of the oil is the subject. */
#define STIFF 1e4
/* Oscillations of the oil with less damping than this are audible and visible. */
#define LIVELY 0.2
/* As many periods of the oil in a run fill a plot with nothing but lines. */
#define MANY_PERIODS 1000.0

/* Returns the share of an eigenvalue that lies in pressures. */
static double share_of_oil (const HlLinearization *lin, int eigenvalue) {
  double share = 0.0;

  for (int state = 0; state < lin->n; state++)
    if (g_str_has_suffix (lin->state_names[state], ".pressure"))
      share += lin->participation[eigenvalue * lin->n + state];
  return share;
}

static void find_scales (HlModelAdvice *advice, const HlSystem *sys, double *damping) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlLinearization *lin = NULL;

  advice->fastest = advice->slowest = advice->oil_frequency = *damping = NAN;
  if (hl_start_point (sys, work, HL_START_FROM_MODEL, NULL, point, NULL, NULL) == HL_OK)
    lin = hl_linearize (sys, work, point, &how, NULL);
  for (int k = 0; lin != NULL && k < lin->n; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    double size = hypot (value->re, value->im);
    if (value->null || size == 0.0)
      continue;
    advice->fastest = fmin (advice->fastest, 1.0 / size);
    advice->slowest = fmax (advice->slowest, 1.0 / size);
    if (value->im > 0.0 && share_of_oil (lin, k) > 0.1 && !(value->frequency_hz >= advice->oil_frequency)) {
      advice->oil_frequency = value->frequency_hz;
      *damping = value->damping_ratio;
    }
  }
  hl_linearization_free (lin);
  hl_point_free (point);
  hl_work_free (work);
}

static void find_obstacles (HlModelAdvice *advice, const HlSystem *sys) {
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    if (hl_oil_models[k]->why_not != NULL)
      advice->why_not[k] = hl_oil_models[k]->why_not (sys);
}

static void append_scales (GString *text, const HlModelAdvice *a) {
  if (isnan (a->fastest)) {
    g_string_append (
        text,
        _ ("At the start of the run the lumped model has no time scale: everything is at rest or closed.\n"));
    return;
  }
  g_string_append_printf (
      text,
      _ ("Time scales of the lumped model at the start of the run: %s s to %s s, stiffness ratio %s.\n"),
      hl_shown (a->fastest, 2).text, hl_shown (a->slowest, 2).text,
      hl_shown (a->slowest / a->fastest, 1).text);
  if (!isnan (a->oil_frequency))
    g_string_append_printf (text, _ ("The lowest oil frequency is %s Hz.\n"),
                            hl_shown (a->oil_frequency, 3).text);
}

static HlModelKind choose_model (const HlModelAdvice *a, double t_end, double damping) {
  gboolean is_stiff = a->slowest / a->fastest > STIFF || t_end / a->fastest > STIFF * 100.0;
  gboolean is_lively = damping < LIVELY && a->oil_frequency * t_end < MANY_PERIODS;

  /* at rest with everything shut no eigenvalue shows the later stiffness: the motion of the drawing does */
  const HlOilModel *whole = hl_oil_model_of_points ();
  if (!isnan (a->fastest) && (!is_stiff || is_lively))
    return whole->kind;
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    if (k != (int)whole->kind && a->why_not[k] == NULL)
      return (HlModelKind)k;
  return whole->kind;
}

static void append_models (GString *text, const HlModelAdvice *a) {
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    if (a->why_not[k] == NULL)
      g_string_append (text, _ (hl_oil_models[k]->keeps));
    else
      g_string_append_printf (text, _ (hl_oil_models[k]->cannot), a->why_not[k]);
}

HlModelAdvice *hl_model_advice_new (const HlSystem *sys) {
  HlModelAdvice *advice = g_new0 (HlModelAdvice, 1);
  GString *text = g_string_new (NULL);
  double damping;

  find_scales (advice, sys, &damping);
  find_obstacles (advice, sys);
  advice->suits = choose_model (advice, sys->t_end, damping);
  g_string_append (text, _ (hl_oil_models[advice->suits]->suits));
  append_scales (text, advice);
  append_models (text, advice);
  advice->text = g_string_free (text, FALSE);
  return advice;
}

void hl_model_advice_free (HlModelAdvice *advice) {
  if (advice == NULL)
    return;
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    g_free (advice->why_not[k]);
  g_free (advice->text);
  g_free (advice);
}
