/* SPDX-License-Identifier: MIT */
/* Ranges: what the schema allows, where it bounds both ends. What turns or delivers goes up to what
 * the file asks for, which is its rating, and back only where the file goes back. Forces and
 * torques, which may be anything, go twice as far as the file ever asks, or else as far as the
 * weight of the bodies suggests, round in the person's unit. */
#include "ui/bench/hl-lever.h"

#include "core/run/hl-drive.h"
#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"

#include <math.h>
#include <string.h>

#define REACH 1.0    /* [m] lever arm of the weight, for the range of a torque */
#define GRAVITY 9.81 /* [m/s2] */
#define OF ".of."
#define LEAST_LOAD 1.0 /* [N], [N m] */
#define NEAR_TARGET 0.2
#define LEAST_TARGET 0.01

static void free_lever (gpointer data) {
  HlLever *lever = data;
  g_free (lever->path);
  g_free (lever->label);
  g_free (lever->more);
  g_free (lever->less);
  g_free (lever);
}

/* Widens a range to the values that a signal of the file takes. */
static void widen_by (const HlValue *signal, double *low, double *high) {
  const char *kind = hl_value_string (hl_value_member (signal, "kind"));
  const HlValue *y = hl_value_member (signal, "y"), *of = hl_value_member (signal, "of");
  double least = 0.0, most = 0.0;

  if (hl_value_is_number (signal))
    least = most = hl_value_number (signal);
  if (g_strcmp0 (kind, "lever") == 0)
    widen_by (hl_value_member (signal, "value"), &least, &most);
  if (g_strcmp0 (kind, "sine") == 0) {
    double amplitude = fabs (hl_value_number (hl_value_member (signal, "amplitude")));
    double offset = hl_value_number (hl_value_member (signal, "offset"));
    offset = isfinite (offset) ? offset : 0.0;
    least = offset - amplitude;
    most = offset + amplitude;
  }
  for (gsize i = 0; y != NULL && i < hl_value_length (y); i++)
    widen_by (hl_value_item (y, i), &least, &most);
  for (gsize i = 0; of != NULL && i < hl_value_length (of); i++) {
    double from = 0.0, to = 0.0;
    widen_by (hl_value_item (of, i), &from, &to);
    least += from;
    most += to;
  }
  *low = isfinite (least) ? fmin (*low, least) : *low;
  *high = isfinite (most) ? fmax (*high, most) : *high;
}

static double weight (const HlDocument *document) {
  double mass = 0.0;

  for (int body = 0; body < hl_document_n_elements (document, HL_SECTION_BODIES); body++) {
    double one =
        hl_value_number (hl_value_member (hl_document_element (document, HL_SECTION_BODIES, body), "mass"));
    mass += isfinite (one) ? one : 0.0;
  }
  return mass * GRAVITY * REACH;
}

