/* SPDX-License-Identifier: MIT */
/* Corners are written as they come; a stretch at rest is its first and its last corner, and the
 * last one moves along. */
#include "core/run/hl-lever-record.h"

#include <math.h>

typedef struct {
  double t, y;
} Corner;

struct HlLeverRecord {
  int n;
  GArray **corners; /* Corner, one array a lever */
};

HlLeverRecord *hl_lever_record_new (int n_levers) {
  HlLeverRecord *record = g_new0 (HlLeverRecord, 1);

  record->n = n_levers;
  record->corners = g_new0 (GArray *, n_levers + 1);
  for (int lever = 0; lever < n_levers; lever++)
    record->corners[lever] = g_array_new (FALSE, FALSE, sizeof (Corner));
  return record;
}

void hl_lever_record_free (HlLeverRecord *record) {
  if (record == NULL)
    return;
  for (int lever = 0; lever < record->n; lever++)
    g_array_unref (record->corners[lever]);
  g_free (record->corners);
  g_free (record);
}

static const Corner *last (const GArray *corners) {
  return &g_array_index (corners, Corner, corners->len - 1);
}

void hl_lever_record_put (HlLeverRecord *record, int lever, double t, double y) {
  Corner corner = {t, y};
  g_array_append_val (record->corners[lever], corner);
}

void hl_lever_record_add (HlLeverRecord *record, int lever, double from, double to, double y) {
  GArray *corners = record->corners[lever];
  Corner rest = {from, last (corners)->y}, end = {to, y};

  if (y == rest.y)
    return; /* what rests is known from its last corner */
  if (rest.t > last (corners)->t)
    g_array_append_val (corners, rest);
  g_array_append_val (corners, end);
}

/* The last corner at t or before it. */
static guint corner_at (const GArray *corners, double t) {
  guint low = 0, high = corners->len - 1;

  while (low < high) {
    guint middle = low + (high - low + 1) / 2;
    if (g_array_index (corners, Corner, middle).t <= t)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

double hl_lever_record_value (const HlLeverRecord *record, int lever, double t) {
  const GArray *corners = record->corners[lever];

  if (corners->len == 0)
    return NAN;
  guint at = corner_at (corners, t);
  const Corner *a = &g_array_index (corners, Corner, at);

  if (at + 1 == corners->len || t <= a->t)
    return a->y;
  return a->y + (a[1].y - a->y) / (a[1].t - a->t) * (t - a->t);
}

void hl_lever_record_end (HlLeverRecord *record, double t) {
  for (int lever = 0; lever < record->n; lever++) {
    GArray *corners = record->corners[lever];
    Corner end = {t, hl_lever_record_value (record, lever, t)};
    if (corners->len == 0 || last (corners)->t <= t)
      continue;
    g_array_set_size (corners, corner_at (corners, t) + 1);
    if (last (corners)->t < t)
      g_array_append_val (corners, end);
  }
}

gboolean hl_lever_record_is_held (const HlLeverRecord *record, int lever) {
  return record->corners[lever]->len > 0;
}

HlValue *hl_lever_record_signal (const HlLeverRecord *record, int lever) {
  static const char *const keys[] = {"kind", "t", "y", "between"};
  const GArray *corners = record->corners[lever];

  if (corners->len == 0)
    return NULL;
  if (corners->len == 1)
    return hl_value_new_number (last (corners)->y);
  g_autofree double *t = g_new (double, corners->len), *y = g_new (double, corners->len);
  for (guint k = 0; k < corners->len; k++) {
    t[k] = g_array_index (corners, Corner, k).t;
    y[k] = g_array_index (corners, Corner, k).y;
  }
  HlValue *parts[] = {hl_value_new_string ("table"), hl_value_new_numbers (t, corners->len),
                      hl_value_new_numbers (y, corners->len), hl_value_new_string ("line")};
  return hl_value_new_object_take (keys, parts, G_N_ELEMENTS (parts));
}
