/* SPDX-License-Identifier: MIT */
/* hydrolink sensitivity: sensitivities of the eigenvalues to parameters, and the reason where an eigenvalue
 * has none. */
#include "app/cli/hl-cli-private.h"
#include "core/linear/hl-sensitivity.h"

#include <math.h>

#define MOST_PARAMETERS 64

typedef struct {
  HlCliParameter parameters[MOST_PARAMETERS];
  HlSweepParameter sweeps[MOST_PARAMETERS];
  double values[MOST_PARAMETERS];
  const char *names[MOST_PARAMETERS]; /* as given; borrowed */
  int n;
} Question;

static const char *kind_name (HlSensitivityKind kind) {
  static const char *const names[] = {
      [HL_SENSITIVITY_SMOOTH] = "smooth",     [HL_SENSITIVITY_ONE_SIDED] = "one-sided",
      [HL_SENSITIVITY_KINK] = "kink",         [HL_SENSITIVITY_JUMP] = "jump",
      [HL_SENSITIVITY_REPEATED] = "repeated", [HL_SENSITIVITY_NULL] = "null",
      [HL_SENSITIVITY_STUCK] = "stuck"};
  return names[kind];
}

/* Returns the unit of a slope, "1/s per Pa". */
static char *slope_unit (const HlCli *cli, const HlCliParameter *parameter) {
  const char *unit = hl_cli_unit_of (cli->document, parameter->paths[0]);

  return g_strcmp0 (unit, "1") == 0 ? g_strdup ("1/s") : g_strdup_printf ("1/s per %s", unit);
}

/* Returns the reason why a parameter cannot be varied, or NULL if it can be. Owned by the caller. */
static char *stuck_text (const HlCli *cli, const HlSensitivity *s, int parameter) {
  const HlFault *fault = &s->fault[parameter];

  if (fault->status == HL_OK)
    return NULL;
  return fault->entity < 0 && fault->status == HL_BAD_MODEL
             ? g_strdup ("the model has no start state for any other value")
             : hl_fault_message (cli->system, fault);
}

static char *note_of (const HlCli *cli, const HlSensitivity *s, int parameter, int at) {
  switch (s->kind[at]) {
  case HL_SENSITIVITY_SMOOTH:
    return g_strdup ("");
  case HL_SENSITIVITY_ONE_SIDED:
    return g_strdup ("one-sided: the value can change in one direction only");
  case HL_SENSITIVITY_KINK: {
    double parts[] = {s->above_re[at], s->above_im[at], s->below_re[at], s->below_im[at]};
    g_autofree char *above_re = hl_cli_pretty (parts[0], 10);
    g_autofree char *above_im = hl_cli_pretty (parts[1], 10);
    g_autofree char *below_re = hl_cli_pretty (parts[2], 10);
    g_autofree char *below_im = hl_cli_pretty (parts[3], 10);
    return g_strdup_printf ("kink: %s and %s i above, %s and %s i below", above_re, above_im, below_re,
                            below_im);
  }
  case HL_SENSITIVITY_JUMP:
    return g_strdup ("jump: the eigenvalue is discontinuous here");
  case HL_SENSITIVITY_REPEATED:
    return g_strdup ("repeated eigenvalue: it splits");
  case HL_SENSITIVITY_NULL:
    return g_strdup ("null");
  default: {
    g_autofree char *why = stuck_text (cli, s, parameter);
    return g_strdup_printf ("stuck: %s", why != NULL ? why : "the parameter cannot be changed");
  }
  }
}

/* Writes a column of numbers of a parameter, one per eigenvalue. */
static void put_slopes (HlAnswer *out, const char *key, const char *title, const char *name, const char *unit,
                        const double values[], int n) {
  g_autofree char *whole = g_strdup_printf ("%s %s", title, name);

  hl_answer_column (out, key, whole, unit, values, n, 1);
}

/* Adds notes about each slope, in the table only. */
static void put_notes (HlAnswer *out, const HlCli *cli, const HlSensitivity *s, int parameter,
                       const char *name) {
  g_autofree char *title = g_strdup_printf ("note %s", name);
  g_auto (GStrv) notes = g_new0 (char *, s->n_states + 1);

  for (int k = 0; k < s->n_states; k++)
    notes[k] = note_of (cli, s, parameter, parameter * s->n_states + k);
  hl_answer_text_column (out, title, (const char *const *)notes, s->n_states);
}

static void put_kinks (HlAnswer *out, const HlSensitivity *s, int parameter) {
  struct {
    const char *name;
    const double *values;
  } tables[] = {{"above_re", s->above_re},
                {"above_im", s->above_im},
                {"below_re", s->below_re},
                {"below_im", s->below_im}};

  for (gsize k = 0; k < G_N_ELEMENTS (tables); k++)
    hl_answer_numbers (out, tables[k].name, tables[k].values + parameter * s->n_states, s->n_states, 1);
}

