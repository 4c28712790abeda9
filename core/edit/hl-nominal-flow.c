/* SPDX-License-Identifier: MIT */
#include "core/edit/hl-nominal-flow.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/hydro/hl-flow-law.h"

#define USUAL_DROP 10e5
#define EDGE_DROP 35e5 /* of one edge: half of the 70 bar of a servo valve */

typedef struct {
  double number;   /* that states the size: area, bore or Cv */
  double per_unit; /* K where that number is 1 [m3/(s Pa^0.5)] */
  double power;    /* K grows with so much of a power of the number */
  double dp_lim;   /* [Pa] */
} Opening;

static gboolean read_sibling (const HlDocument *document, const char *of, const char *name, double *value) {
  /* "cbv.check_area": "cbv.Cd"; "cyl.cushion_A.area": "cyl.cushion_A.Cd" */
  g_autofree char *path = g_strdup_printf ("%.*s%s", (int)(strrchr (of, '.') + 1 - of), of, name);

  return hl_document_get_number (document, path, value, NULL, NULL) && isfinite (*value);
}

static gboolean find_opening (const HlDocument *document, const char *path, Opening *out) {
  static const char *const areas[] = {"area", "check_area", "end_area", NULL};
  HlPathInfo info;
  double Cd, density = 0.0;

  if (!hl_path_find (document, path, &info, NULL) || info.field == NULL ||
      info.section != HL_SECTION_COMPONENTS)
    return FALSE;
  const char *dot = strrchr (info.field->name, '.'), *name = dot != NULL ? dot + 1 : info.field->name;
  gboolean is_cv = strcmp (name, "Cv") == 0, is_bore = strcmp (name, "diameter") == 0;
  if ((!is_cv && !is_bore && !g_strv_contains (areas, name)) ||
      !hl_document_get_number (document, path, &out->number, NULL, NULL) || isnan (out->number))
    return FALSE;
  out->power = is_bore ? 2.0 : 1.0;
  out->per_unit = 1.0;
  if (!read_sibling (document, path, "dp_lim", &out->dp_lim))
    return FALSE;
  out->dp_lim = fmax (out->dp_lim, HL_DP_LIM_SMALLEST);
  if (is_cv)
    return TRUE;
  if (!read_sibling (document, path, "Cd", &Cd) ||
      !hl_document_get_number (document, "fluid.density", &density, NULL, NULL))
    return FALSE;
  out->per_unit = hl_orifice_conductance (Cd, is_bore ? 0.25 * G_PI : 1.0, density);
  return TRUE;
}

gboolean hl_rating_has (const HlDocument *document, const char *path) {
  Opening opening;

  return find_opening (document, path, &opening);
}

double hl_rating_drop (const HlDocument *document, const char *path) {
  return g_str_has_suffix (path, ".Cv") ? EDGE_DROP : USUAL_DROP;
}

static double flow_at (const Opening *opening, double drop) {
  double slope;

  return opening->per_unit * pow (opening->number, opening->power) *
         hl_orifice_flow (drop, opening->dp_lim, &slope);
}

double hl_rating_flow (const HlDocument *document, const char *path) {
  Opening opening;

  return find_opening (document, path, &opening) ? flow_at (&opening, hl_rating_drop (document, path)) : NAN;
}

/* Returns the document with the size for a flow: the flow is proportional to the number, or to its square. */
HlDocument *hl_rating_with_flow (const HlDocument *document, const char *path, double flow, GError **error) {
  Opening opening;

  if (!find_opening (document, path, &opening)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not an opening"), path);
    return NULL;
  }
  if (!(flow > 0.0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("%s: the flow is not a number above 0; enter a flow such as 40 L/min"), path);
    return NULL;
  }
  opening.number = 1.0;
  double of_one = flow_at (&opening, hl_rating_drop (document, path));
  return hl_document_with_number (document, path, pow (flow / of_one, 1.0 / opening.power), error);
}

gboolean hl_rating_parse (const HlDocument *document, const char *path, const char *text, double *flow,
                          GError **error) {
  /* TRANSLATORS: between a flow and a pressure drop, "40 L/min at 5 bar" */
  const char *words[] = {"@", " at ", _ (" at ")};
  const char *found = NULL, *rest = NULL;
  Opening opening;
  double stated, drop;

  for (gsize k = 0; k < G_N_ELEMENTS (words) && found == NULL; k++)
    if ((found = strstr (text, words[k])) != NULL)
      rest = found + strlen (words[k]);
  if (found == NULL || !find_opening (document, path, &opening))
    return FALSE;
  g_autofree char *left = g_strstrip (g_strndup (text, (gsize)(found - text)));
  g_autofree char *right = g_strstrip (g_strdup (rest));
  if (!hl_document_read_typed (document, left, HL_QUANTITY_FLOW, hl_quantity_default_unit (HL_QUANTITY_FLOW),
                               &stated, NULL, error) ||
      !hl_document_read_typed (document, right, HL_QUANTITY_PRESSURE_DIFFERENCE,
                               hl_quantity_default_unit (HL_QUANTITY_PRESSURE_DIFFERENCE), &drop, NULL,
                               error))
    return FALSE;
  if (!(drop > 0.0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("%s: the pressure drop is not a number above 0; enter a flow and a pressure drop, such "
                    "as 40 L/min at 5 bar"),
                 path);
    return FALSE;
  }
  opening.number = 1.0;
  *flow = stated / flow_at (&opening, drop) * flow_at (&opening, hl_rating_drop (document, path));
  return TRUE;
}

const double *hl_standard_sizes (const char *path, int *n) {
  static const double bores[] = {0.008, 0.010, 0.012, 0.016, 0.020, 0.025, 0.032, 0.040, 0.050,
                                 0.063, 0.080, 0.100, 0.125, 0.160, 0.200, 0.250, 0.320, 0.400};
  static const double rods[] = {0.004, 0.005, 0.006, 0.008, 0.010, 0.012, 0.014, 0.016, 0.018,
                                0.020, 0.022, 0.025, 0.028, 0.032, 0.036, 0.040, 0.045, 0.050,
                                0.056, 0.063, 0.070, 0.080, 0.090, 0.100, 0.110, 0.125, 0.140,
                                0.160, 0.180, 0.200, 0.220, 0.250, 0.280, 0.320, 0.360};
  gboolean is_bore = g_str_has_suffix (path, ".piston_diameter");

  *n = is_bore                                    ? (int)G_N_ELEMENTS (bores)
       : g_str_has_suffix (path, ".rod_diameter") ? (int)G_N_ELEMENTS (rods)
                                                  : 0;
  return is_bore ? bores : *n > 0 ? rods : NULL;
}
