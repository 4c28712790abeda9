/* SPDX-License-Identifier: MIT */
/* report.md: pictures, eigenvalues, parameters, statistics. */
#include "app/cli/hl-cli-report.h"
#include "core/oil/hl-model-advice.h"
#include "core/document/hl-named.h"
#include "core/document/hl-path.h"
#include "core/base/hl-unit.h"
#include "core/io/hl-shown-text.h"

#include <math.h>
#include <string.h>

#define DIGITS 6

/* Text of the model as text of the page: no markup of it, Markdown's or HTML's, gets through. Its
 * lines stay lines; what begins one cannot make it a heading, a list or code. */
static void
append_plain (GString *text, const char *words)
{
  g_autofree char *shown = hl_shown_text (words, TRUE);
  gboolean begins = TRUE;  /* nothing but blanks since the line began */
  gboolean counts = FALSE; /* nothing but digits since */

  for (const char *c = shown; *c != '\0'; c++) {
    if (begins && (*c == ' ' || *c == '\t'))
      continue;
    if (*c == '<' || *c == '>' || *c == '&')
      g_string_append (text, *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;");
    else if (strchr ("\\`*_[]|#~$", *c) != NULL || (begins && strchr ("-+=:", *c) != NULL) ||
             (counts && (*c == '.' || *c == ')')))
      g_string_append_printf (text, "\\%c", *c);
    else
      g_string_append_c (text, *c);
    counts = g_ascii_isdigit (*c) && (begins || counts);
    begins = *c == '\n';
  }
}

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
    g_string_append_printf (
        text, "- kink in `%s`: the linear model holds the %s\n", hl_kink_name (lin, &lin->kinks[k]),
        hl_kink_is_mean (lin, &lin->kinks[k]) ? "mean of the slopes on both sides"
                                              : "slope on one side");
  if (lin->steadiness != HL_ON_THE_WAY) {
    g_string_append_printf (text, "\nThe state the run starts from is %s.\n\n",
                            lin->unstable ? "unstable" : "not unstable");
    return;
  }
  g_autofree char *verdict = hl_cli_verdict (lin);
  g_string_append_printf (text, "\nThe state the run starts from: %s.\n\n", verdict);
}

/* Whether some number is kept as typed: a formula, or one with its unit. */
static gboolean
has_typed (const HlDocument *document, char **paths)
{
  gboolean has = FALSE;

  for (int k = 0; paths[k] != NULL && !has; k++)
    has = hl_document_typed (document, paths[k]) != NULL;
  return has;
}

/* Every number that named parameters, bodies, loads, components, lines and the fluid have here, stated
 * or by default; beside it what was typed, where something was. */
static void
append_parameters (GString *text, const HlDocument *document)
{
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
  gboolean shows_typed = has_typed (document, paths);

  g_string_append (text, shows_typed ? "| path | value | unit | as typed |\n|---|---:|---|---|\n"
                                     : "| path | value | unit |\n|---|---:|---|\n");
  for (int k = 0; paths[k] != NULL; k++) {
    HlPathInfo info;
    double value;
    if (!hl_path_find (document, paths[k], &info, NULL) ||
        (strcmp (info.id, "parameters") != 0 && info.section != HL_SECTION_BODIES &&
         info.section != HL_SECTION_LOADS && info.section != HL_SECTION_COMPONENTS &&
         info.section != HL_SECTION_LINES && info.section != HL_SECTION_FLUID) ||
        !hl_document_get_number (document, paths[k], &value, NULL, NULL))
      continue;
    g_string_append_printf (text, "| `%s` |", paths[k]);
    append_number (text, value, 10);
    g_string_append_printf (text, " %s |", hl_quantity_si (info.quantity));
    const char *typed = hl_document_typed (document, paths[k]);
    if (typed != NULL)
      g_string_append_printf (text, " `%s` |", typed);
    else if (shows_typed)
      g_string_append (text, " |");
    g_string_append_c (text, '\n');
  }
  g_string_append_c (text, '\n');
}

static const char *
model_name (const HlReport *report)
{
  return hl_oil_models[report->options.model]->name;
}

