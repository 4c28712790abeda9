/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-distribution.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"

#include <math.h>
#include <string.h>

static const char *const kind_names[] = {"uniform", "log-uniform", "normal", "log-normal", "table"};

/* --- the normal distribution --- */

double hl_normal_probability (double z) {
  return 0.5 * erfc (-z * G_SQRT2 / 2.0);
}

/* Returns a first guess (Abramowitz and Stegun 26.2.23, to 4.5e-4), then Halley's steps on the probability of
 * the nearer tail, which has no cancellation. */
double hl_normal_quantile (double u) {
  double tail = fmin (u, 1.0 - u);
  if (!(tail > 0.0))
    return u < 0.5 ? -INFINITY : INFINITY;
  double t = sqrt (-2.0 * log (tail));
  double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int step = 0; step < 3; step++) {
    double density = exp (-0.5 * z * z) / sqrt (2.0 * G_PI);
    double newton = (hl_normal_probability (z) - tail) / density;
    z -= newton / (1.0 + 0.5 * z * newton);
  }
  return u < 0.5 ? z : -z;
}

/* --- values --- */

static double to_scale (const HlDistribution *self, double value) {
  return self->kind == HL_DISTRIBUTION_LOG_NORMAL ? log (value) : value;
}

/* Returns the probability below an end of a normal distribution. */
static double probability_below (const HlDistribution *self, double end) {
  if (isinf (end))
    return end < 0.0 ? 0.0 : 1.0;
  if (self->kind == HL_DISTRIBUTION_LOG_NORMAL && end <= 0.0)
    return 0.0;
  return hl_normal_probability ((to_scale (self, end) - to_scale (self, self->center)) / self->deviation);
}

static double table_quantile (const HlDistribution *self, double u) {
  int k = 0;

  while (k < self->n - 1 && u > self->sums[k])
    k++;
  if (!self->is_curve || k == 0)
    return self->values[k];
  double width = self->sums[k] - self->sums[k - 1];
  double part = width > 0.0 ? (u - self->sums[k - 1]) / width : 1.0;
  return self->values[k - 1] + fmin (part, 1.0) * (self->values[k] - self->values[k - 1]);
}

static double value_in_table (const HlDistribution *self, double part) {
  if (part >= 1.0)
    return self->to;
  return self->kind == HL_DISTRIBUTION_LOG_UNIFORM ? self->from * pow (self->to / self->from, part)
                                                   : self->from + (self->to - self->from) * part;
}

double hl_distribution_quantile (const HlDistribution *self, double u) {
  if (self->kind == HL_DISTRIBUTION_TABLE)
    return table_quantile (self, u);
  if (self->kind == HL_DISTRIBUTION_UNIFORM || self->kind == HL_DISTRIBUTION_LOG_UNIFORM)
    return value_in_table (self, u);
  double low = probability_below (self, self->from), high = probability_below (self, self->to);
  double z = hl_normal_quantile (low + u * (high - low));
  double value = self->kind == HL_DISTRIBUTION_NORMAL ? self->center + z * self->deviation
                                                      : self->center * exp (z * self->deviation);
  return CLAMP (value, self->from, self->to);
}

int hl_distribution_n_levels (const HlDistribution *self) {
  return self->kind == HL_DISTRIBUTION_TABLE && !self->is_curve ? self->n : 0;
}

double hl_distribution_level (const HlDistribution *self, int level, int n) {
  if (self->kind == HL_DISTRIBUTION_TABLE && !self->is_curve && n == self->n)
    return self->values[level];
  if (self->kind == HL_DISTRIBUTION_UNIFORM || self->kind == HL_DISTRIBUTION_LOG_UNIFORM)
    return n > 1 ? value_in_table (self, level / (double)(n - 1)) : value_in_table (self, 0.5);
  return hl_distribution_quantile (self, (level + 0.5) / n);
}

void hl_distribution_range (const HlDistribution *self, double *low, double *high) {
  gboolean is_table = self->kind == HL_DISTRIBUTION_TABLE;

  *low = is_table ? self->values[0] : self->from;
  *high = is_table ? self->values[self->n - 1] : self->to;
}

/* --- reading --- */

static gboolean refuse_distribution (const char *what, const char *why, GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX, "%s: %s", what, why);
  return FALSE;
}

static double number (const HlValue *object, const char *key, double otherwise) {
  const HlValue *value = hl_value_member (object, key);

  return value != NULL ? hl_value_number (value) : otherwise;
}

static gboolean read_numbers (const HlValue *list, double out[], const char *what, const char *why,
                              GError **error) {
  for (gsize k = 0; k < hl_value_length (list); k++) {
    out[k] = hl_value_number (hl_value_item (list, k));
    if (!isfinite (out[k]))
      return refuse_distribution (what, why, error);
  }
  return TRUE;
}

