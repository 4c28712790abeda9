/* SPDX-License-Identifier: MIT */
/* Parameters of the studies: paths, what stands there, and what may. */
#include "app/cli/hl-cli-private.h"
#include "core/edit/hl-oil.h"
#include "core/document/hl-path.h"

#include <math.h>

void hl_cli_warn_of_idle (const HlCli *cli, const char *path, HlOil oil) {
  HlPathInfo info;

  if (!hl_path_find (cli->document, path, &info, NULL) || info.type != HL_PATH_NUMBER || info.field == NULL)
    return;
  g_autofree char *text = hl_field_idle_help (info.field, oil);
  if (text != NULL)
    hl_cli_say ("warning: nothing here depends on ‘%s’: %s", path, text);
}

gboolean hl_cli_parse_parameter (const HlCli *cli, const char *text, HlCliParameter *out, GError **error) {
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
    hl_cli_warn_of_idle (cli, path, hl_oil_model_of_points ()->bit);
    if (k == 0)
      out->value = value;
    hl_path_narrow (&info, &out->low, &out->high);
    if (hl_system_find_parameter (cli->system, path, &out->parameters[out->n]))
      out->n++;
    else
      out->shapes = TRUE;
  }
  return TRUE;
}

void hl_cli_parameter_clear (HlCliParameter *parameter) {
  g_clear_pointer (&parameter->paths, g_strfreev);
  g_clear_pointer (&parameter->parameters, g_free);
}

HlSweepParameter hl_cli_sweep_parameter (const HlCliParameter *parameter) {
  return (HlSweepParameter){.parameters = parameter->parameters,
                            .n = parameter->n,
                            .paths = (const char *const *)parameter->paths,
                            .low = parameter->low,
                            .high = parameter->high};
}
