/* SPDX-License-Identifier: MIT */
/* An FMU of a model: what can be exported, the description, sources, binary and documentation in
 * one archive. */
#include "core/fmu/hl-fmu-export.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/base/hl-text-escape.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/fmu/hl-fmu.h"
#include "core/fmu/hl-ssp-parameter-set.h"
#include "core/help/hl-help-page.h"
#include "core/hybrid/hl-hybrid-diagnosis.h"
#include "core/io/hl-zip-archive.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/run/hl-sim-run.h"
#include "core/run/hl-simulate.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

/* Returns the abilities of the sources that hl_fmu_sources () writes. */
static HlFmuAbilities abilities (const HlSystem *sys) {
  const HlSimForm *form = hl_fmu_form (sys);
  gboolean is_lumped = form == NULL;

  return (HlFmuAbilities){
      .model_exchange = is_lumped,
      .co_simulation = TRUE,
      .state = is_lumped || form == &hl_sim_form_hybrid,
      .derivatives = is_lumped,
      .event_mode = TRUE,
      .early_return = TRUE,
      .step = hl_fmu_form (sys) == &hl_sim_form_discrete ? hl_sim_options_from_model (sys).step : 0.0};
}

static char *describe_build (const HlFmuDescription *d) {
  return g_strdup_printf (HEAD "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                               "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                               "    <SourceFileSet language=\"C99\">\n"
                               "      <SourceFile name=\"all.c\"/>\n"
                               "    </SourceFileSet>\n"
                               "  </BuildConfiguration>\n"
                               "</fmiBuildDescription>\n",
                          d->identifier);
}

/* Finds the variable at a place where another model can be connected: a hose end (the flow into a line is an
 * input, its pressure an output) and a point of a body (the force is an input, position and velocity are
 * outputs). */

static const HlFmuVariable *find_variable (const HlFmuTable *table, const char *path) {
  for (gsize k = 0; k < table->n; k++)
    if (table->items[k].role != HL_FMU_OUTPUT && g_strcmp0 (table->items[k].path, path) == 0)
      return &table->items[k];
  return NULL;
}

static void add_member (GString *xml, const HlFmuVariable *v, const char *member, const char *kind) {
  g_string_append (xml, "      <TerminalMemberVariable");
  hl_fmu_attribute (xml, "variableName", v->name);
  hl_fmu_attribute (xml, "memberName", member);
  hl_fmu_attribute (xml, "variableKind", kind);
  g_string_append (xml, "/>\n");
}

static void add_path (const HlFmuDescription *d, GString *xml, const char *owner, const char *member) {
  g_autofree char *path = g_strconcat (owner, ".", member, NULL);
  const HlFmuVariable *v = find_variable (d->table, path);

  if (v != NULL)
    add_member (xml, v, member, "signal");
}

static void open_terminal (GString *xml, const char *id, const char *kind, const char *description) {
  g_autofree char *name = hl_fmu_name_of_path (id);

  g_string_append (xml, "    <Terminal");
  hl_fmu_attribute (xml, "name", name);
  g_string_append_printf (xml, " matchingRule=\"plug\" terminalKind=\"%s\"", kind);
  hl_fmu_attribute (xml, "description", description);
  g_string_append (xml, ">\n");
}

/* Adds a component of one port whose flow is an input. */
static gboolean add_hose_end (const HlFmuDescription *d, GString *xml, const HlFmuVariable *input,
                              const HlPathInfo *info) {
  if (info->section != HL_SECTION_COMPONENTS || info->quantity != HL_QUANTITY_FLOW ||
      info->kind->n_ports != 1)
    return FALSE;
  g_autofree char *port = g_strconcat (info->id, ".", info->kind->ports[0], NULL);
  int line = hl_document_line_of_port (d->document, port);
  if (line < 0)
    return FALSE;
  g_autofree char *path =
      g_strconcat (hl_document_element_id (d->document, HL_SECTION_LINES, line), ".pressure", NULL);
  const HlFmuVariable *pressure = find_variable (d->table, path);
  if (pressure == NULL)
    return FALSE;
  open_terminal (xml, info->id, "org.hydrolink.hose", info->kind->label);
  add_member (xml, pressure, "pressure", "signal");
  add_member (xml, input, "flow", "inflow");
  g_string_append (xml, "    </Terminal>\n");
  return TRUE;
}

