/* SPDX-License-Identifier: MIT */
/* hydrolink sensitivity: what parameters do to the eigenvalues, and where an eigenvalue has no
 * slope, why not. */
#include "app/hl-cli-private.h"
#include "core/analysis/hl-sensitivity.h"
#include "core/io/hl-table.h"

#include <math.h>

#define MOST_PARAMETERS 64

typedef struct
{
  HlCliParameter parameters[MOST_PARAMETERS];
  HlSweepParameter sweeps[MOST_PARAMETERS];
  double values[MOST_PARAMETERS];
  const char *names[MOST_PARAMETERS]; /* as given; borrowed */
  int n;
} Question;

static const char *
kind_name (HlSensitivityKind kind)
{
  static const char *const names[] = {
      [HL_SENSITIVITY_SMOOTH] = "smooth",     [HL_SENSITIVITY_ONE_SIDED] = "one-sided",
      [HL_SENSITIVITY_KINK] = "kink",         [HL_SENSITIVITY_JUMP] = "jump",
      [HL_SENSITIVITY_REPEATED] = "repeated", [HL_SENSITIVITY_NULL] = "null",
      [HL_SENSITIVITY_STUCK] = "stuck"};
  return names[kind];
}

/* "1/s per Pa". */
static char *
slope_unit (const HlCli *cli, const HlCliParameter *parameter)
{
  const char *unit = hl_cli_unit_of (cli->document, parameter->paths[0]);

  return g_strcmp0 (unit, "1") == 0 ? g_strdup ("1/s") : g_strdup_printf ("1/s per %s", unit);
}

/* Why a parameter cannot be moved; NULL when it can. Owned by the caller. */
static char *
stuck_text (const HlCli *cli, const HlSensitivity *s, int parameter)
{
  const HlFault *fault = &s->fault[parameter];

  if (fault->status == HL_OK)
    return NULL;
  return fault->entity < 0 && fault->status == HL_BAD_MODEL
             ? g_strdup ("the model does not stand for any other value")
             : hl_fault_message (cli->system, fault);
}

static char *
note_of (const HlCli *cli, const HlSensitivity *s, int parameter, int at)
{
  switch (s->kind[at]) {
  case HL_SENSITIVITY_SMOOTH:
    return g_strdup ("");
  case HL_SENSITIVITY_ONE_SIDED:
    return g_strdup ("one-sided: the value can move to one side only");
  case HL_SENSITIVITY_KINK: {
    double parts[] = {s->above_re[at], s->above_im[at], s->below_re[at], s->below_im[at]};
    g_autofree char *above_re = hl_cli_pretty (parts[0], 10);
    g_autofree char *above_im = hl_cli_pretty (parts[1], 10);
    g_autofree char *below_re = hl_cli_pretty (parts[2], 10);
    g_autofree char *below_im = hl_cli_pretty (parts[3], 10);
    return g_strdup_printf ("kink: %s and %s i above, %s and %s i below", above_re, above_im,
                            below_re, below_im);
  }
  case HL_SENSITIVITY_JUMP:
    return g_strdup ("jump: the eigenvalue does not move steadily here");
  case HL_SENSITIVITY_REPEATED:
    return g_strdup ("repeated: as is another eigenvalue, so that it splits");
  case HL_SENSITIVITY_NULL:
    return g_strdup ("null");
  default: {
    g_autofree char *why = stuck_text (cli, s, parameter);
    return g_strdup_printf ("stuck: %s", why != NULL ? why : "it cannot be moved");
  }
  }
}