/* Up to 1, 2 or 5 times a power of ten. */
static double round_up (double value) {
  double power = pow (10.0, floor (log10 (value))), lead = value / power;

  return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/* What a controller is told lies where it is told so: the values of the file, and as much again on
 * both sides. */
static void choose_target_range (HlLever *lever, const HlValue *signal) {
  const HlValue *y = hl_value_member (signal, "y");
  double low = lever->start, high = lever->start;

  for (gsize i = 0; y != NULL && i < hl_value_length (y); i++) {
    low = fmin (low, hl_value_number (hl_value_item (y, i)));
    high = fmax (high, hl_value_number (hl_value_item (y, i)));
  }
  double span = high > low ? high - low : fmax (NEAR_TARGET * fabs (low), LEAST_TARGET);
  lever->from = low - span;
  lever->to = high + span;
  lever->neutral = lever->start;
}

/* A speed or a flow: from rest to what the file asks for, or else to what a new one has. */
static void choose_rated_range (HlLever *lever, const HlField *field, double low, double high) {
  double rated = fmax (high, -low);

  if (!(rated > 0.0))
    rated = field->start > 0.0 ? field->start : 1.0;
  lever->from = low < 0.0 ? -rated : 0.0;
  lever->to = rated;
}

/* The place of a driven joint: as far again from where it starts, a quarter of a turn at least. */
static void choose_place_range (HlLever *lever, double low, double high) {
  double reach = fmax (2.0 * fmax (high, -low), 0.0);

  if (lever->quantity == HL_QUANTITY_ANGLE)
    reach = fmax (reach, G_PI_2);
  reach = reach > 0.0 ? reach : 1.0;
  lever->from = -reach;
  lever->to = reach;
}

static void choose_range (HlLever *lever, const HlDocument *document, const HlPathInfo *info,
                          const HlValue *signal, const HlUnit *unit) {
  const HlField *field = info->field;
  double low = 0.0, high = 0.0;
  gboolean is_bounded = field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE;

  widen_by (signal, &low, &high);
  switch (lever->quantity) {
  case HL_QUANTITY_SHAFT_SPEED:
  case HL_QUANTITY_FLOW:
    choose_rated_range (lever, field, low, high);
    break;
  case HL_QUANTITY_ANGLE:
  case HL_QUANTITY_LENGTH:
    choose_place_range (lever, low, high);
    break;
  default:
    lever->to = 2.0 * fmax (high, -low);
    lever->to = lever->to > 0.0 ? lever->to : weight (document);
    lever->to = unit->factor * round_up (fmax (lever->to, LEAST_LOAD) / unit->factor);
    lever->from = -lever->to;
  }
  if (is_bounded) {
    lever->from = field->min;
    lever->to = field->max;
  }
  hl_path_narrow (info, &lever->from, &lever->to);
  lever->springs = is_bounded && field->min < 0.0; /* a spool; an opening or a load stays */
  lever->neutral = lever->springs ? 0.0 : hl_lever_clamp (lever, lever->start);
}

/* A word of the file's; NULL: it has none. */
static char *word_of (const HlValue *signal, const char *member) {
  const char *word = hl_value_string (hl_value_member (signal, member));
  return word != NULL && *word != '\0' ? g_strdup (word) : NULL;
}

/* "dcv.command.of.1" is a term of the sum "dcv.command"; -1: the whole. Owned by the caller. */
static char *split_path (const char *path, int *term) {
  const char *of = g_strrstr (path, OF);
  gboolean is_term = of != NULL && of[strlen (OF) + strspn (of + strlen (OF), "0123456789")] == '\0';

  *term = is_term ? (int)g_ascii_strtoll (of + strlen (OF), NULL, 10) : -1;
  return is_term ? g_strndup (path, (gsize)(of - path)) : g_strdup (path);
}

HlDocument *hl_lever_with_signal (const HlDocument *document, const char *path, HlValue *signal,
                                  GError **error) {
  int term;
  g_autofree char *whole = split_path (path, &term);
  g_auto (GStrv) parts = g_strsplit (whole, ".", 2);

  if (term >= 0) {
    const HlValue *sum = hl_value_at (hl_document_find (document, parts[0], NULL, NULL), parts[1]);
    const HlValue *of = hl_value_member (sum, "of");
    if (of == NULL || hl_value_length (of) <= (gsize)term) {
      hl_value_unref (signal);
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "‘%s’ is gone", path);
      return NULL;
    }
    signal = hl_value_with_member (sum, "of", hl_value_with_item (of, (gsize)term, signal));
  }
  return hl_edit_set (document, parts[0], parts[1], signal, error);
}

GPtrArray *hl_levers_of_model (const HlDocument *document, const HlSystem *system,
                               const HlUnit *const *units) {
  GPtrArray *levers = g_ptr_array_new_with_free_func (free_lever);
  guint n_levers = 0;

  for (int input = 0; input < hl_drive_n_inputs (system); input++) {
    const char *path = hl_drive_input_path (system, input);
    int term;
    g_autofree char *whole = split_path (path, &term);
    HlPathInfo info;
    if (!hl_path_find (document, whole, &info, NULL) || info.field == NULL)
      continue;
    const HlValue *signal = hl_value_at (hl_document_element (document, info.section, info.index), info.name);
    if (term >= 0)
      signal = hl_value_item (hl_value_member (signal, "of"), (gsize)term);
    HlLever *lever = g_new0 (HlLever, 1);
    lever->path = g_strdup (path);
    lever->label = g_strdup_printf ("%s: %s", info.id, _ (info.field->label));
    lever->more = word_of (signal, "more");
    lever->less = word_of (signal, "less");
    lever->input = input;
    lever->quantity = info.quantity;
    lever->start = hl_drive_input_start (system, input);
    lever->is_lever = g_strcmp0 (hl_value_string (hl_value_member (signal, "kind")), "lever") == 0;
    if (g_strcmp0 (info.field->name, "target") == 0)
      choose_target_range (lever, signal);
    else
      choose_range (lever, document, &info, signal, units[info.quantity]);
    if (lever->is_lever)
      g_ptr_array_insert (levers, (int)n_levers++, lever);
    else
      g_ptr_array_add (levers, lever);
  }
  return levers;
}

void hl_levers_inherit (GPtrArray *levers, const GPtrArray *old) {
  for (guint i = 0; i < levers->len; i++)
    for (guint k = 0; old != NULL && k < old->len; k++) {
      HlLever *lever = levers->pdata[i];
      const HlLever *before = old->pdata[k];
      if (strcmp (lever->path, before->path) != 0)
        continue;
      lever->springs = before->springs;
      if (before->is_set)
        hl_lever_set_range (lever, before->from, before->to, before->neutral);
    }
}

gboolean hl_lever_set_range (HlLever *lever, double from, double to, double neutral) {
  if (!isfinite (from) || !isfinite (to) || !isfinite (neutral) || from == to)
    return FALSE;
  lever->from = fmin (from, to);
  lever->to = fmax (from, to);
  lever->neutral = hl_lever_clamp (lever, neutral);
  lever->is_set = TRUE;
  return TRUE;
}

double hl_lever_clamp (const HlLever *lever, double value) {
  return fmin (fmax (value, lever->from), lever->to);
}
