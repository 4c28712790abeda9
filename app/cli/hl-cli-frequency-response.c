/* SPDX-License-Identifier: MIT */
/* hydrolink frequency-response: the response of one output to one input, at given frequencies or around the
 * eigenvalues, and the margins of the loop closed around them. */
#include "app/cli/hl-cli-private.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-csv-table.h"
#include "core/linear/hl-input-response.h"
#include "core/linear/hl-parallel-loop.h"
#include "core/linear/hl-response-study.h"
#include "core/linear/hl-root-locus.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define DEFAULT_POINTS 200
#define MOST_POINTS 1000000

typedef struct {
  HlLinearModel *model; /* of the one output */
  HlObservable output;
  const char *output_path;
  const char *input_path;
  int input;
  int loop; /* --cut; -1 = none */
  double gain;
  double *f; /* n frequencies [Hz], or NULL: chosen by the study */
  int n;
} Question;

/* ---- request ---- */

/* Returns the nearest of the names, as the end of a message: "; perhaps ‘cyl.s’?" Owned by the caller. */
static char *suggestion_text (const char *word, GPtrArray *names) {
  g_ptr_array_add (names, NULL);
  const char *near = hl_cli_near_miss (word, (const char *const *)names->pdata);
  return near != NULL ? g_strdup_printf ("; perhaps ‘%s’?", near) : g_strdup ("");
}

/* Fails since no name is path: with `none` if the list is empty, otherwise with the nearest name or the first
 * one. */
static gboolean refuse_path (const char *path, GPtrArray *names, const char *none, const char *no_such,
                             GError **error) {
  if (names->len == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: %s", path, none);
    return FALSE;
  }
  g_autofree char *near = suggestion_text (path, names);
  g_autofree char *first =
      *near == '\0' ? g_strdup_printf (" (there is ‘%s’)", (char *)names->pdata[0]) : g_strdup ("");
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: %s%s%s", path, no_such, near, first);
  return FALSE;
}

static gboolean find_input (const HlCli *cli, Question *question, GError **error) {
  const char *path = hl_cli_text (cli, "input");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (int k = 0; k < hl_linear_model_n_inputs (cli->system); k++) {
    g_autofree char *name = hl_linear_model_input_name (cli->system, k);
    gboolean is_asked = strcmp (name, path) == 0;
    if (is_asked && hl_input_is_rate (cli->system, k)) {
      g_autofree char *signal = g_strndup (path, strcspn (path, "'"));
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "%s: a rate cannot change without its signal; use ‘%s’, whose response includes its rates",
                   path, signal);
      return FALSE;
    }
    if (is_asked) {
      question->input = k;
      return TRUE;
    }
    if (!hl_input_is_rate (cli->system, k))
      g_ptr_array_add (names, g_steal_pointer (&name));
  }
  return refuse_path (path, names, "the model has no input; add a load with a signal, a valve or a pump",
                      "neither a signal nor the pressure of a pump", error);
}

static void collect_path (const char *path, const char *unit, void *data) {
  g_ptr_array_add (data, g_strdup (path));
}

static gboolean find_output (const HlCli *cli, Question *question, GError **error) {
  const char *path = hl_cli_text (cli, "output");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (int k = 0; k < hl_document_n_recorded (cli->document); k++) {
    HlProbe probe;
    if (!hl_document_recorded (cli->document, k, &probe))
      continue;
    g_ptr_array_add (names, g_strdup (probe.id));
    if (strcmp (probe.id, path) == 0) {
      path = probe.of;
      break;
    }
  }
  question->output_path = path;
  if (hl_observable_find (cli->system, path, &question->output))
    return TRUE;
  hl_observable_visit (cli->system, collect_path, names);
  g_autofree char *near = suggestion_text (path, names);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: neither a probe nor an output of the model%s", path,
               near);
  return FALSE;
}