static gboolean add_rod_end (const HlFmuDescription *d, GString *xml, const HlFmuVariable *input,
                             const HlPathInfo *info) {
  static const char *const of_point[] = {"x", "y", "vx", "vy"}, *const of_body[] = {"angle", "omega"};

  if (info->section != HL_SECTION_LOADS)
    return FALSE;
  const HlValue *load = hl_document_element (d->document, HL_SECTION_LOADS, info->index);
  const char *point = hl_value_string (hl_value_member (load, "point"));
  const char *body = hl_value_string (hl_value_member (load, "body"));
  if (point == NULL && body == NULL)
    return FALSE;
  open_terminal (xml, info->id, point != NULL ? "org.hydrolink.point" : "org.hydrolink.shaft",
                 info->kind->label);
  for (gsize k = 0; point != NULL && k < G_N_ELEMENTS (of_point); k++)
    add_path (d, xml, point, of_point[k]);
  for (gsize k = 0; point == NULL && k < G_N_ELEMENTS (of_body); k++)
    add_path (d, xml, body, of_body[k]);
  add_member (xml, input, point != NULL ? "force" : "torque", "inflow");
  g_string_append (xml, "    </Terminal>\n");
  return TRUE;
}

static char *describe_terminals (const HlFmuDescription *d) {
  GString *xml = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n");
  int n = 0;

  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    HlPathInfo info;
    if (v->role == HL_FMU_INPUT && hl_path_find (d->document, v->path, &info, NULL))
      n += add_hose_end (d, xml, v, &info) || add_rod_end (d, xml, v, &info);
  }
  g_string_append (xml, "  </Terminals>\n</fmiTerminalsAndIcons>\n");
  return g_string_free (xml, n == 0);
}

#define DIGITS 5

static void append_escaped (GString *html, const char *before, const char *text, const char *behind) {
  g_string_append (html, before);
  hl_xml_append (html, HL_XML_CONTENT, text);
  g_string_append (html, behind);
}

static const char style[] = "body{font:16px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
                            "table{border-collapse:collapse;margin:1em 0}"
                            "td,th{text-align:left;vertical-align:top;padding:.2em .8em .2em 0;"
                            "border-bottom:1px solid #ddd}"
                            "code{white-space:pre-wrap}";

static void put_variables (const HlFmuDescription *d, GString *html, HlFmuRole role, const char *title) {
  gboolean has_any = FALSE;

  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    if (v->role != role)
      continue;
    if (!has_any) {
      append_escaped (html, "<h2>", title, "</h2>\n<table>\n<tr><th>");
      append_escaped (html, "", _ ("Name"), "</th><th>");
      append_escaped (html, "", _ ("Unit"), "</th><th>");
      append_escaped (html, "", _ ("Start"), "</th><th>");
      append_escaped (html, "", _ ("Meaning"), "</th></tr>\n");
    }
    has_any = TRUE;
    append_escaped (html, "<tr><td><code>", v->name, "</code></td>");
    append_escaped (html, "<td>", v->unit != NULL ? v->unit : "–", "</td>");
    append_escaped (html, "<td>", isfinite (v->start) ? hl_fmu_number (v->start).text : "–", "</td>");
    append_escaped (html, "<td>", v->description, "</td></tr>\n");
  }
  if (has_any)
    g_string_append (html, "</table>\n");
}

