/* SPDX-License-Identifier: MIT */
/* report.md: pictures, eigenvalues, parameters, statistics. */
#include "app/hl-cli-report.h"
#include "core/analysis/hl-model-advice.h"
#include "core/document/hl-path.h"
#include "core/document/hl-unit.h"

#include <math.h>
#include <string.h>

#define DIGITS 6

static void
append_pictures (GString *text, const GPtrArray *stems, const char *alt)
{
  for (guint k = 0; k < stems->len; k++) {
    const char *stem = g_ptr_array_index (stems, k);
    g_string_append_printf (text, "![%s](%s.svg)\n\n", alt != NULL ? alt : stem, stem);
  }
}

static void
append_number (GString *text, double value, int digits)
{
  g_autofree char *cell = hl_cli_pretty (value, digits);

  g_string_append_printf (text, " %s |", cell);
}

static void
append_eigenvalues (GString *text, const HlLinearization *lin)
{
  g_string_append (text,
                   "| | Re λ [1/s] | Im λ [rad/s] | frequency [Hz] | damping ratio | strongest in "
                   "|\n|---|---:|---:|---:|---:|---|\n");
  for (int k = 0; k < lin->n; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    g_string_append_printf (text, "| %d |", k + 1);
    append_number (text, value->re, 10);
    append_number (text, value->im, 10);
    append_number (text, value->frequency_hz, DIGITS);
    append_number (text, value->damping_ratio, DIGITS);
    g_string_append_printf (text, " %s |\n",
                            value->null ? "null eigenvalue"
                                        : lin->state_names[hl_cli_strongest_state (lin, k)]);
  }
  g_string_append_c (text, '\n');
  for (int k = 0, next; k < lin->n_null_blocks; k = next) {
    for (next = k + 1; next < lin->n_null_blocks; next++)
      if (lin->null_blocks[next] != lin->null_blocks[k] ||
          strcmp (lin->null_names[next], lin->null_names[k]) != 0)
        break;
    if (next == k + 1)
      g_string_append_printf (text, "- null block of size %d: %s\n", lin->null_blocks[k],
                              lin->null_names[k]);
    else
      g_string_append_printf (text, "- %d null blocks of size %d: %s\n", next - k,
                              lin->null_blocks[k], lin->null_names[k]);
  }
  for (int k = 0; k < lin->n_kinks; k++)
    g_string_append_printf (text,
                            "- kink in `%s`: the linear model holds the mean of the slopes on "
                            "both sides\n",
                            lin->state_names[lin->kinks[k].state]);
  g_string_append_printf (text, "\nThe state the run starts from is %s.\n\n",
                          lin->unstable ? "unstable" : "not unstable");
}

/* Every number that bodies, loads, components, lines and the fluid have here, stated or by default.
 */
static void
append_parameters (GString *text, const HlDocument *document)
{
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);

  g_string_append (text, "| path | value | unit |\n|---|---:|---|\n");
  for (int k = 0; paths[k] != NULL; k++) {
    HlPathInfo info;
    double value;
    if (!hl_path_find (document, paths[k], &info, NULL) ||
        (info.section != HL_SECTION_BODIES && info.section != HL_SECTION_LOADS &&
         info.section != HL_SECTION_COMPONENTS && info.section != HL_SECTION_LINES &&
         info.section != HL_SECTION_FLUID) ||
        !hl_document_get_number (document, paths[k], &value, NULL, NULL))
      continue;
    g_string_append_printf (text, "| `%s` |", paths[k]);
    append_number (text, value, 10);
    g_string_append_printf (text, " %s |\n", hl_quantity_si (info.quantity));
  }
  g_string_append_c (text, '\n');
}

static const char *
model_name (const HlReport *report)
{
  static const char *const models[] = {"lumped", "hybrid", "quasistatic"};

  return models[report->options.model];
}

/* How the equations are stated and stepped. */
static char *
method_text (const HlSimOptions *options)
{
  static const char *const formulations[] = {"reduced", "baumgarte", "relaxed", "discrete"};
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "| formulation | %s |\n", formulations[options->formulation]);
  if (options->formulation == HL_FORMULATION_BAUMGARTE) {
    g_autofree char *beta = hl_cli_pretty (options->beta, DIGITS);
    g_autofree char *gamma = hl_cli_pretty (options->gamma, DIGITS);
    g_string_append_printf (text, "| β, γ [1/s] | %s, %s |\n", beta, gamma);
  }
  if (options->formulation == HL_FORMULATION_DISCRETE) {
    g_autofree char *step = hl_cli_pretty (options->step, DIGITS);
    g_string_append_printf (text, "| step [s] | %s |\n", step);
  } else
    g_string_append_printf (text, "| integrator | %s |\n",
                            options->method == HL_METHOD_RADAU ? "Radau IIA, order 5"
                                                               : "CVODE, BDF of order 1 to 5");
  return g_string_free (text, FALSE);
}