static void put_sensitivity (HlAnswer *out, const HlCli *cli, const HlSensitivity *s,
                             const Question *question) {
  hl_answer_column (out, NULL, "re", "1/s", s->re, s->n_states, 1);
  hl_answer_column (out, NULL, "im", "rad/s", s->im, s->n_states, 1);
  hl_answer_open_list (out, "eigenvalues");
  for (int k = 0; k < s->n_states; k++) {
    hl_answer_open_object (out, NULL);
    hl_answer_number (out, "re", s->re[k]);
    hl_answer_number (out, "im", s->im[k]);
    hl_answer_close (out);
  }
  hl_answer_close (out);
  hl_answer_open_list (out, "parameters");
  for (int p = 0; p < s->n_parameters; p++) {
    const int n = s->n_states;
    g_autofree char *unit = slope_unit (cli, &question->parameters[p]);
    g_autofree char *stuck = stuck_text (cli, s, p);
    hl_answer_open_object (out, NULL);
    hl_answer_string (out, "path", question->names[p]);
    hl_answer_number (out, "value", question->values[p]);
    hl_answer_string (out, "unit", unit);
    hl_answer_open_list (out, "kind");
    for (int k = 0; k < n; k++)
      hl_answer_string (out, NULL, kind_name (s->kind[p * n + k]));
    hl_answer_close (out);
    if (stuck != NULL)
      hl_answer_string (out, "why", stuck);
    put_slopes (out, "d_re", "d_re/d", question->names[p], unit, s->d_re + p * n, n);
    put_slopes (out, "d_im", "d_im/d", question->names[p], unit, s->d_im + p * n, n);
    put_slopes (out, "error", "error", question->names[p], unit, s->error + p * n, n);
    put_notes (out, cli, s, p, question->names[p]);
    put_kinks (out, s, p);
    hl_answer_close (out);
  }
  hl_answer_close (out);
}

static gboolean add_parameter (const HlCli *cli, const char *text, Question *question, GError **error) {
  if (question->n == MOST_PARAMETERS) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "at most %d parameters; name fewer with --parameter",
                 MOST_PARAMETERS);
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

/* Chooses the named paths, or those of the file's sliders. */
static gboolean choose_paths (const HlCli *cli, Question *question, GError **error) {
  const char *const *given = hl_cli_texts (cli, "parameter");

  for (int k = 0; given[k] != NULL; k++)
    if (!add_parameter (cli, given[k], question, error))
      return FALSE;
  for (int k = 0; given[0] == NULL && k < hl_document_n_sliders (cli->document); k++) {
    HlSlider slider;
    if (hl_document_slider (cli->document, k, &slider) && !add_parameter (cli, slider.path, question, error))
      return FALSE;
  }
  if (question->n > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "name parameters with --parameter PATH; the file has no sliders");
  return FALSE;
}

static gboolean run (HlCli *cli, GError **error) {
  g_autofree Question *question = g_new0 (Question, 1);
  HlFault fault = {.time = NAN, .entity = -1};
  HlSensitivity *s = NULL;
  HlCliWait wait;

  if (!hl_cli_compile (cli, error))
    return FALSE;
  gboolean ok = choose_paths (cli, question, error);
  if (ok) {
    hl_cli_wait_begin (&wait, question->n);
    s = hl_sensitivity_new (cli->system, cli->document, HL_START_FROM_MODEL, question->sweeps,
                            question->values, question->n, hl_cli_wait_cancel, &wait, &fault);
    hl_cli_wait_end (&wait);
    ok = s != NULL;
    if (!ok)
      hl_cli_set_fault (error, cli->system, &fault);
  }
  if (ok) {
    hl_cli_say_cavitations_at_start (cli);
    g_autoptr (HlAnswer) answer = hl_answer_new ();
    put_sensitivity (answer, cli, s, question);
    ok = hl_cli_answer (cli, answer, HL_ANSWER_CSV, error);
    if (ok && s->n_parameters < question->n) {
      hl_cli_set_stopped (error, s->n_parameters, question->n, "parameters");
      ok = FALSE;
    }
  }
  hl_sensitivity_free (s);
  for (int k = 0; k < question->n; k++)
    hl_cli_parameter_clear (&question->parameters[k]);
  return ok;
}

static const HlCliOption options[] = {
    {"parameter", "PATH[,PATH]",
     "a parameter; repeatable (default: the sliders of the\n"
     "                            file); paths with commas change together",
     TRUE},
    {"json", NULL, "one JSON object instead of CSV", FALSE},
    {"out", "FILE", "write to a file instead of standard output; also -o FILE", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_sensitivity = {
    .name = "sensitivity",
    .usage = "FILE [--parameter PATH …] [--json] [--out FILE]",
    .summary = "sensitivities of the eigenvalues to parameters",
    .text = "Prints one row per eigenvalue: its value, and for every parameter the derivatives of its\n"
            "real and imaginary part with an estimate of their error. Null and repeated eigenvalues have\n"
            "no derivatives. At a kink, such as a valve about to open, prints the one-sided derivatives\n"
            "instead; at the limit of a parameter, the derivative on its permitted side.",
    .examples = {"hydrolink sensitivity four-bar.hydrolink --parameter cyl.friction.Fc",
                 "hydrolink sensitivity four-bar.hydrolink --json --out sensitivity.json"},
    .options = options,
    .run = run,
};