static void put_letters (const HlHelpPage *page, GString *html) {
  if (page->letters->len == 0)
    return;
  g_string_append (html, "<table>\n");
  for (guint k = 0; k < page->letters->len; k++) {
    const HlHelpLetter *letter = &g_array_index (page->letters, HlHelpLetter, k);
    g_autofree char *words = hl_help_letter_words (page, letter);
    g_autofree char *value =
        isfinite (letter->value)
            ? hl_unit_format_full (hl_quantity_default_unit (letter->quantity), letter->value, DIGITS)
            : g_strdup ("–");
    append_escaped (html, "<tr><td><i>", letter->letter->name, "</i></td>");
    append_escaped (html, "<td>", words, "</td>");
    append_escaped (html, "<td>", value, "</td></tr>\n");
  }
  g_string_append (html, "</table>\n");
}

/* Writes one element with its equations and its own numbers. */
static void put_part (const HlFmuDescription *d, GString *html, const HlKind *kind, const char *id) {
  g_autoptr (HlHelpPage) page = hl_help_page_new (kind, d->document, id);
  g_autofree char *states = hl_help_page_states (page);

  append_escaped (html, "<h3>", id, ": ");
  append_escaped (html, "", _ (kind->label), "</h3>\n");
  append_escaped (html, "<p>", _ (kind->help), "</p>\n");
  for (guint k = 0; k < page->formulas->len; k++) {
    const HlHelpFormula *formula = &g_array_index (page->formulas, HlHelpFormula, k);
    append_escaped (html, "<p><code>", formula->text->text, "</code>");
    if (formula->text->when != NULL)
      append_escaped (html, " ", _ (formula->text->when), "");
    g_string_append (html, "</p>\n");
  }
  put_letters (page, html);
  if (states != NULL) {
    append_escaped (html, "<p>", _ ("States"), ": ");
    append_escaped (html, "", states, "</p>\n");
  }
}

static void put_parts (const HlFmuDescription *d, GString *html) {
  static const HlSection sections[] = {HL_SECTION_BODIES, HL_SECTION_JOINTS, HL_SECTION_LOADS,
                                       HL_SECTION_COMPONENTS, HL_SECTION_LINES};

  append_escaped (html, "<h2>", _ ("Elements"), "</h2>\n");
  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++)
    for (int k = 0; k < hl_document_n_elements (d->document, sections[s]); k++) {
      const HlKind *kind = hl_document_element_kind (d->document, sections[s], k);
      if (kind != NULL)
        put_part (d, html, kind, hl_document_element_id (d->document, sections[s], k));
    }
}

/* Returns the documentation page. Owned by the caller. */
static char *fmu_page (const HlFmuDescription *d) {
  GString *html = g_string_new ("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
  const char *name = hl_document_name (d->document);

  append_escaped (html, "", name[0] != '\0' ? name : d->identifier, "</title>\n<style>");
  g_string_append_printf (html, "%s</style></head><body>\n", style);
  append_escaped (html, "<h1>", name[0] != '\0' ? name : d->identifier, "</h1>\n");
  append_escaped (html, "<p>", hl_document_object_text (d->document, HL_SECTION_MODEL, "description"),
                  "</p>\n");
  append_escaped (
      html, "<p>",
      _ ("All values are in SI units; pressures are absolute. The states start where the model was "
         "assembled or balanced when it was exported; a changed parameter does not move them. Set fixed "
         "parameters (geometry) before the initialization, and tunable parameters at any event. Names with "
         "a hyphen are in apostrophes."),
      "</p>\n");
  append_escaped (html, "<p>",
                  d->version == HL_FMI_2
                      ? _ ("To build the FMU for another platform, compile sources/all.c as C99 with the "
                           "three headers of "
                           "FMI 2.0 on the include path. Only the C library and its mathematics are needed.")
                      : _ ("To build the FMU for another platform, compile sources/all.c as C99 with the "
                           "three headers of "
                           "FMI 3.0 on the include path. Only the C library and its mathematics are needed."),
                  "</p>\n");
  put_variables (d, html, HL_FMU_INPUT, _ ("Inputs"));
  put_variables (d, html, HL_FMU_OUTPUT, _ ("Outputs"));
  put_variables (d, html, HL_FMU_PARAMETER, _ ("Parameters"));
  put_variables (d, html, HL_FMU_STATE, _ ("States"));
  put_parts (d, html);
  g_string_append (html, "</body></html>\n");
  return g_string_free (html, FALSE);
}

typedef struct {
  HlDocument *document;
  HlSystem *sys;
  HlWork *work;
  HlPoint *start;
  HlFmuTable *table;
  char *identifier, *token;
  HlFmiVersion version;
  GHashTable *sources; /* name to GBytes */
  HlFmuNote note;
  gpointer note_data;
} Export;

static void clear (Export *e) {
  g_clear_pointer (&e->table, hl_fmu_table_free);
  g_clear_pointer (&e->start, hl_point_free);
  g_clear_pointer (&e->work, hl_work_free);
  g_clear_pointer (&e->sys, hl_system_unref);
  g_clear_pointer (&e->document, hl_document_unref);
  g_clear_pointer (&e->sources, g_hash_table_unref);
  g_free (e->identifier);
  g_free (e->token);
}

static gboolean set_fault (GError **error, const HlSystem *sys, const HlFault *fault) {
  g_autofree char *text = hl_fault_message (sys, fault);

  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
  return FALSE;
}

static HlSystem *compile_document (const HlDocument *document, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys == NULL) {
    const HlFinding *first = hl_findings_first_error (findings);
    g_autofree char *text = first != NULL ? hl_finding_format (first) : g_strdup (_ ("the model has errors"));
    g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
  }
  return sys;
}