/* Reads --cut and finds the signal that a controller gives to the element. */
static gboolean find_loop (const HlCli *cli, Question *question, GError **error) {
  const char *path = hl_cli_text (cli, "cut");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  question->input_path = question->output_path = path;
  question->loop = hl_loop_find (cli->system, path);
  if (question->loop >= 0)
    return hl_observable_find (cli->system, path, &question->output);
  for (int k = 0; k < hl_loop_n (cli->system); k++)
    g_ptr_array_add (names, g_strdup (hl_loop_name (cli->system, k)));
  return refuse_path (path, names,
                      "no signal of this model depends on its state, so there is no loop to open",
                      "not the output signal of a controller", error);
}

static gboolean find_ends (const HlCli *cli, Question *question, GError **error) {
  if (hl_cli_has (cli, "cut"))
    return find_loop (cli, question, error);
  question->input_path = hl_cli_text (cli, "input");
  return find_input (cli, question, error) && find_output (cli, question, error);
}

static gboolean ask_frequencies (const HlCli *cli, Question *question, GError **error) {
  static const char *const scales[] = {"log", "linear", NULL};
  double from = NAN, to = NAN;
  int scale = 0;

  question->n = DEFAULT_POINTS;
  if (hl_cli_has (cli, "frequencies")) {
    g_autoptr (GArray) list =
        hl_cli_parse_list (hl_cli_text (cli, "frequencies"), "--frequencies", HL_QUANTITY_FREQUENCY, error);
    if (list == NULL)
      return FALSE;
    question->n = (int)list->len;
    question->f = g_memdup2 (list->data, sizeof (double) * list->len);
    return TRUE;
  }
  if (!hl_cli_number_of (cli, "from", HL_QUANTITY_FREQUENCY, &from, error) ||
      !hl_cli_number_of (cli, "to", HL_QUANTITY_FREQUENCY, &to, error) ||
      !hl_cli_count (cli, "points", &question->n, MOST_POINTS, error) ||
      !hl_cli_choice (cli, "scale", scales, &scale, error))
    return FALSE;
  if (isnan (from) && isnan (to))
    return TRUE;
  if (isnan (from) || isnan (to)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--from and --to need each other; give both");
    return FALSE;
  }
  if (scale == 0 && !(from * to > 0)) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        "the ends of a logarithmic range must have the same sign; choose ends above 0, or --scale linear");
    return FALSE;
  }
  question->f = g_new (double, question->n);
  hl_sweep_values (from, to, question->n, scale == 0, question->f);
  return TRUE;
}

/* Reads --model and --at; FALSE with an error. *time is NAN for the lumped model. */
static gboolean ask_model (const HlCli *cli, double *time, GError **error) {
  const HlOilModel *oil = hl_oil_model_of_points ();

  *time = 0.0;
  if (!hl_cli_oil (cli, TRUE, &oil, error) || !hl_cli_number (cli, "at", time, error))
    return FALSE;
  if (oil->has_points && hl_cli_has (cli, "at")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--at needs --model hybrid; the lumped model is linearized at the start of its run");
    return FALSE;
  }
  if (*time < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--at: the time %s is before the start",
                 hl_cli_text (cli, "at"));
    return FALSE;
  }
  if (oil->has_points)
    *time = NAN;
  return TRUE;
}

/* Names the states, and the input, at which the model holds the mean of two slopes. */
static void say_kinks (const HlCli *cli, HlWork *work, const HlPoint *point, const Question *question) {
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (cli->system, work, point, &how, NULL);

  for (int k = 0; lin != NULL && k < lin->n_kinks; k++)
    if (lin->kinks[k].input < 0 || lin->kinks[k].input == question->input)
      hl_cli_say ("%s: warning: %s: the slopes on both sides of its value differ; the response is "
                  "that of %s",
                  cli->file, hl_kink_name (lin, &lin->kinks[k]),
                  hl_kink_is_mean (lin, &lin->kinks[k]) ? "their mean" : "one side");
  hl_linearization_free (lin);
}

