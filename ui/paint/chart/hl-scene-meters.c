/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-scene-meters.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/base/hl-scene.h"

#include <math.h>

#define LEAST_END 1e6   /* [Pa] */
#define HEADROOM 1.1    /* over what was reached */
#define NEAR_ENOUGH 1.1 /* a stated limit is on the scale with this much room */

struct _HlMeterScene {
  GArray *meters; /* HlMeter */
  HlMeterPicture picture;
  guint serial;
  double highest; /* reached in this run [Pa] */
};

static void clear_meter (gpointer data) {
  g_free (((HlMeter *)data)->name);
}

HlMeterScene *hl_meter_scene_new (void) {
  HlMeterScene *scene = g_new0 (HlMeterScene, 1);

  scene->meters = g_array_new (FALSE, TRUE, sizeof (HlMeter));
  g_array_set_clear_func (scene->meters, clear_meter);
  return scene;
}

void hl_meter_scene_free (HlMeterScene *scene) {
  if (scene == NULL)
    return;
  g_array_unref (scene->meters);
  g_free (scene);
}

/* Up to a round number, so that the end of the scale is easily read. */
static double round_up (double value) {
  static const double round[] = {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
  double power = pow (10.0, floor (log10 (value)));

  for (guint i = 0; i < G_N_ELEMENTS (round); i++)
    if (value <= round[i] * power)
      return round[i] * power;
  return 10.0 * power;
}

static void add_line (HlMeterScene *scene, const char *id, const HlResults *results, double t,
                      const double limits[2], const HlUnit *unit) {
  g_autofree char *path = g_strconcat (id, ".pressure", NULL);
  int column = hl_results_find_column (results, path);

  if (column < 0)
    return;
  double pressure = hl_results_value_at (results, column, t);
  HlMeter meter = {.name = g_strdup (id), .value = hl_unit_from_si (unit, pressure)};
  if (pressure < limits[0])
    meter.state = HL_METER_VAPOUR;
  else if (pressure > limits[1])
    meter.state = HL_METER_OVER;
  if (isfinite (pressure))
    scene->highest = fmax (scene->highest, pressure);
  g_array_append_val (scene->meters, meter);
}

const HlMeterPicture *hl_meter_scene_update (HlMeterScene *scene, const HlDocument *document,
                                             const HlResults *results, guint serial, double t,
                                             const HlUnit *unit) {
  const HlValue *simulation = hl_document_object (document, HL_SECTION_SIMULATION);
  double limits[2];

  hl_scene_pressure_marks (document, &limits[0], &limits[1]);
  if (serial != scene->serial)
    scene->highest = 0.0;
  scene->serial = serial;
  g_array_set_size (scene->meters, 0);
  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++)
    add_line (scene, hl_document_element_id (document, HL_SECTION_LINES, line), results, t, limits, unit);
  double end = fmax (HEADROOM * scene->highest, LEAST_END);
  if (isfinite (limits[1]) && hl_value_member (simulation, "pressure_limit") != NULL)
    end = fmax (end, NEAR_ENOUGH * limits[1]);
  scene->picture = (HlMeterPicture){.meters = (HlMeter *)(void *)scene->meters->data,
                                    .n = (int)scene->meters->len,
                                    .end = round_up (hl_unit_from_si (unit, end)),
                                    .low = limits[0] > 0.0 ? hl_unit_from_si (unit, limits[0]) : INFINITY,
                                    .high = hl_unit_from_si (unit, limits[1]),
                                    .unit = unit->symbol,
                                    .low_key = _ ("vapour"),
                                    .high_key = _ ("limit")};
  return &scene->picture;
}

char *hl_meter_scene_text (const HlMeterScene *scene) {
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < scene->meters->len; i++) {
    const HlMeter *meter = &g_array_index (scene->meters, HlMeter, i);
    g_string_append_printf (text, "%s%s %.3g %s%s%s", i > 0 ? ", " : "", meter->name, meter->value,
                            scene->picture.unit, meter->state != HL_METER_USUAL ? " " : "",
                            meter->state == HL_METER_OVER     ? _ ("over the limit")
                            : meter->state == HL_METER_VAPOUR ? _ ("vapour")
                                                              : "");
  }
  return g_string_free (text, FALSE);
}