static void list_proposal (const char *path, double value, void *data) {
  GString *list = data;

  g_string_append_printf (list, "%s%s = %s", list->len > 0 ? ", " : "", path, hl_shown (value, 2).text);
}

/* Adopts the proposed numbers without which the oil model cannot run, as a run does. */
static gboolean adopt_proposals (Export *e, GError **error) {
  g_autoptr (GString) list = g_string_new (NULL);
  HlModelKind model = hl_sim_options_from_model (e->sys).model;
  HlDocument *mended = hl_oil_take_proposals (e->document, e->sys, model, list_proposal, list);

  if (mended == NULL)
    return TRUE;
  hl_document_unref (e->document);
  e->document = mended;
  g_autofree char *text =
      g_strdup_printf (_ ("values missing in the file are replaced by proposed ones: %s"), list->str);
  e->note (text, e->note_data);
  hl_system_unref (e->sys);
  e->sys = compile_document (mended, error);
  return e->sys != NULL;
}

/* Returns whether the formulation can begin there, as the FMU will. */
static gboolean begins (const Export *e, const HlSimForm *form, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlSimOptions options = hl_sim_options_from_model (e->sys);
  HlSimRun run = {.sys = e->sys, .options = &options, .form = form, .work = e->work};

  if (form == &hl_sim_form_discrete && !(options.step > 0.0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: %s", _ ("the discrete formulation needs a step size"),
                 _ ("set the fixed step (simulation.step) to a positive value"));
    return FALSE;
  }
  HlPoint *point = hl_point_new (e->sys);
  hl_point_copy (e->sys, point, e->start);
  hl_work_enter_segment (e->sys, e->work, 0.0);
  HlStatus status = form->begin (&run, point, &fault);
  if (status == HL_OK && form == &hl_sim_form_hybrid) {
    status = hl_sim_hybrid_start (&run, 0.0, &fault);
    if (status != HL_OK)
      hl_sim_hybrid_diagnose (&run, status, &fault);
  }
  form->end (&run);
  hl_point_free (point);
  return status == HL_OK || set_fault (error, e->sys, &fault);
}

static gboolean find_start (Export *e, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  e->work = hl_work_new (e->sys);
  e->start = hl_point_new (e->sys);
  const HlSimForm *form = hl_fmu_form (e->sys);
  HlStart how = form != NULL && form->rests_in_place ? HL_START_AS_GIVEN : HL_START_FROM_MODEL;
  if (hl_start_point (e->sys, e->work, how, NULL, e->start, NULL, &fault) != HL_OK)
    return set_fault (error, e->sys, &fault);
  return form == NULL || begins (e, form, error);
}

