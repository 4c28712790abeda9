/* SPDX-License-Identifier: MIT */
/* Ranges: what the schema allows; for forces and torques, which may be anything, twice what the
 * file ever asks for, or else what the weight of the bodies suggests. */
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

static void
free_lever (gpointer data)
{
  HlLever *lever = data;
  g_free (lever->path);
  g_free (lever->label);
  g_free (lever->more);
  g_free (lever->less);
  g_free (lever);
}

/* The largest amount that a signal of the file reaches. */
static double
largest_value (const HlValue *signal)
{
  const char *kind = hl_value_string (hl_value_member (signal, "kind"));
  const HlValue *y = hl_value_member (signal, "y"), *of = hl_value_member (signal, "of");
  double largest = 0.0;

  if (hl_value_is_number (signal))
    return fabs (hl_value_number (signal));
  if (g_strcmp0 (kind, "lever") == 0)
    return largest_value (hl_value_member (signal, "value"));
  if (g_strcmp0 (kind, "sine") == 0)
    return largest_value (hl_value_member (signal, "amplitude")) +
           largest_value (hl_value_member (signal, "offset"));
  for (gsize i = 0; y != NULL && i < hl_value_length (y); i++)
    largest = fmax (largest, largest_value (hl_value_item (y, i)));
  for (gsize i = 0; of != NULL && i < hl_value_length (of); i++)
    largest += largest_value (hl_value_item (of, i));
  return isfinite (largest) ? largest : 0.0;
}

static double
weight (const HlDocument *document)
{
  double mass = 0.0;

  for (int body = 0; body < hl_document_n_elements (document, HL_SECTION_BODIES); body++) {
    double one = hl_value_number (
        hl_value_member (hl_document_element (document, HL_SECTION_BODIES, body), "mass"));
    mass += isfinite (one) ? one : 0.0;
  }
  return mass * GRAVITY * REACH;
}

/* Up to 1, 2 or 5 times a power of ten. */
static double
round_up (double value)
{
  double power = pow (10.0, floor (log10 (value))), lead = value / power;

  return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/* What a controller is told lies where it is told so: the values of the file, and as much again on
 * both sides. */
static void
choose_target_range (HlLever *lever, const HlValue *signal)
{
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

static void
choose_range (HlLever *lever,
              const HlDocument *document,
              const HlField *field,
              const HlValue *signal)
{
  double largest = 2.0 * largest_value (signal);
  gboolean is_bounded = field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE;

  if (is_bounded) {
    lever->from = field->min;
    lever->to = field->max;
  } else {
    lever->to = round_up (fmax (largest > 0.0 ? largest : weight (document), LEAST_LOAD));
    lever->from = -lever->to;
  }
  lever->springs = is_bounded && field->min < 0.0; /* a spool; an opening or a load stays */
  lever->neutral = lever->springs ? 0.0 : hl_lever_clamp (lever, lever->start);
}

/* A word of the file's; NULL: it has none. */
static char *
word_of (const HlValue *signal, const char *member)
{
  const char *word = hl_value_string (hl_value_member (signal, member));
  return word != NULL && *word != '\0' ? g_strdup (word) : NULL;
}

/* "dcv.command.of.1" is a term of the sum "dcv.command"; -1: the whole. Owned by the caller. */
static char *
split_path (const char *path, int *term)
{
  const char *of = g_strrstr (path, OF);
  gboolean is_term =
      of != NULL && of[strlen (OF) + strspn (of + strlen (OF), "0123456789")] == '\0';

  *term = is_term ? (int)g_ascii_strtoll (of + strlen (OF), NULL, 10) : -1;
  return is_term ? g_strndup (path, (gsize)(of - path)) : g_strdup (path);
}

HlDocument *
hl_lever_with_signal (const HlDocument *document, const char *path, HlValue *signal, GError **error)
{
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

GPtrArray *
hl_levers_of_model (const HlDocument *document, const HlSystem *system)
{
  GPtrArray *levers = g_ptr_array_new_with_free_func (free_lever);
  guint n_levers = 0;

  for (int input = 0; input < hl_drive_n_inputs (system); input++) {
    const char *path = hl_drive_input_path (system, input);
    int term;
    g_autofree char *whole = split_path (path, &term);
    HlPathInfo info;
    if (!hl_path_find (document, whole, &info, NULL) || info.field == NULL)
      continue;
    const HlValue *signal =
        hl_value_at (hl_document_element (document, info.section, info.index), info.name);
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
      choose_range (lever, document, info.field, signal);
    if (lever->is_lever)
      g_ptr_array_insert (levers, (int)n_levers++, lever);
    else
      g_ptr_array_add (levers, lever);
  }
  return levers;
}

void
hl_levers_inherit (GPtrArray *levers, const GPtrArray *old)
{
  for (guint i = 0; i < levers->len; i++)
    for (guint k = 0; old != NULL && k < old->len; k++) {
      HlLever *lever = levers->pdata[i];
      const HlLever *before = old->pdata[k];
      if (strcmp (lever->path, before->path) != 0)
        continue;
      lever->springs = before->springs;
      hl_lever_set_range (lever, before->from, before->to, before->neutral);
    }
}

gboolean
hl_lever_set_range (HlLever *lever, double from, double to, double neutral)
{
  if (!isfinite (from) || !isfinite (to) || !isfinite (neutral) || from == to)
    return FALSE;
  lever->from = fmin (from, to);
  lever->to = fmax (from, to);
  lever->neutral = hl_lever_clamp (lever, neutral);
  return TRUE;
}

double
hl_lever_clamp (const HlLever *lever, double value)
{
  return fmin (fmax (value, lever->from), lever->to);
}
