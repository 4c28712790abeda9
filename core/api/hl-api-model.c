/* SPDX-License-Identifier: MIT */
/* Models of the library: a document, and the system that is compiled from it on first use. */
#include "core/api/hl-api-private.h"

#include "core/base/hl-text-escape.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/fmu/hl-ssp-parameter-set.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-hydraulic-model.h"

#include <string.h>

/* Errors of the library. A marker after the final 0 of each text holds the kind of failure. The project's own
 * programs read it, because their exit status for a bad file differs from that for a failed computation. */

void hydrolink_free (char *text) {
  g_free (text);
}

int hl_api_say (HlErrorCode code, char *text, char **error) {
  if (error != NULL) {
    gsize size = strlen (text) + 1;
    *error = g_malloc (size + 1);
    memcpy (*error, text, size);
    (*error)[size] = (char)code;
  }
  g_free (text);
  return FALSE;
}

int hl_api_fail (GError *why, char **error) {
  hl_api_say (why != NULL ? (HlErrorCode)why->code : HL_ERROR_FAILED,
              g_strdup (why != NULL ? why->message : "it failed"), error);
  g_clear_error (&why);
  return FALSE;
}

gboolean hl_api_raise (char *text, GError **error) {
  g_set_error_literal (error, HL_ERROR, text[strlen (text) + 1], text);
  hydrolink_free (text);
  return FALSE;
}

const char *hydrolink_version (void) {
  return HL_VERSION;
}

/* --- open and close --- */

static HydrolinkModel *model_of (HlDocument *document, GError *why, char **error) {
  if (document == NULL) {
    hl_api_fail (why, error);
    return NULL;
  }
  HydrolinkModel *model = g_new0 (HydrolinkModel, 1);
  model->document = document;
  return model;
}

HydrolinkModel *hydrolink_open (const char *path, char **error) {
  GError *why = NULL;
  HlDocument *document = hl_document_load (path, &why);

  return model_of (document, why, error);
}

HydrolinkModel *hydrolink_parse (const char *text, char **error) {
  GError *why = NULL;
  HlDocument *document = hl_document_parse (text, strlen (text), "text", &why);

  return model_of (document, why, error);
}

/* Frees the system that was compiled from the document before the document changed. */
static void drop_system (HydrolinkModel *model) {
  g_clear_pointer (&model->work, hl_work_free);
  g_clear_pointer (&model->system, hl_system_unref);
  model->is_lent = false;
}

HydrolinkModel *hydrolink_copy (const HydrolinkModel *model) {
  HydrolinkModel *copy = g_new0 (HydrolinkModel, 1);

  copy->document = hl_document_ref (model->document);
  copy->system = model->system != NULL ? hl_system_copy (model->system) : NULL;
  return copy;
}

void hydrolink_close (HydrolinkModel *model) {
  if (model == NULL)
    return;
  drop_system (model);
  g_strfreev (model->paths);
  hl_document_unref (model->document);
  g_free (model);
}

int hydrolink_save (const HydrolinkModel *model, const char *path, char **error) {
  GError *why = NULL;

  return hl_document_save (model->document, path, &why) || hl_api_fail (why, error);
}

char *hydrolink_to_text (const HydrolinkModel *model) {
  return hl_document_to_text (model->document);
}

const char *hydrolink_name (const HydrolinkModel *model) {
  return hl_document_name (model->document);
}

/* --- compile --- */

/* Returns the errors of one hurdle, or the warnings. */
static int append_findings (GString *text, const HlFindings *findings, bool errors) {
  int n = 0;

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if ((finding->severity == HL_SEVERITY_ERROR) != errors)
      continue;
    g_autofree char *whole = hl_finding_format (finding);
    g_autofree char *line = hl_shown_text (whole, FALSE); /* one line, whatever an id holds */
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
    n++;
  }
  return n;
}

char *hydrolink_check (HydrolinkModel *model, int *n_errors) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  GString *text = g_string_new (NULL);
  HlSystem *system = hl_compile (model->document, findings);
  int n = append_findings (text, findings, true);

  append_findings (text, findings, false);
  hl_system_unref (system);
  if (n_errors != NULL)
    *n_errors = n;
  return g_string_free (text, FALSE);
}

HlDocument *hl_api_document (const HydrolinkModel *model) {
  return model->document;
}

HlSystem *hl_api_compile (HydrolinkModel *model, HlFindings *findings) {
  drop_system (model);
  model->system = hl_compile (model->document, findings);
  model->is_lent = true;
  return model->system;
}

HlDocument *hl_api_document_with_oil (const HydrolinkModel *model, const char *oil) {
  const HlOilModel *wanted = hl_oil_model_find (oil);

  return wanted != NULL && wanted->bit != hl_document_oil (model->document)
             ? hl_edit_set_oil (model->document, oil, NULL)
             : NULL;
}

int hl_api_choose_oil (HydrolinkModel *model, const char *oil) {
  HlDocument *document = hl_api_document_with_oil (model, oil);

  if (document == NULL)
    return FALSE;
  drop_system (model);
  hl_document_unref (model->document);
  model->document = document;
  return TRUE;
}