/* Makes a signal an input with the start value of the signal. */
static gboolean make_inputs (Export *e, const char *const *inputs, GError **error) {
  if (inputs == NULL || inputs[0] == NULL)
    return TRUE;
  int n = hl_system_n_inputs (e->sys);
  g_autofree double *values = g_new0 (double, n + 1);

  hl_signal_enter (e->sys->signals, e->sys->n_signals, 0.0, e->work->segments);
  hl_signal_eval (e->sys->signals, e->sys->n_signals, e->work->segments, 0.0, e->work->signal_values);
  hl_system_read_inputs (e->sys, e->work, 0.0, values);
  for (int k = 0; inputs[k] != NULL; k++) {
    int at = 0;
    HlPathInfo info;
    g_autoptr (HlDocument) before = e->document;
    e->document = NULL;
    if (!hl_path_find (before, inputs[k], &info, error))
      return FALSE;
    while (at < n && strcmp (hl_system_input_name (e->sys, at), inputs[k]) != 0)
      at++;
    if (info.type != HL_PATH_SIGNAL || at == n) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   _ ("--input %s: this is not a signal of the model; name a signal such as torque.signal or "
                      "valve.command"),
                   inputs[k]);
      return FALSE;
    }
    for (int other = 0; other < e->sys->topology->n_inputs; other++)
      if (e->sys->topology->input_signal[other] == e->sys->topology->input_signal[at] &&
          e->sys->topology->input_order[other] > 0) {
        g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                     _ ("%s: a driven joint needs the first and second derivative of its signal, which an "
                        "input of an FMU does not have; drive the body by a force or a torque"),
                     inputs[k]);
        return FALSE;
      }
    e->document = hl_document_with_number (before, inputs[k], values[at], error);
    if (e->document == NULL)
      return FALSE;
  }
  g_clear_pointer (&e->start, hl_point_free);
  g_clear_pointer (&e->work, hl_work_free);
  g_clear_pointer (&e->sys, hl_system_unref);
  e->sys = compile_document (e->document, error);
  return e->sys != NULL && find_start (e, error);
}

/* Says what the FMU does otherwise than the run. */
static void report_oil (const Export *e) {
  HlSimOptions how = hl_sim_options_from_model (e->sys);

  if (hl_oil_form (how.model, how.formulation)->has_decay)
    e->note (_ ("simulation.formulation: the FMU uses the reduced formulation"), e->note_data);
}

static gboolean choose_partition (Export *e, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  hl_work_enter_segment (e->sys, e->work, 0.0);
  if (hl_partition_choose (e->sys, e->work, e->start->x, HL_PARTITION_PREFERRED, NULL, 0, &fault) != HL_OK)
    return set_fault (error, e->sys, &fault);
  return TRUE;
}

static void add_to_checksum (GChecksum *sum, const char *text, gsize length) {
  g_checksum_update (sum, (const guchar *)text, (gssize)length);
}

