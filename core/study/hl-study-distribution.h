/* SPDX-License-Identifier: MIT */
/* Variation of one number of a study: a distribution, with its quantiles, or with a few values that represent it. */
#pragma once

#include "core/base/hl-json-value.h"

typedef enum {
  HL_DISTRIBUTION_UNIFORM,     /* from, to                                            */
  HL_DISTRIBUTION_LOG_UNIFORM, /* the same in the logarithm                           */
  HL_DISTRIBUTION_NORMAL,      /* mean, deviation; cut off at from and to if given    */
  HL_DISTRIBUTION_LOG_NORMAL,  /* median, deviation of the natural logarithm; the same */
  HL_DISTRIBUTION_TABLE        /* values with weights, or with a cumulative curve     */
} HlDistributionKind;

typedef struct {
  HlDistributionKind kind;
  double from, to;          /* -INFINITY, INFINITY: no end */
  double center, deviation; /* mean or median */
  double *values, *sums;    /* n: values, and the probability of what is not above them */
  int n;
  gboolean is_curve; /* straight lines between the values */
} HlDistribution;

/* Reads the members of an object of a study; `what` begins the message. FALSE: HL_ERROR_SYNTAX. Clear it
 * after success. */
gboolean hl_distribution_read (HlDistribution *self, const HlValue *object, const char *what, GError **error);
void hl_distribution_clear (HlDistribution *self);

/* Returns the value that is not exceeded with probability u, 0 < u < 1. */
double hl_distribution_quantile (const HlDistribution *self, double u);
/* Returns the value `level` of n, rising: equal steps from end to end of what is uniform, the middles of
 * equally probable parts of what has no ends, each value of a table that has only n. */
double hl_distribution_level (const HlDistribution *self, int level, int n);
/* Returns how many levels it has by itself: the values of a table without a curve; 0: as many as requested. */
int hl_distribution_n_levels (const HlDistribution *self);
/* Computes the smallest and largest possible value, *low and *high. */
void hl_distribution_range (const HlDistribution *self, double *low, double *high);

/* Returns the standard normal distribution and its inverse (0 < u < 1), to 1e-15 of their size. */
double hl_normal_probability (double z);
double hl_normal_quantile (double u);
