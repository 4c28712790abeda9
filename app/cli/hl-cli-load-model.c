/* SPDX-License-Identifier: MIT */
/* Loads a model file with the changes of the command line and compiles it. */
#include "app/cli/hl-cli-private.h"

#include "core/base/hl-unit.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/hydro/hl-component.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/oil/hl-run-failure.h"
#include "core/run/hl-simulate.h"

#include <math.h>
#include <string.h>

/* Findings in answers, with the one change that mends each. */

void hl_cli_put_fix (HlAnswer *answer, const HlFix *fix) {
  g_autofree char *option = hl_fix_as_option (fix);

  if (fix->type == HL_FIX_NONE || fix->label == NULL) {
    hl_answer_string (answer, "change", NULL);
    return;
  }
  hl_answer_open_object (answer, "change");
  hl_answer_string (answer, "label", fix->label);
  hl_answer_string (answer, "option", option);
  hl_answer_close (answer);
}

void hl_cli_put_finding (HlAnswer *answer, const HlFinding *finding) {
  hl_answer_string (answer, "id", finding->id);
  hl_answer_string (answer, "path", finding->path);
  hl_answer_string (answer, "message", finding->message);
  hl_answer_string (answer, "advice", finding->advice);
  hl_cli_put_fix (answer, &finding->fix);
}

void hl_cli_say_fix (const HlFix *fix) {
  g_autofree char *option = hl_fix_as_option (fix);

  if (fix->type == HL_FIX_NONE || fix->label == NULL)
    return;
  if (option != NULL)
    hl_cli_say ("note: one change lets the model run: %s (%s)", fix->label, option);
  else
    hl_cli_say ("note: one change lets the model run: %s", fix->label);
}

/* Sets the number of "PATH=VALUE"; the value may have a unit or be a formula, as in a file. */
static gboolean set_number (HydrolinkModel *model, const char *text, GError **error) {
  const char *equals = strchr (text, '=');
  HlPathInfo info;
  char *why = NULL;

  if (equals == NULL || equals == text || equals[1] == '\0') {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--set ‘%s’: write PATH=VALUE, such as fluid.density=850",
                 text);
    return FALSE;
  }
  g_autofree char *path = g_strndup (text, (gsize)(equals - text));
  if (!hl_path_find (hl_api_document (model), path, &info, error))
    return FALSE;
  if (hydrolink_set_text (model, path, equals + 1, &why))
    return TRUE;
  gboolean names_path = g_str_has_prefix (why, path);
  hl_api_raise (why, error);
  g_prefix_error (error, "--set %s%s", names_path ? "" : path, names_path ? "" : ": ");
  return FALSE;
}

typedef int (*Apply) (HydrolinkModel *model, const char *what, char **error);

/* Applies every value of the option, in order. */
static gboolean apply_all (HlCli *cli, const char *option, Apply apply, GError **error) {
  const char *const *texts = hl_cli_texts (cli, option);
  char *why = NULL;

  for (int k = 0; texts[k] != NULL; k++)
    if (!apply (cli->model, texts[k], &why))
      return hl_api_raise (why, error);
  return TRUE;
}

#define MOST_BYTES ((gsize)64 * 1024 * 1024) /* of a model on standard input */

/* Reads the model from standard input, which is also its name in messages. */
static HydrolinkModel *read_standard_input (HlCli *cli, GError **error) {
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[65536], *why = NULL;
  gsize n;

  cli->file = "standard input";
  while ((n = fread (buffer, 1, sizeof buffer, stdin)) > 0 && text->len <= MOST_BYTES)
    g_string_append_len (text, buffer, (gssize)n);
  if (text->len > MOST_BYTES || memchr (text->str, '\0', text->len) != NULL || ferror (stdin)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "standard input: this is not a model file");
    return NULL;
  }
  HydrolinkModel *model = hydrolink_parse (text->str, &why);
  if (model == NULL) {
    hl_api_raise (why, error);
    g_prefix_error (error, "standard input: ");
  }
  return model;
}