const HlSystem *hl_api_system (HydrolinkModel *model, char **error) {
  if (model->system != NULL)
    return model->system;
  g_autoptr (HlFindings) findings = hl_findings_new ();
  model->system = hl_compile (model->document, findings);
  if (model->system == NULL) {
    const HlFinding *first = hl_findings_first_error (findings);
    hl_api_say (HL_ERROR_MODEL, first != NULL ? hl_finding_format (first) : g_strdup ("the model has errors"),
                error);
  }
  return model->system;
}

HlWork *hl_api_work (HydrolinkModel *model) {
  if (model->work == NULL)
    model->work = hl_work_new (model->system);
  hl_work_set_cancel (model->work, hl_api_is_stopped, model);
  return model->work;
}

int hl_api_fail_by_fault (const HydrolinkModel *model, const HlFault *fault, char **error) {
  return hl_api_say (HL_ERROR_FAILED, hl_fault_message (model->system, fault), error);
}

/* --- stopping --- */

void hydrolink_stop (HydrolinkModel *model) {
  atomic_store (&model->is_stopped, true);
}

void hl_api_begin (HydrolinkModel *model) {
  if (model->n_under_way++ == 0)
    atomic_store (&model->is_stopped, false);
}

void hl_api_end (HydrolinkModel *model) {
  model->n_under_way--;
}

bool hl_api_is_stopped (void *data) {
  HydrolinkModel *model = data;

  return atomic_load (&model->is_stopped) ||
         (model->is_enough != NULL && model->is_enough (model->is_enough_data));
}

void hl_api_watch (HydrolinkModel *model, bool (*is_enough) (void *data), void *data) {
  model->is_enough = is_enough;
  model->is_enough_data = data;
}

/* --- numbers --- */

static char **paths_of (HydrolinkModel *model) {
  if (model->paths == NULL)
    model->paths = hl_document_list_paths (model->document, TRUE);
  return model->paths;
}

int hydrolink_n_paths (HydrolinkModel *model) {
  return (int)g_strv_length (paths_of (model));
}

const char *hydrolink_path (HydrolinkModel *model, int index) {
  return index >= 0 && index < hydrolink_n_paths (model) ? paths_of (model)[index] : NULL;
}

const char *hydrolink_unit (const HydrolinkModel *model, const char *path) {
  HlPathInfo info;

  return hl_path_find (model->document, path, &info, NULL) ? hl_quantity_si (info.quantity) : NULL;
}

int hydrolink_get (const HydrolinkModel *model, const char *path, double *value, char **error) {
  GError *why = NULL;

  return hl_document_get_number (model->document, path, value, NULL, &why) || hl_api_fail (why, error);
}

/* Updates a number in the compiled machine if possible; otherwise the model is compiled again when it is
 * needed. */
static void update_number (HydrolinkModel *model, const char *path, double value) {
  HlParameter parameter;
  HlFault fault = {.entity = -1};

  if (model->system == NULL)
    return;
  if (!hl_system_find_parameter (model->system, path, &parameter)) {
    drop_system (model);
    return;
  }
  if (model->is_lent) {
    HlSystem *copy = hl_system_copy (model->system);
    drop_system (model);
    model->system = copy;
  }
  hl_system_set_parameter (model->system, parameter, value);
  if (hl_system_check_numbers (model->system, &fault) != HL_OK)
    drop_system (model);
}

int hydrolink_set (HydrolinkModel *model, const char *path, double value, char **error) {
  GError *why = NULL;
  HlDocument *changed = hl_document_with_number (model->document, path, value, &why);

  if (changed == NULL)
    return hl_api_fail (why, error);
  /* a named parameter and a formula that reads it move other numbers as well */
  bool is_alone =
      hl_document_typed (model->document, path) == NULL && hl_document_n_parameters (model->document) == 0;
  hl_document_unref (model->document);
  model->document = changed;
  if (is_alone)
    update_number (model, path, value);
  else
    drop_system (model);
  return TRUE;
}

int hl_api_replace_document (HydrolinkModel *model, HlDocument *changed, GError *why, char **error) {
  if (changed == NULL)
    return hl_api_fail (why, error);
  hl_document_unref (model->document);
  model->document = changed;
  g_clear_pointer (&model->paths, g_strfreev);
  drop_system (model);
  return TRUE;
}

int hydrolink_set_text (HydrolinkModel *model, const char *path, const char *text, char **error) {
  GError *why = NULL;
  HlDocument *changed = hl_document_with_text (model->document, path, text, &why);

  if (changed == NULL && strstr (why->message, path) == NULL)
    g_prefix_error (&why, "%s: ", path);
  return hl_api_replace_document (model, changed, why, error);
}

int hydrolink_n_sets (const HydrolinkModel *model) {
  return hl_document_n_sets (model->document);
}

const char *hydrolink_set_name (const HydrolinkModel *model, int index) {
  return index >= 0 && index < hydrolink_n_sets (model) ? hl_document_set_name (model->document, index)
                                                        : NULL;
}

int hydrolink_apply_set (HydrolinkModel *model, const char *name, char **error) {
  GError *why = NULL;
  HlDocument *changed = hl_document_apply_set (model->document, name, &why);

  return hl_api_replace_document (model, changed, why, error);
}

int hydrolink_apply_file (HydrolinkModel *model, const char *path, char **error) {
  GError *why = NULL;
  HlDocument *changed = hl_ssv_apply (model->document, path, &why);

  return hl_api_replace_document (model, changed, why, error);
}