static void linearize_lumped (const HlCli *cli, Question *question, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlWork *work = hl_work_new (cli->system);
  HlPoint *point = hl_point_new (cli->system);

  if (hl_start_point (cli->system, work, HL_START_FROM_MODEL, NULL, point, NULL, &fault) == HL_OK)
    question->model = question->loop >= 0
                          ? hl_loop_model_new (cli->system, work, point, question->loop, &fault)
                          : hl_linear_model_new (cli->system, work, point, &question->output, 1, &fault);
  if (question->model != NULL) {
    hl_cli_say_cavitations_at (cli, point);
    say_kinks (cli, work, point, question);
  }
  hl_point_free (point);
  hl_work_free (work);
  if (question->model == NULL)
    hl_cli_set_fault (error, cli->system, &fault);
}

static gboolean linearize (const HlCli *cli, Question *question, GError **error) {
  double time;

  if (!ask_model (cli, &time, error))
    return FALSE;
  if (isnan (time))
    linearize_lumped (cli, question, error);
  else
    question->model = hl_cli_hybrid_model (cli, time, &question->output, error);
  if (question->model == NULL)
    return FALSE;
  for (int k = 0; k < question->model->n; k++)
    if (isnan (question->model->C[k])) {
      g_set_error (
          error, HL_ERROR, HL_ERROR_USAGE,
          "%s: no linear response: it is an energy, or the force of a redundant joint; choose another output",
          question->output_path);
      return FALSE;
    }
  return TRUE;
}

/* ---- what is answered ---- */

typedef struct {
  double *f, *re, *im, *magnitude, *phase; /* n; NAN where there is no answer */
  int n;
} Answer;

static void clear_answer (Answer *answer) {
  double *columns[] = {answer->f, answer->re, answer->im, answer->magnitude, answer->phase};

  for (gsize k = 0; k < G_N_ELEMENTS (columns); k++)
    g_free (columns[k]);
}

#define PIECE 64 /* frequencies that a thread takes at a time */

typedef struct {
  const Question *question;
  HlInputResponse **responses; /* of each thread */
  Answer *answer;
  HlCliWait *wait;
  gboolean *is_done;      /* of each piece */
  int n_done, is_stopped; /* atomic */
} Asking;

static void report_progress (void *data) {
  Asking *asking = data;

  if (!hl_cli_wait_at (g_atomic_int_get (&asking->n_done), asking->wait))
    g_atomic_int_set (&asking->is_stopped, 1);
}

static void compute_piece (int piece, int place, void *data) {
  Asking *asking = data;
  const Question *question = asking->question;
  Answer *a = asking->answer;

  for (int k = piece * PIECE; k < MIN (question->n, (piece + 1) * PIECE); k++) {
    if (place == 0)
      report_progress (asking);
    if (g_atomic_int_get (&asking->is_stopped))
      return;
    double complex value =
        question->gain * hl_input_response_eval (asking->responses[place], 2.0 * G_PI * a->f[k] * I);
    gboolean is_finite = isfinite (creal (value)) && isfinite (cimag (value));
    a->re[k] = is_finite ? creal (value) : NAN;
    a->im[k] = is_finite ? cimag (value) : NAN;
    a->magnitude[k] = is_finite ? cabs (value) : NAN;
    a->phase[k] = is_finite ? carg (value) : NAN;
    g_atomic_int_inc (&asking->n_done);
  }
  asking->is_done[piece] = TRUE;
}

/* Computes the response at the requested frequencies, on all processors; fewer points if the user stops the
 * command. */
