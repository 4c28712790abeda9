/* SPDX-License-Identifier: MIT */
#include "core/formula/hl-dimension.h"

#include <math.h>

#include "core/base/hl-unit.h"

#define SAME 1e-9 /* powers: halves and thirds of whole numbers, rounded */

/* By the SI unit of hl_quantity_si (): N = kg m/s², Pa = kg/(m s²), J = W s = N m. */
static const HlDimension dimensions[HL_N_QUANTITIES] = {
    [HL_QUANTITY_LENGTH] = {1, 0, 0, 0},
    [HL_QUANTITY_AREA] = {2, 0, 0, 0},
    [HL_QUANTITY_VOLUME] = {3, 0, 0, 0},
    [HL_QUANTITY_ANGLE] = {0, 0, 0, 1},
    [HL_QUANTITY_TIME] = {0, 0, 1, 0},
    [HL_QUANTITY_FREQUENCY] = {0, 0, -1, 0},
    [HL_QUANTITY_RATE] = {0, 0, -1, 0},
    [HL_QUANTITY_SPEED] = {1, 0, -1, 0},
    [HL_QUANTITY_INVERSE_SPEED] = {-1, 0, 1, 0},
    [HL_QUANTITY_ANGULAR_SPEED] = {0, 0, -1, 1},
    [HL_QUANTITY_ANGULAR_FREQUENCY] = {0, 0, -1, 1},
    [HL_QUANTITY_SHAFT_SPEED] = {0, 0, -1, 1},
    [HL_QUANTITY_ACCELERATION] = {1, 0, -2, 0},
    [HL_QUANTITY_MASS] = {0, 1, 0, 0},
    [HL_QUANTITY_INERTIA] = {2, 1, 0, 0},
    [HL_QUANTITY_DENSITY] = {-3, 1, 0, 0},
    [HL_QUANTITY_LINE_DENSITY] = {-1, 1, 0, 0},
    [HL_QUANTITY_FORCE] = {1, 1, -2, 0},
    [HL_QUANTITY_TORQUE] = {2, 1, -2, 0},
    [HL_QUANTITY_ENERGY] = {2, 1, -2, 0},
    [HL_QUANTITY_POWER] = {2, 1, -3, 0},
    [HL_QUANTITY_STIFFNESS] = {0, 1, -2, 0},
    [HL_QUANTITY_DAMPING] = {0, 1, -1, 0},
    [HL_QUANTITY_TORSION_STIFFNESS] = {2, 1, -2, -1},
    [HL_QUANTITY_TORSION_DAMPING] = {2, 1, -1, -1},
    [HL_QUANTITY_TYRE_STIFFNESS] = {1, 1, -2, -1},
    [HL_QUANTITY_PRESSURE] = {-1, 1, -2, 0},
    [HL_QUANTITY_PRESSURE_DIFFERENCE] = {-1, 1, -2, 0},
    [HL_QUANTITY_MODULUS] = {-1, 1, -2, 0},
    [HL_QUANTITY_FLOW] = {3, 0, -1, 0},
    [HL_QUANTITY_VISCOSITY] = {-1, 1, -1, 0},
    [HL_QUANTITY_RESISTANCE] = {-4, 1, -1, 0},
    [HL_QUANTITY_LEAKAGE] = {4, -1, 1, 0},
    [HL_QUANTITY_VALVE_FLOW] = {3.5, -0.5, 0, 0},
    [HL_QUANTITY_DISPLACEMENT] = {3, 0, 0, -1},
    [HL_QUANTITY_COMPLIANCE] = {4, -1, 2, 0},
};

HlDimension hl_dimension_of (HlQuantity quantity) {
  return dimensions[quantity];
}

HlDimension hl_dimension_product (HlDimension a, double p, HlDimension b, double q) {
  return (HlDimension){a.metre * p + b.metre * q, a.kilogram * p + b.kilogram * q,
                       a.second * p + b.second * q, a.radian * p + b.radian * q};
}

static gboolean is_same (double a, double b) {
  return fabs (a - b) <= SAME;
}

/* But for radians. */
static gboolean has_no_units (HlDimension d) {
  return is_same (d.metre, 0) && is_same (d.kilogram, 0) && is_same (d.second, 0);
}

gboolean hl_dimension_is_none (HlDimension dimension) {
  return has_no_units (dimension) && is_same (dimension.radian, 0);
}

gboolean hl_dimension_agrees (HlDimension a, HlDimension b) {
  return is_same (a.metre, b.metre) && is_same (a.kilogram, b.kilogram) && is_same (a.second, b.second) &&
         (is_same (a.radian, b.radian) || !has_no_units (a));
}

gboolean hl_dimension_fits (HlDimension dimension, HlQuantity quantity) {
  gboolean asks = quantity == HL_QUANTITY_DISPLACEMENT || quantity == HL_QUANTITY_ANGULAR_SPEED ||
                  quantity == HL_QUANTITY_ANGULAR_FREQUENCY || quantity == HL_QUANTITY_SHAFT_SPEED ||
                  quantity == HL_QUANTITY_FREQUENCY;

  return hl_dimension_agrees (dimension, dimensions[quantity]) &&
         (!asks || is_same (dimension.radian, dimensions[quantity].radian));
}

gboolean hl_dimension_quantity (HlDimension dimension, HlQuantity *quantity) {
  for (int k = 0; k < HL_N_QUANTITIES; k++)
    if (hl_dimension_agrees (dimension, dimensions[k]) && is_same (dimension.radian, dimensions[k].radian)) {
      *quantity = (HlQuantity)k;
      return TRUE;
    }
  return FALSE;
}

static void add_power (GString *text, const char *unit, double power) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_same (power, 0))
    return;
  g_string_append_printf (text, "%s%s", text->len > 0 ? "·" : "", unit);
  if (!is_same (power, 1))
    g_string_append_printf (text, "^%s", g_ascii_formatd (number, sizeof number, "%.4g", power));
}

char *hl_dimension_text (HlDimension dimension) {
  HlQuantity quantity;
  GString *text;

  if (hl_dimension_quantity (dimension, &quantity))
    return g_strdup (hl_quantity_name (quantity));
  text = g_string_new (NULL);
  add_power (text, "m", dimension.metre);
  add_power (text, "kg", dimension.kilogram);
  add_power (text, "s", dimension.second);
  add_power (text, "rad", dimension.radian);
  return g_string_free (text, FALSE);
}
