/* SPDX-License-Identifier: MIT */
/* What may be said of a run of the library beside the file: numbers and words, as the file has them. */
#include "core/api/hl-api-private.h"

#include "core/document/hl-named.h"
#include "core/document/hl-path.h"
#include "core/oil/hl-oil-proposals.h"

#include <string.h>

/* A number in SI, with a unit or as a formula, within what the file may state for it. */
static int take_number (const HlDocument *document, const char *path, const char *text, double *value,
                        char **error) {
  GError *why = NULL;
  g_autoptr (HlDocument) changed = hl_document_with_text (document, path, text, &why);

  if (changed != NULL && hl_document_get_number (changed, path, value, NULL, &why))
    return TRUE;
  if (strstr (why->message, path) == NULL)
    g_prefix_error (&why, "%s: ", strrchr (path, '.') + 1);
  return hl_api_fail (why, error);
}

/* By the words of a NULL-terminated list; -1 with an error. */
static int choose (const char *what, const char *given, const char *const words[], char **error) {
  int k = 0;

  while (words[k] != NULL && strcmp (words[k], given) != 0)
    k++;
  if (words[k] != NULL)
    return k;
  g_autofree char *choices = g_strjoinv (", ", (char **)words);
  hl_api_say (HL_ERROR_USAGE, g_strdup_printf ("there is no %s ‘%s’; there are %s", what, given, choices),
              error);
  return -1;
}

static int take_oil (const char *given, HlSimOptions *how, char **error) {
  const char *words[HL_N_OIL_MODELS + 1] = {NULL};

  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    words[k] = hl_oil_models[k]->name;
  int oil = choose ("oil", given, words, error);
  if (oil < 0)
    return FALSE;
  how->model = (HlModelKind)oil;
  how->formulation = hl_oil_form (how->model, how->formulation)->formulation;
  return TRUE;
}

static int take_formulation (const char *given, HlSimOptions *how, char **error) {
  int form = choose ("formulation", given, hl_formulation_words, error);

  if (form < 0)
    return FALSE;
  how->formulation = hl_oil_form (how->model, (HlFormulation)form)->formulation;
  return (int)how->formulation == form ||
         hl_api_say (
             HL_ERROR_USAGE,
             g_strdup_printf ("the %s oil has no formulation ‘%s’", hl_oil_models[how->model]->name, given),
             error);
}

static int take_integrator (const char *given, HlSimOptions *how, char **error) {
  static const char *const words[] = {[HL_METHOD_BDF] = "bdf", [HL_METHOD_RADAU] = "radau", NULL};
  int method = choose ("integrator", given, words, error);

  if (method >= 0)
    how->method = (HlMethod)method;
  return method >= 0;
}

int hl_api_take_option (const HlDocument *document, const char *name, const char *text, HlSimOptions *how,
                        char **error) {
  const struct {
    const char *name;
    double *number;
  } numbers[] = {{"t_end", &how->t_end}, {"every", &how->every},         {"rtol", &how->rtol},
                 {"step", &how->step},   {"max_steps", &how->max_steps}, {"beta", &how->beta},
                 {"gamma", &how->gamma}};

  for (gsize k = 0; k < G_N_ELEMENTS (numbers); k++)
    if (strcmp (numbers[k].name, name) == 0) {
      g_autofree char *path = g_strconcat ("simulation.", name, NULL);
      return take_number (document, path, text, numbers[k].number, error);
    }
  if (strcmp (name, "oil") == 0)
    return take_oil (text, how, error);
  if (strcmp (name, "formulation") == 0)
    return take_formulation (text, how, error);
  if (strcmp (name, "integrator") == 0)
    return take_integrator (text, how, error);
  return hl_api_say (HL_ERROR_USAGE,
                     g_strdup_printf ("a run has no option ‘%s’; it has t_end, every, rtol, step, "
                                      "max_steps, beta, gamma, oil, formulation and integrator",
                                      name),
                     error);
}