gboolean hl_cli_load (HlCli *cli, GError **error) {
  const char *const *settings = hl_cli_texts (cli, "set");
  char *why = NULL;

  if (strcmp (cli->file, "-") == 0) {
    cli->model = read_standard_input (cli, error);
    if (cli->model == NULL)
      return FALSE;
  } else {
    cli->model = hydrolink_open (cli->file, &why);
    if (cli->model == NULL)
      return hl_api_raise (why, error);
  }
  if (!apply_all (cli, "parameter-set", hydrolink_apply_set, error) ||
      !apply_all (cli, "parameter-file", hydrolink_apply_file, error))
    return FALSE;
  for (int k = 0; settings[k] != NULL; k++)
    if (!set_number (cli->model, settings[k], error))
      return FALSE;
  const char *oil =
      cli->command->has_own_oil ? hl_oil_models[cli->command->own_oil]->name : hl_cli_text (cli, "model");
  cli->oil_is_requested = oil != NULL && hl_api_choose_oil (cli->model, oil);
  cli->document = hl_document_ref (hl_api_document (cli->model));
  return TRUE;
}

gboolean hl_cli_compile_model (HlCli *cli, HlFindings *findings) {
  HlSystem *system = hl_api_compile (cli->model, findings);

  cli->system = system != NULL ? hl_system_ref (system) : NULL;
  return system != NULL;
}

void hl_cli_adopt (HlCli *cli, HlDocument *document, HlSystem *system) {
  hl_document_ref (document);
  hl_system_ref (system);
  hl_document_unref (cli->document);
  hl_system_unref (cli->system);
  cli->document = document;
  cli->system = system;
}

/* Prints warnings, and errors that prevent at least these computations. */
static void say_findings (const HlCli *cli, const HlFindings *findings, HlBars bars) {
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    g_autofree char *text = hl_finding_format (finding);
    if (finding->severity == HL_SEVERITY_ERROR && finding->bars <= bars)
      hl_cli_say ("%s: %s", cli->file, text);
    else if (finding->severity == HL_SEVERITY_WARNING)
      hl_cli_say ("%s: warning: %s", cli->file, text);
  }
}

/* Compiles with the first other oil model that accepts the drawing. */
static gboolean compile_with_other_oil (HlCli *cli, HlFindings **findings) {
  for (int k = 0; k < HL_N_OIL_MODELS; k++) {
    g_autoptr (HlFindings) own = hl_findings_new ();
    if (!hl_api_choose_oil (cli->model, hl_oil_models[k]->name) || !hl_cli_compile_model (cli, own))
      continue;
    hl_document_unref (cli->document);
    cli->document = hl_document_ref (hl_api_document (cli->model));
    hl_findings_free (*findings);
    *findings = g_steal_pointer (&own);
    return TRUE;
  }
  return FALSE;
}

gboolean hl_cli_compile (HlCli *cli, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();

  if (!hl_cli_load (cli, error))
    return FALSE;
  gboolean is_sound = hl_cli_compile_model (cli, findings) ||
                      (cli->command->any_oil && compile_with_other_oil (cli, &findings));
  say_findings (cli, findings, HL_BARS_ALL);
  if (!is_sound)
    g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, "");
  return is_sound;
}

static void say_proposal (const char *path, double value, void *data) {
  const HlCli *cli = data;
  g_autofree char *text = hl_cli_pretty (value, 2);

  hl_cli_say ("note: the run needs %s, which is not in the file; the proposed value %s %s is used", path,
              text, hl_cli_unit_of (cli->document, path));
}

gboolean hl_cli_take_proposals (HlCli *cli, HlModelKind model, GError **error) {
  g_autoptr (HlDocument) mended =
      hl_oil_take_proposals (cli->document, cli->system, model, say_proposal, cli);

  if (mended == NULL)
    return TRUE;
  HlSystem *system = hl_cli_compile_quietly (mended, error);
  if (system == NULL)
    return FALSE;
  hl_cli_adopt (cli, mended, system);
  hl_system_unref (system);
  return TRUE;
}

gboolean hl_cli_check_oil (const HlCli *cli, HlModelKind model, HlBars bars, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();

  /* an oil model given on the command line reports its own error, as a failure */
  if (cli->oil_is_requested || model != hl_sim_options_from_model (cli->system).model)
    return TRUE;
  hl_compile_verify_oil (cli->document, cli->system, model, findings);
  if (hl_findings_first_barrier (findings, bars) == NULL)
    return TRUE;
  say_findings (cli, findings, bars);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, "");
  return FALSE;
}