/* Reads "values" with "cumulative" (0 to 1) or "weights" (all 1 when absent). */
static gboolean read_table (HlDistribution *self, const HlValue *object, const char *what, GError **error) {
  const HlValue *values = hl_value_member (object, "values"), *weights = hl_value_member (object, "weights"),
                *curve = hl_value_member (object, "cumulative");
  const HlValue *beside = curve != NULL ? curve : weights;
  const char *why = _ ("a table needs increasing numbers “values”, and either “weights”, not negative, or "
                       "“cumulative”, increasing from 0 to 1");

  if (!hl_value_is_array (values) || hl_value_length (values) < (curve != NULL ? 2 : 1) ||
      (beside != NULL && hl_value_length (beside) != hl_value_length (values)))
    return refuse_distribution (what, why, error);
  self->n = (int)hl_value_length (values);
  self->is_curve = curve != NULL;
  self->values = g_new0 (double, self->n);
  self->sums = g_new0 (double, self->n);
  for (int k = 0; k < self->n; k++)
    self->sums[k] = 1.0;
  if (!read_numbers (values, self->values, what, why, error) ||
      !read_numbers (beside, self->sums, what, why, error))
    return FALSE;
  for (int k = 0; k < self->n; k++) {
    if ((k > 0 && !(self->values[k] > self->values[k - 1])) || !(self->sums[k] >= 0.0))
      return refuse_distribution (what, why, error);
    if (!self->is_curve && k > 0)
      self->sums[k] += self->sums[k - 1];
    if (self->is_curve && k > 0 && self->sums[k] < self->sums[k - 1])
      return refuse_distribution (what, why, error);
  }
  double total = self->sums[self->n - 1];
  if (!(total > 0.0) || !isfinite (total) || (self->is_curve && (total != 1.0 || self->sums[0] != 0.0)))
    return refuse_distribution (what, why, error);
  for (int k = 0; k < self->n; k++)
    self->sums[k] /= total;
  return TRUE;
}

static gboolean check_distribution (const HlDistribution *self, const char *what, GError **error) {
  gboolean is_log = self->kind == HL_DISTRIBUTION_LOG_UNIFORM || self->kind == HL_DISTRIBUTION_LOG_NORMAL;

  if (self->kind <= HL_DISTRIBUTION_LOG_UNIFORM && !(isfinite (self->from) && isfinite (self->to)))
    return refuse_distribution (what, _ ("a uniform distribution needs numbers “from” and “to”"), error);
  if (self->kind == HL_DISTRIBUTION_LOG_UNIFORM && !(self->from > 0.0))
    return refuse_distribution (what, _ ("a logarithmic distribution needs “from” above 0"), error);
  if (!(self->from <= self->to))
    return refuse_distribution (what, _ ("“from” must not be above “to”"), error);
  if (self->kind <= HL_DISTRIBUTION_LOG_UNIFORM)
    return TRUE;
  if (!isfinite (self->center) || (is_log && !(self->center > 0.0)))
    return refuse_distribution (what,
                                is_log ? _ ("a log-normal distribution needs a “median” above 0")
                                       : _ ("a normal distribution needs a “mean”"),
                                error);
  if (!(self->deviation > 0.0) || !isfinite (self->deviation))
    return refuse_distribution (what, _ ("“deviation” must be a number above 0"), error);
  if (!(probability_below (self, self->to) - probability_below (self, self->from) > 1e-9))
    return refuse_distribution (what, _ ("the distribution has almost no weight between “from” and “to”"),
                                error);
  return TRUE;
}

gboolean hl_distribution_read (HlDistribution *self, const HlValue *object, const char *what,
                               GError **error) {
  const char *name = hl_value_string (hl_value_member (object, "distribution"));
  int kind = hl_value_member (object, "values") != NULL ? HL_DISTRIBUTION_TABLE : 0;

  *self = (HlDistribution){0};
  if (name != NULL) {
    for (kind = 0; kind < (int)G_N_ELEMENTS (kind_names); kind++)
      if (strcmp (kind_names[kind], name) == 0)
        break;
    if (kind == (int)G_N_ELEMENTS (kind_names))
      return refuse_distribution (
          what, _ ("“distribution” must be uniform, log-uniform, normal, log-normal or table"), error);
  }
  self->kind = (HlDistributionKind)kind;
  if (kind == HL_DISTRIBUTION_TABLE) {
    if (read_table (self, object, what, error))
      return TRUE;
    hl_distribution_clear (self);
    return FALSE;
  }
  self->from = number (object, "from", -INFINITY);
  self->to = number (object, "to", INFINITY);
  self->center = number (object, kind == HL_DISTRIBUTION_LOG_NORMAL ? "median" : "mean", (double)NAN);
  self->deviation = number (object, "deviation", (double)NAN);
  return check_distribution (self, what, error);
}

void hl_distribution_clear (HlDistribution *self) {
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->sums, g_free);
}