static void
append_run (GString *text, const HlReport *report)
{
  g_autofree char *t_end = hl_cli_pretty (report->options.t_end, DIGITS);
  g_autofree char *rtol = hl_cli_pretty (report->options.rtol, 3);
  g_autofree char *method = method_text (&report->options);
  g_autofree char *reached = hl_cli_pretty (report->stats.t_reached, DIGITS);

  g_string_append_printf (text,
                          "| | |\n|---|---:|\n| model | %s |\n%s| end [s] | %s |\n| reached [s] | "
                          "%s |\n| tolerance | %s |\n| steps | %ld |\n| right-hand sides | %ld "
                          "|\n| Jacobians | %ld |\n| restarts | %ld |\n\n",
                          model_name (report), method, t_end, reached, rtol, report->stats.steps,
                          report->stats.rhs, report->stats.jacobians, report->stats.restarts);
}

static void
append_advice (GString *text, const HlReport *report)
{
  HlModelAdvice *advice = hl_model_advice_new (report->cli->system);
  g_autofree char *stripped = g_strstrip (g_strdup (advice->text));
  g_auto (GStrv) lines = g_strsplit (stripped, "\n", -1);
  g_autofree char *list = g_strjoinv ("\n- ", lines);

  g_string_append_printf (text, "## Which model of the oil suits\n\n- %s\n\n", list);
  hl_model_advice_free (advice);
}

static void
append_files (GString *text, const HlReport *report)
{
  static const struct
  {
    const char *name, *what;
  } known[] = {{"results.csv", "the probes over time, then their linear response"},
               {"events.csv", "what switched, when, and its impulse"},
               {"linear-model.json", "J, B, eigenvalues with participation, kinks"},
               {"A.csv", "the matrix of the linear model"},
               {"B.csv", "its input matrix"},
               {"root-locus.csv", "eigenvalues over the first slider"}};

  for (guint k = 0; k < report->tables->len; k++)
    for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
      if (strcmp (known[i].name, g_ptr_array_index (report->tables, k)) == 0)
        g_string_append_printf (text, "- [%s](%s): %s\n", known[i].name, known[i].name,
                                known[i].what);
  g_string_append (text, "\nEvery picture lies here as SVG and as PNG.\n");
}

gboolean
hl_report_write_text (HlReport *report, GError **error)
{
  const HlDocument *document = report->cli->document;
  const char *name = hl_document_name (document);
  const char *about = hl_document_object_text (document, HL_SECTION_MODEL, "description");
  g_autofree char *base = g_path_get_basename (report->cli->file);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "# %s\n\n", *name != '\0' ? name : base);
  if (about != NULL && *about != '\0')
    g_string_append_printf (text, "%s\n\n", about);
  for (guint k = 0; k < report->problems->len; k++)
    g_string_append_printf (text, "**Not computed.** %s\n\n",
                            (const char *)g_ptr_array_index (report->problems, k));
  if (report->plots->len > 0) {
    g_string_append (text, "## Response\n\n");
    append_pictures (text, report->plots, NULL);
    if (report->lin != NULL && report->options.model == HL_MODEL_LUMPED)
      g_string_append (text, "Solid: the model; dashed: its linear response from the last corner "
                             "of the signals on. Thin verticals: corners of the signals.\n\n");
  }
  g_string_append (text, "## Drawings and eigenvalues\n\n");
  append_pictures (text, report->drawings, NULL);
  if (report->lin != NULL)
    append_eigenvalues (text, report->lin);
  g_string_append (text, "## Run\n\n");
  append_run (text, report);
  hl_report_append_modes (text, report);
  append_advice (text, report);
  g_string_append (text, "## Parameters\n\n");
  append_parameters (text, document);
  g_string_append (text, "## Files\n\n");
  append_files (text, report);
  return hl_report_save (report, "report.md", text->str, error);
}