/* Returns the token of the description without the token and of the sources: it changes with either. */
static char *token_of (const char *xml, GHashTable *sources) {
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (sources), (GCompareFunc)strcmp);

  add_to_checksum (sum, xml, strlen (xml));
  for (GList *at = names; at != NULL; at = at->next) {
    gsize n;
    const char *text = g_bytes_get_data (g_hash_table_lookup (sources, at->data), &n);
    add_to_checksum (sum, at->data, strlen (at->data) + 1);
    add_to_checksum (sum, text, n);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static gboolean make_sources (Export *e, const char *token, GError **error) {
  HlFmuInterface interface = {.version = e->version, .identifier = e->identifier, .token = token};

  g_clear_pointer (&e->sources, g_hash_table_unref);
  return hl_fmu_sources (e->table, e->sys, e->start, &interface, &e->sources, error);
}

/* Adds a file; each name occurs once, since a second file of the same name would replace the first. */
static void add_file (GHashTable *files, const char *name, char *text) {
  g_return_if_fail (!g_hash_table_contains (files, name));
  if (text != NULL)
    g_hash_table_insert (files, g_strdup (name), g_bytes_new_take (text, strlen (text)));
}

/* Adds the binary of one platform to the archive. */
static gboolean add_binary (const Export *e, const HlFmuPlatform *platform, const HlFmuExportOptions *wish,
                            GHashTable *files, GError **error) {
  const char *folder = e->version == HL_FMI_2 ? platform->folder_2 : platform->name;

  if (folder == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("FMI 2.0 defines no folder for a binary of %s"),
                 platform->name);
    return FALSE;
  }
  GBytes *binary = hl_fmu_compile (e->sources, platform, wish->is_stopped, e->note_data, error);
  if (binary == NULL)
    return FALSE;
  g_hash_table_insert (files, g_strconcat ("binaries/", folder, "/", e->identifier, platform->ending, NULL),
                       binary);
  return TRUE;
}

/* Adds a binary for each requested platform. */
static gboolean add_asked_binaries (const Export *e, const HlFmuExportOptions *wish, GHashTable *files,
                                    GError **error) {
  for (int k = 0; wish->platforms[k] != NULL; k++)
    if (!add_binary (e, hl_fmu_platform_find (wish->platforms[k]), wish, files, error))
      return FALSE;
  return TRUE;
}

/* Adds a binary for this machine. What keeps it away is a note; FALSE: stopped meanwhile. */
static gboolean add_own_binary (const Export *e, const HlFmuExportOptions *wish, GHashTable *files,
                                GError **error) {
  g_autoptr (GError) why = NULL;

  if (hl_fmu_own_platform () == NULL)
    g_set_error (&why, HL_ERROR, HL_ERROR_FAILED, _ ("FMI defines no name for this machine"));
  else if (add_binary (e, hl_fmu_own_platform (), wish, files, &why))
    return TRUE;
  if (g_error_matches (why, HL_ERROR, HL_ERROR_CANCELLED)) {
    g_propagate_error (error, g_steal_pointer (&why));
    return FALSE;
  }
  g_autofree char *text = g_strdup_printf (_ ("the FMU contains sources only: %s"), why->message);
  e->note (text, e->note_data);
  return TRUE;
}

static gboolean add_binaries (const Export *e, const HlFmuExportOptions *wish, GHashTable *files,
                              GError **error) {
  if (!wish->has_binary)
    return TRUE;
  return wish->platforms != NULL ? add_asked_binaries (e, wish, files, error)
                                 : add_own_binary (e, wish, files, error);
}

static GBytes *pack_archive (const Export *e, const HlFmuDescription *d, const HlFmuExportOptions *wish,
                             GError **error) {
  g_autoptr (GHashTable) files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
  GHashTableIter iter;
  gpointer name, bytes;

  add_file (files, "modelDescription.xml", hl_fmu_describe_model (d));
  if (d->version != HL_FMI_2) {
    add_file (files, "sources/buildDescription.xml", describe_build (d));
    add_file (files, "terminalsAndIcons/terminalsAndIcons.xml", describe_terminals (d));
  }
  add_file (files, "documentation/index.html", fmu_page (d));
  add_file (files, "documentation/licenses/license.txt", g_strdup (hl_fmu_kept_text ("LICENSE")));
  g_hash_table_iter_init (&iter, e->sources);
  while (g_hash_table_iter_next (&iter, &name, &bytes))
    g_hash_table_insert (files, g_strconcat ("sources/", name, NULL), g_bytes_ref (bytes));
  if (!add_binaries (e, wish, files, error))
    return NULL;
  return hl_zip_new (files, error);
}