static Answer answer_of (const Question *question, HlCliWait *wait) {
  const HlLinearModel *model = question->model;
  gsize n = (gsize)question->n + 1;
  Answer a = {g_memdup2 (question->f, sizeof (double) * (n - 1)),
              g_new (double, n),
              g_new (double, n),
              g_new (double, n),
              g_new (double, n),
              question->n};
  int n_pieces = (question->n + PIECE - 1) / PIECE, whole = 0;
  g_autofree gboolean *is_done = g_new0 (gboolean, n_pieces + 1);
  Asking asking = {.question = question, .answer = &a, .wait = wait, .is_done = is_done};
  HlParallel parallel = {.n = n_pieces, .work = compute_piece, .tick = report_progress, .data = &asking};

  parallel.n_threads = hl_parallel_n_threads (&parallel);
  g_autofree HlInputResponse **responses = g_new (HlInputResponse *, parallel.n_threads);
  asking.responses = responses;
  for (int place = 0; place < parallel.n_threads; place++)
    responses[place] = hl_input_response_new (model, question->input, 0);
  hl_parallel_run (&parallel);
  for (int place = 0; place < parallel.n_threads; place++)
    hl_input_response_free (responses[place]);
  while (whole < n_pieces && is_done[whole])
    whole++;
  if (whole < n_pieces)
    wait->done = a.n = whole * PIECE;
  return a;
}

/* Returns the frequencies that the study chose: borrowed columns. */
static Answer answer_of_study (const HlResponseStudy *study) {
  return (Answer){study->f, study->re, study->im, study->magnitude, study->phase, study->n};
}

static void say_infinite (const Answer *answer) {
  int n = 0, first = -1;

  for (int k = 0; k < answer->n; k++)
    if (isnan (answer->re[k]) && n++ == 0)
      first = k;
  if (n == 0)
    return;
  g_autofree char *f = hl_cli_pretty (answer->f[first], 6);
  hl_cli_say (
      "warning: at %s Hz%s the response is infinite: the input excites an undamped motion, or is integrated",
      f, n > 1 ? " and elsewhere" : "");
}

/* Returns the unit of the response, "[Pa per N]"; for a pure number the other unit alone. */
static char *unit_text (const HlCli *cli, const Question *question) {
  if (question->loop >= 0)
    return g_strdup ("1");
  const char *out = hl_observable_unit (question->output),
             *in = hl_cli_unit_of (cli->document, question->input_path);

  return strcmp (in, "1") == 0 ? g_strdup (out) : g_strdup_printf ("%s per %s", out, in);
}

/* Writes the response; with study NULL, without the values that only a study has. */
static void put_response (HlAnswer *out, const HlCli *cli, const Question *question, const Answer *a,
                          const HlResponseStudy *study, const char *unit) {
  hl_answer_string (out, question->loop >= 0 ? "cut" : "input", question->input_path);
  if (question->loop < 0)
    hl_answer_string (out, "output", question->output_path);
  hl_answer_string (out, "unit", unit);
  hl_answer_number (out, "gain", question->gain);
  hl_answer_column (out, "frequency_hz", "frequency", "Hz", a->f, a->n, 1);
  hl_answer_column (out, "re", "re", unit, a->re, a->n, 1);
  hl_answer_column (out, "im", "im", unit, a->im, a->n, 1);
  hl_answer_column (out, "magnitude", "magnitude", unit, a->magnitude, a->n, 1);
  hl_answer_column (out, "phase", "phase", "rad", a->phase, a->n, 1);
  if (study == NULL)
    return;
  hl_answer_number (out, "dc_gain", study->dc_gain);
  hl_answer_open_list (out, "margins");
  for (int k = 0; k < study->n_margins; k++) {
    const HlMargin *margin = &study->margins[k];
    hl_answer_open_object (out, NULL);
    hl_answer_string (out, "kind", margin->kind == HL_MARGIN_GAIN ? "gain" : "phase");
    hl_answer_number (out, "frequency_hz", margin->f);
    hl_answer_number (out, "value", margin->value);
    hl_answer_close (out);
  }
  hl_answer_close (out);
  hl_answer_number (out, "open_growth", study->open_growth);
  hl_answer_number (out, "closed_growth", study->closed_growth);
}