static char *
csv_text (const HlCli *cli, const HlSensitivity *s, const Question *question)
{
  g_autoptr (GString) text = g_string_new ("re [1/s],im [rad/s]");

  for (int p = 0; p < s->n_parameters; p++) {
    static const char *const columns[] = {"d_re/d", "d_im/d", "error"};
    g_autofree char *unit = slope_unit (cli, &question->parameters[p]);
    for (gsize k = 0; k < G_N_ELEMENTS (columns); k++) {
      g_autofree char *title = g_strdup_printf ("%s %s [%s]", columns[k], question->names[p], unit);
      g_string_append_c (text, ',');
      hl_table_append_text (text, title);
    }
    g_autofree char *title = g_strdup_printf ("note %s", question->names[p]);
    g_string_append_c (text, ',');
    hl_table_append_text (text, title);
  }
  g_string_append_c (text, '\n');
  for (int k = 0; k < s->n_states; k++) {
    hl_table_append_numbers (text, (double[]){s->re[k], s->im[k]}, 2);
    for (int p = 0; p < s->n_parameters; p++) {
      int at = p * s->n_states + k;
      g_autofree char *note = note_of (cli, s, p, at);
      g_string_truncate (text, text->len - 1); /* the line goes on */
      g_string_append_c (text, ',');
      hl_table_append_numbers (text, (double[]){s->d_re[at], s->d_im[at], s->error[at]}, 3);
      g_string_truncate (text, text->len - 1);
      g_string_append_c (text, ',');
      hl_table_append_text (text, note);
      g_string_append_c (text, '\n');
    }
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
put_kinks (HlJsonOut *out, const HlSensitivity *s, int parameter)
{
  struct
  {
    const char *name;
    const double *values;
  } tables[] = {{"above_re", s->above_re},
                {"above_im", s->above_im},
                {"below_re", s->below_re},
                {"below_im", s->below_im}};

  for (gsize k = 0; k < G_N_ELEMENTS (tables); k++)
    hl_json_out_numbers (out, tables[k].name, tables[k].values + parameter * s->n_states,
                         s->n_states, 1);
}

static char *
json_text (const HlCli *cli, const HlSensitivity *s, const Question *question)
{
  g_autoptr (HlJsonOut) out = hl_json_out_new ();

  hl_json_out_open (out, NULL, '{');
  hl_json_out_open (out, "eigenvalues", '[');
  for (int k = 0; k < s->n_states; k++) {
    hl_json_out_open (out, NULL, '{');
    hl_json_out_number (out, "re", s->re[k]);
    hl_json_out_number (out, "im", s->im[k]);
    hl_json_out_close (out, '}');
  }
  hl_json_out_close (out, ']');
  hl_json_out_open (out, "parameters", '[');
  for (int p = 0; p < s->n_parameters; p++) {
    const int n = s->n_states;
    g_autofree char *unit = slope_unit (cli, &question->parameters[p]);
    g_autofree char *stuck = stuck_text (cli, s, p);
    hl_json_out_open (out, NULL, '{');
    hl_json_out_text (out, "path", question->names[p]);
    hl_json_out_number (out, "value", question->values[p]);
    hl_json_out_text (out, "unit", unit);
    hl_json_out_open (out, "kind", '[');
    for (int k = 0; k < n; k++)
      hl_json_out_text (out, NULL, kind_name (s->kind[p * n + k]));
    hl_json_out_close (out, ']');
    if (stuck != NULL)
      hl_json_out_text (out, "why", stuck);
    hl_json_out_numbers (out, "d_re", s->d_re + p * n, n, 1);
    hl_json_out_numbers (out, "d_im", s->d_im + p * n, n, 1);
    hl_json_out_numbers (out, "error", s->error + p * n, n, 1);
    put_kinks (out, s, p);
    hl_json_out_close (out, '}');
  }
  hl_json_out_close (out, ']');
  hl_json_out_close (out, '}');
  return g_strdup (out->text->str);
}

static gboolean
add_parameter (const HlCli *cli, const char *text, Question *question, GError **error)
{
  if (question->n == MOST_PARAMETERS) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "at most %d parameters; name fewer by --parameter", MOST_PARAMETERS);
    return FALSE;
  }
  HlCliParameter *parameter = &question->parameters[question->n];
  if (!hl_cli_parse_parameter (cli, text, parameter, error))
    return FALSE;
  question->sweeps[question->n] = hl_cli_sweep_parameter (parameter);
  question->values[question->n] = parameter->value;
  question->names[question->n] = text;
  question->n++;
  return TRUE;
}

/* The paths named, or those of the file's sliders. */
static gboolean
ask (const HlCli *cli, Question *question, GError **error)
{
  const char *const *given = hl_cli_texts (cli, "parameter");

  for (int k = 0; given[k] != NULL; k++)
    if (!add_parameter (cli, given[k], question, error))
      return FALSE;
  for (int k = 0; given[0] == NULL && k < hl_document_n_sliders (cli->document); k++) {
    HlSlider slider;
    if (hl_document_slider (cli->document, k, &slider) &&
        !add_parameter (cli, slider.path, question, error))
      return FALSE;
  }
  if (question->n > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "name parameters by --parameter PATH; the file has no sliders");
  return FALSE;
}

static gboolean
run (HlCli *cli, GError **error)
{
  g_autofree Question *question = g_new0 (Question, 1);
  HlFault fault = {.time = NAN, .entity = -1};
  HlSensitivity *s = NULL;

  if (!hl_cli_compile (cli, error))
    return FALSE;
  gboolean ok = ask (cli, question, error);
  if (ok) {
    s = hl_sensitivity_new (cli->system, cli->document, HL_START_FROM_MODEL, question->sweeps,
                            question->values, question->n, &fault);
    ok = s != NULL;
    if (!ok)
      hl_cli_set_fault (error, cli->system, &fault);
  }
  if (ok) {
    g_autofree char *text =
        hl_cli_has (cli, "json") ? json_text (cli, s, question) : csv_text (cli, s, question);
    ok = hl_cli_deliver (cli, text, error);
  }
  hl_sensitivity_free (s);
  for (int k = 0; k < question->n; k++)
    hl_cli_parameter_clear (&question->parameters[k]);
  return ok;
}

static const HlCliOption options[] = {
    {"parameter", "PATH[,PATH]",
     "a parameter; repeat it for several (the file's\n"
     "                            sliders); paths with commas move together",
     TRUE},
    {"json", NULL, "one JSON object instead of CSV", FALSE},
    {"out", "FILE", "write to a file instead of standard output; also -o FILE", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_sensitivity = {
    .name = "sensitivity",
    .usage = "FILE [--parameter PATH …] [--json] [--out FILE]",
    .summary = "how every eigenvalue changes with parameters",
    .text =
        "Prints one row an eigenvalue: its value, and for every parameter the derivatives of its\n"
        "real and imaginary part with an estimate of their error. Null eigenvalues have none, nor\n"
        "has a repeated one; at a kink, such as a valve about to open, the slopes on both sides\n"
        "are told instead, and at the limit of a parameter the slope to the inside.",
    .options = options,
    .run = run,
};