/* Reports numbers of a parameter set that are no parameters of the FMU. */
static void report_left_out (const Export *e, int set, GPtrArray *left_out) {
  const char *name = hl_document_set_name (e->document, set);

  for (guint k = 0; k < left_out->len; k++) {
    g_autofree char *text =
        g_strdup_printf (_ ("parameter set ‘%s’: %s is not a parameter of the FMU and is left out; to "
                            "include this number, choose this set and export again"),
                         name, (const char *)g_ptr_array_index (left_out, k));
    e->note (text, e->note_data);
  }
}

/* Returns the archive around the FMU: each parameter set has a variant of the structure that binds it. */
static GBytes *wrap_in_ssp (const Export *e, const HlFmuDescription *d, GBytes *fmu, GError **error) {
  g_autoptr (GHashTable) files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);

  g_hash_table_insert (files, g_strdup_printf ("resources/%s.fmu", e->identifier), g_bytes_ref (fmu));
  g_auto (GStrv) stems = hl_ssv_file_stems (e->document);
  add_file (files, HL_SSD_STEM ".ssd", hl_ssd_write (d, NULL));
  for (int k = 0; k < hl_document_n_sets (e->document); k++) {
    g_autofree char *name = g_strconcat (stems[k], ".ssv", NULL);
    g_autofree char *place = g_strconcat ("resources/", name, NULL);
    g_autofree char *variant = g_strconcat (stems[k], ".ssd", NULL);
    g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
    char *text = hl_ssv_write (e->document, k, e->table, left_out, error);
    if (text == NULL)
      return NULL;
    report_left_out (e, k, left_out);
    add_file (files, place, text);
    add_file (files, variant, hl_ssd_write (d, name));
  }
  return hl_zip_new (files, error);
}

static gboolean xml_holds_all (const HlValue *value) {
  gboolean holds = hl_xml_holds (hl_value_string (value));

  for (gsize k = 0; holds && k < hl_value_length (value); k++)
    holds = hl_value_is_object (value)
                ? hl_xml_holds (hl_value_key (value, k)) && xml_holds_all (hl_value_member_at (value, k))
                : xml_holds_all (hl_value_item (value, k));
  return holds;
}

static GBytes *make_fmu (Export *e, const HlFmuExportOptions *wish, GError **error) {
  e->sys = compile_document (e->document, error);
  if (e->sys == NULL || !adopt_proposals (e, error))
    return NULL;
  report_oil (e);
  if (!find_start (e, error) || !make_inputs (e, wish->inputs, error) || !choose_partition (e, error))
    return NULL;
  if (!xml_holds_all (hl_document_root (e->document)))
    e->note (_ ("a text of the model has control characters, which XML cannot contain; they are left out"),
             e->note_data);
  e->table = hl_fmu_table_new (e->document, e->sys, e->work, e->start, error);
  if (e->table == NULL || !make_sources (e, "", error))
    return NULL;
  HlFmuDescription d = {.document = e->document,
                        .sys = e->sys,
                        .work = e->work,
                        .table = e->table,
                        .identifier = e->identifier,
                        .version = e->version,
                        .can = abilities (e->sys)};
  g_autofree char *bare = hl_fmu_describe_model (&d);
  e->token = token_of (bare, e->sources);
  d.token = e->token;
  if (!make_sources (e, e->token, error))
    return NULL;
  GBytes *fmu = pack_archive (e, &d, wish, error);
  if (fmu == NULL || !wish->is_ssp)
    return fmu;
  GBytes *ssp = wrap_in_ssp (e, &d, fmu, error);
  g_bytes_unref (fmu);
  return ssp;
}

GBytes *hl_fmu_export (const HlDocument *document, const HlFmuExportOptions *wish, HlFmuNote note,
                       gpointer data, GError **error) {
  Export e = {.document = hl_document_ref (document),
              .identifier = hl_fmu_identifier (wish->title),
              .version = wish->version,
              .note = note,
              .note_data = data};
  GBytes *bytes = make_fmu (&e, wish, error);

  clear (&e);
  return bytes;
}