static gboolean print_response (const HlCli *cli, const Question *question, GError **error) {
  HlResponseOptions how = hl_response_options_default ();
  HlResponseStudy *study = NULL;
  g_autofree char *unit = unit_text (cli, question);

  how.input = question->input;
  how.gain = question->gain;
  how.n_frequencies = MAX (how.n_frequencies, question->f == NULL ? question->n : 0);
  if (question->f == NULL || hl_cli_has (cli, "json"))
    study = hl_response_study_new (question->model, &how);
  HlCliWait wait;
  hl_cli_wait_begin (&wait, question->n);
  Answer a = question->f != NULL ? answer_of (question, &wait) : answer_of_study (study);
  gboolean was_stopped = a.n < question->n && question->f != NULL;
  say_infinite (&a);
  g_autoptr (HlAnswer) out = hl_answer_new ();
  put_response (out, cli, question, &a, study, unit);
  gboolean is_reported = hl_cli_answer (cli, out, HL_ANSWER_CSV, error);
  hl_cli_wait_end (&wait); /* a late Ctrl+C does not take rows that are being written */
  if (question->f != NULL)
    clear_answer (&a);
  hl_response_study_free (study);
  if (!is_reported)
    return FALSE;
  if (was_stopped)
    hl_cli_set_stopped (error, wait.done, wait.total, "frequencies");
  return !was_stopped;
}

static gboolean run (HlCli *cli, GError **error) {
  Question question = {.gain = 1.0, .loop = -1};
  gboolean is_cut = hl_cli_has (cli, "cut");

  if (is_cut && (hl_cli_has (cli, "input") || hl_cli_has (cli, "output"))) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--cut replaces --input and --output: leave these out");
    return FALSE;
  }
  if ((!is_cut && (!hl_cli_require (cli, "input", error) || !hl_cli_require (cli, "output", error))) ||
      !hl_cli_number (cli, "gain", &question.gain, error) || !hl_cli_compile (cli, error))
    return FALSE;
  gboolean ok = find_ends (cli, &question, error) && ask_frequencies (cli, &question, error) &&
                linearize (cli, &question, error) && print_response (cli, &question, error);
  hl_linear_model_free (question.model);
  g_free (question.f);
  return ok;
}

static const HlCliOption options[] = {
    {"input", "PATH", "a signal, such as dcv.command, or the pressure of a pump", FALSE},
    {"output", "PROBE|PATH", "a probe, or an output by its path", FALSE},
    {"cut", "PATH",
     "instead of both: the open loop of a controller, opened at\n"
     "                            its output signal, such as dcv.command",
     FALSE},
    {"frequencies", "LIST", "in Hz", FALSE},
    {"from", "A", "first frequency in Hz (around the eigenvalues)", FALSE},
    {"to", "B", "last frequency", FALSE},
    {"points", "N", "number of frequencies (default 200)", FALSE},
    {"scale", "log|linear", "spacing (default log)", FALSE},
    {"gain", "K", "factor of the response (default 1)", FALSE},
    {"model", "lumped|hybrid", "oil model (default lumped); hybrid: in the mode of the run", FALSE},
    {"at", "TIME", "time of the mode, with --model hybrid (default 0)", FALSE},
    {"json", NULL,
     "one JSON object instead of CSV; also all margins, and the largest\n"
     "                            real part without and with unity feedback",
     FALSE},
    {"out", "FILE", "write to a file instead of standard output; also -o FILE", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_frequency_response = {
    .name = "frequency-response",
    .usage = "FILE (--input PATH --output PROBE | --cut PATH) [OPTION]...",
    .summary = "response of an output to a sinusoidal signal",
    .text = "Linearizes the model at the start of its run and prints the complex response of the output\n"
            "to the input at each frequency as CSV. The response at 0 is the static gain; cells are\n"
            "empty where the response is infinite. With --cut, prints the open loop L (closed loop:\n"
            "L = -1); --json adds the stability margins.",
    .examples = {"hydrolink frequency-response four-bar.hydrolink --input dcv.command --output phi2",
                 "hydrolink frequency-response position-servo.hydrolink --cut dcv.command --json"},
    .options = options,
    .run = run,
};
