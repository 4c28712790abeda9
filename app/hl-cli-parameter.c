/* SPDX-License-Identifier: MIT */
/* Parameters of the studies: paths, what stands there, and what may. */
#include "app/hl-cli-private.h"
#include "core/document/hl-path.h"

#include <math.h>

/* What the schema lets the value be, open ends a hair inside. */
static void
narrow_range (const HlPathInfo *info, HlCliParameter *parameter)
{
  const HlField *field = info->field;

  if (field == NULL || (field->type != HL_FIELD_NUMBER && field->type != HL_FIELD_SIGNAL))
    return;
  if (field->min_bound != HL_BOUND_NONE) {
    double least =
        field->min_bound == HL_BOUND_OPEN ? nextafter (field->min, INFINITY) : field->min;
    parameter->low = fmax (parameter->low, least);
  }
  if (field->max_bound != HL_BOUND_NONE) {
    double most =
        field->max_bound == HL_BOUND_OPEN ? nextafter (field->max, -INFINITY) : field->max;
    parameter->high = fmin (parameter->high, most);
  }
}

gboolean
hl_cli_parse_parameter (const HlCli *cli, const char *text, HlCliParameter *out, GError **error)
{
  *out = (HlCliParameter){.low = -INFINITY, .high = INFINITY};
  out->paths = g_strsplit (text, ",", -1);
  int n = (int)g_strv_length (out->paths);
  out->parameters = g_new0 (HlParameter, n + 1);
  for (int k = 0; k < n; k++) {
    const char *path = out->paths[k];
    HlPathInfo info;
    double value;
    if (!hl_document_get_number (cli->document, path, &value, NULL, error) ||
        !hl_path_find (cli->document, path, &info, error)) {
      hl_cli_parameter_clear (out);
      return FALSE;
    }
    if (k == 0)
      out->value = value;
    narrow_range (&info, out);
    if (hl_system_find_parameter (cli->system, path, &out->parameters[out->n]))
      out->n++;
    else
      out->shapes = TRUE;
  }
  return TRUE;
}

void
hl_cli_parameter_clear (HlCliParameter *parameter)
{
  g_clear_pointer (&parameter->paths, g_strfreev);
  g_clear_pointer (&parameter->parameters, g_free);
}

HlSweepParameter
hl_cli_sweep_parameter (const HlCliParameter *parameter)
{
  return (HlSweepParameter){.parameters = parameter->parameters,
                            .n = parameter->n,
                            .paths = (const char *const *)parameter->paths,
                            .low = parameter->low,
                            .high = parameter->high};
}