HlSystem *hl_cli_compile_quietly (const HlDocument *document, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys != NULL)
    return sys;
  const HlFinding *first = hl_findings_first_error (findings);
  g_autofree char *text = first != NULL ? hl_finding_format (first) : g_strdup ("the model has errors");
  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
  return NULL;
}

#define MOST_EVENTS_SAID 12 /* of the ledger of a run */

HlQuantity hl_cli_quantity_of (const HlDocument *document, const char *path) {
  HlPathInfo info;

  return hl_path_find (document, path, &info, NULL) ? info.quantity : HL_QUANTITY_NONE;
}

const char *hl_cli_unit_of (const HlDocument *document, const char *path) {
  return hl_quantity_si (hl_cli_quantity_of (document, path));
}

void hl_cli_say_notes (const HlCli *cli, const HlApiNotes *notes, int *n_said) {
  for (; *n_said < hl_api_n_notes (notes); (*n_said)++) {
    bool is_warning;
    const char *text = hl_api_note (notes, *n_said, &is_warning);
    if (is_warning)
      hl_cli_say ("%s: warning: %s", cli->file, text);
    else
      hl_cli_say ("note: %s", text);
  }
}

void hl_cli_say_cavitations (const HlCli *cli, const HlSystem *sys, const HlCavitations *cavitations) {
  for (int k = 0; k < hl_cavitations_n (cavitations); k++) {
    g_autofree char *text = hl_cavitation_text (sys, hl_cavitations_get (cavitations, k));
    hl_cli_say ("%s: warning: %s", cli->file, text);
  }
}

void hl_cli_say_ledger (const HlSystem *sys, const HlCavitations *cavitations) {
  int n = hl_cavitations_n_events (cavitations);

  for (int k = 0; k < MIN (n, MOST_EVENTS_SAID); k++) {
    const HlOilEvent *event = hl_cavitations_get_event (cavitations, k);
    g_autofree char *text = hl_oil_event_text (sys, event);
    g_autofree char *time = hl_cli_pretty (event->t, 6);
    hl_cli_say ("note: t = %s s: %s", time, text);
  }
  if (n > MOST_EVENTS_SAID)
    hl_cli_say ("note: and %d more vapour cavities or lines above the limit", n - MOST_EVENTS_SAID);
}

void hl_cli_say_start_loss (const HlSystem *sys, const HlSimStats *stats) {
  g_autofree char *text = hl_start_loss_text (sys, &stats->start_loss);

  g_autofree char *soft = hl_compressible_lines_text (sys, &stats->compressible_lines);

  if (text != NULL)
    hl_cli_say ("note: %s", text);
  if (soft != NULL)
    hl_cli_say ("note: %s", soft);
}

void hl_cli_say_cavitations_at (const HlCli *cli, const HlPoint *point) {
  g_autoptr (HlCavitations) cavitations = hl_cavitations_new (cli->system);

  hl_cavitations_look_at_point (cavitations, cli->system, point);
  hl_cli_say_cavitations (cli, cli->system, cavitations);
}

void hl_cli_say_cavitations_at_start (const HlCli *cli) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlWork *work = hl_work_new (cli->system);
  HlPoint *point = hl_point_new (cli->system);

  if (hl_start_point (cli->system, work, HL_START_FROM_MODEL, NULL, point, NULL, &fault) == HL_OK)
    hl_cli_say_cavitations_at (cli, point);
  hl_point_free (point);
  hl_work_free (work);
}

void hl_cli_set_fault (GError **error, const HlSystem *sys, const HlFault *fault) {
  g_autofree char *text = hl_fault_message (sys, fault);

  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
}

gboolean hl_cli_find_component (const HlCli *cli, const char *option, const char *id, gboolean is_actuator,
                                int *component, GError **error) {
  HlSection section;
  gboolean found =
      hl_document_find (cli->document, id, &section, component) != NULL && section == HL_SECTION_COMPONENTS;
  const HlComponentClass *klass =
      found ? hl_component_class (hl_document_element_kind_name (cli->document, section, *component)) : NULL;

  if (found && (!is_actuator || (klass != NULL && klass->is_cylinder)))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s: there is no %s ‘%s’", option,
               is_actuator ? "cylinder, motor or vane actuator" : "component", id);
  return FALSE;
}