/* How the equations are stated and stepped. */
static char *
method_text (const HlSimOptions *options, const HlSimStats *stats)
{
  const HlOilForm *form = hl_oil_form (options->model, options->formulation);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "| formulation | %s |\n",
                          hl_formulation_words[options->formulation]);
  if (form->has_decay) {
    g_autofree char *beta = hl_cli_pretty (options->beta, DIGITS);
    g_autofree char *gamma = hl_cli_pretty (options->gamma, DIGITS);
    g_string_append_printf (text, "| β, γ [1/s] | %s, %s |\n", beta, gamma);
  }
  if (form->has_fixed_step) {
    g_autofree char *step = hl_cli_pretty (options->step, DIGITS);
    g_string_append_printf (text, "| step [s] | %s |\n", step);
  } else
    g_string_append_printf (text, "| integrator | %s |\n",
                            stats->method == HL_METHOD_RADAU ? "Radau IIA, order 5 or 9"
                                                             : "CVODE, BDF of order 1 to 5");
  if (stats->again) {
    g_autofree char *time = hl_cli_pretty (stats->t_gave_up, DIGITS);
    g_string_append_printf (text, "| the other integrator gave up at [s] | %s |\n", time);
  }
  if (stats->takeover.why != HL_TAKEOVER_NONE) {
    g_autofree char *time = hl_cli_pretty (stats->takeover.t, DIGITS);
    g_string_append_printf (text, "| this integrator went on from [s] | %s |\n", time);
  }
  return g_string_free (text, FALSE);
}

static void
append_run (GString *text, const HlReport *report)
{
  g_autofree char *t_end = hl_cli_pretty (report->options.t_end, DIGITS);
  g_autofree char *rtol = hl_cli_pretty (report->options.rtol, 3);
  g_autofree char *method = method_text (&report->options, &report->stats);
  g_autofree char *reached = hl_cli_pretty (report->stats.t_reached, DIGITS);
  g_autofree char *lost = hl_start_loss_text (report->cli->system, &report->stats.start_loss);
  g_autofree char *soft = hl_gives_way_text (report->cli->system, &report->stats.gives_way);
  g_autofree char *wave = hl_steep_wave_text (report->cli->system, &report->stats.wave);

  g_string_append_printf (text,
                          "| | |\n|---|---:|\n| model | %s |\n%s| end [s] | %s |\n| reached [s] | "
                          "%s |\n| tolerance | %s |\n| steps | %ld |\n| right-hand sides | %ld "
                          "|\n| Jacobians | %ld |\n| restarts | %ld |\n\n",
                          model_name (report), method, t_end, reached, rtol, report->stats.steps,
                          report->stats.rhs, report->stats.jacobians, report->stats.restarts);
  if (lost != NULL) {
    g_string_append (text, "**Note.** ");
    append_plain (text, lost);
    g_string_append (text, "\n\n");
  }
  if (wave != NULL) {
    g_string_append (text, "**Warning.** ");
    append_plain (text, wave);
    g_string_append (text, "\n\n");
  }
  if (soft != NULL) {
    g_string_append (text, "**Note.** ");
    append_plain (text, soft);
    g_string_append (text, "\n\n");
  }
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

  g_autofree char *title = hl_shown_text (*name != '\0' ? name : base, FALSE);
  g_string_append (text, "# ");
  append_plain (text, title);
  g_string_append (text, "\n\n");
  if (about != NULL && *about != '\0') {
    append_plain (text, about);
    g_string_append (text, "\n\n");
  }
  for (guint k = 0; k < report->problems->len; k++) {
    g_string_append (text, "**Not computed.** ");
    append_plain (text, g_ptr_array_index (report->problems, k));
    g_string_append (text, "\n\n");
  }
  for (guint k = 0; k < report->warnings->len; k++) {
    g_string_append (text, "**Warning.** ");
    append_plain (text, g_ptr_array_index (report->warnings, k));
    g_string_append (text, "\n\n");
  }
  if (report->plots->len > 0) {
    g_string_append (text, "## Response\n\n");
    append_pictures (text, report->plots, NULL);
    if (report->lin != NULL && hl_oil_models[report->options.model]->has_points)
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
