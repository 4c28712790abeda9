/* SPDX-License-Identifier: MIT */
#include "tests/tool/hl-tool-fixture.h"

#include "core/edit/hl-document-check.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/paint/circuit/hl-circuit-wires.h"

#include <math.h>
#include <string.h>

#define DRAG_STEPS 7

static void share_document (HlScript *script) {
  for (int canvas = 0; canvas < 2; canvas++)
    hl_tool_set_document (script->tools[canvas], hl_history_current (script->history));
}

static void commit_cb (const HlDocument *document, const char *step, gpointer data) {
  HlScript *script = data;

  g_assert_nonnull (step);
  g_assert_cmpstr (step, !=, "");
  hl_history_commit (script->history, document, step, NULL);
  script->n_commits++;
  share_document (script);
}

static void select_cb (const char *const *ids, gpointer data) {
  HlScript *script = data;

  for (int canvas = 0; canvas < 2; canvas++)
    if (script->tools[canvas] != NULL)
      hl_tool_set_selection (script->tools[canvas], ids);
}

void hl_script_init (HlScript *script, const HlDocument *document) {
  HlToolHost host = {.commit = commit_cb, .select = select_cb, .data = script};
  g_autoptr (HlDocument) empty = hl_document_new_empty ();

  *script = (HlScript){.history = hl_history_new (document != NULL ? document : empty)};
  script->tools[0] = hl_tool_new (HL_TOOL_CIRCUIT, &host);
  script->tools[1] = hl_tool_new (HL_TOOL_LINKAGE, &host);
  share_document (script);
  hl_script_use (script, HL_TOOL_CIRCUIT);
}

void hl_script_clear (HlScript *script) {
  hl_tool_free (script->tools[0]);
  hl_tool_free (script->tools[1]);
  hl_history_free (script->history);
}

void hl_script_use (HlScript *script, HlToolCanvas canvas) {
  script->tool = script->tools[canvas];
  script->reach = canvas == HL_TOOL_CIRCUIT ? 0.6 : 0.08;
  script->grid = canvas == HL_TOOL_CIRCUIT ? 2.0 : 0.1;
}

const HlDocument *hl_script_document (const HlScript *script) {
  return hl_history_current (script->history);
}

void hl_script_undo (HlScript *script) {
  hl_history_undo (script->history);
  share_document (script);
}

void hl_script_redo (HlScript *script) {
  hl_history_redo (script->history);
  share_document (script);
}

void hl_script_edit (HlScript *script, HlDocument *document, const char *step) {
  g_assert_nonnull (document);
  hl_history_commit (script->history, document, step, NULL);
  hl_document_unref (document);
  share_document (script);
}

static HlToolResponse send (HlScript *script, HlToolEvent event) {
  int n;

  event.reach = script->reach;
  event.grid = script->grid;
  event.modifiers = script->modifiers;
  script->pointer = event.at;
  HlToolResponse response = hl_tool_event (script->tool, &event);
  g_assert_nonnull (hl_tool_status (script->tool));
  const HlToolMark *marks = hl_tool_marks (script->tool, &n);
  for (int i = 0; i < n; i++) {
    g_assert_true (isfinite (marks[i].a.x + marks[i].a.y + marks[i].b.x + marks[i].b.y));
    g_assert_true (g_utf8_validate (marks[i].text, -1, NULL));
  }
  return response;
}

HlToolResponse hl_script_press (HlScript *script, double x, double y) {
  return send (script, (HlToolEvent){.type = HL_TOOL_PRESS, .at = {x, y}, .button = 1, .n_press = 1});
}

HlToolResponse hl_script_double (HlScript *script, double x, double y) {
  hl_script_click (script, x, y);
  HlToolResponse response =
      send (script, (HlToolEvent){.type = HL_TOOL_PRESS, .at = {x, y}, .button = 1, .n_press = 2});
  if (response != HL_TOOL_NOTHING)
    return response;
  return hl_script_release (script, x, y);
}

HlToolResponse hl_script_move (HlScript *script, double x, double y) {
  return send (script, (HlToolEvent){.type = HL_TOOL_MOVE, .at = {x, y}});
}

HlToolResponse hl_script_release (HlScript *script, double x, double y) {
  return send (script, (HlToolEvent){.type = HL_TOOL_RELEASE, .at = {x, y}, .button = 1});
}

HlToolResponse hl_script_click (HlScript *script, double x, double y) {
  hl_script_move (script, x, y);
  HlToolResponse response = hl_script_press (script, x, y);
  HlToolResponse after = hl_script_release (script, x, y);
  return response != HL_TOOL_NOTHING ? response : after;
}

HlToolResponse hl_script_drag (HlScript *script, double x, double y, double to_x, double to_y) {
  hl_script_move (script, x, y);
  hl_script_press (script, x, y);
  for (int step = 1; step <= DRAG_STEPS; step++)
    hl_script_move (script, x + (to_x - x) * step / DRAG_STEPS, y + (to_y - y) * step / DRAG_STEPS);
  return hl_script_release (script, to_x, to_y);
}

HlToolResponse hl_script_key (HlScript *script, HlToolKey key) {
  return send (script, (HlToolEvent){.type = HL_TOOL_KEY, .at = script->pointer, .key = key});
}

HlToolResponse hl_script_type (HlScript *script, const char *text) {
  HlToolResponse response = HL_TOOL_NOTHING;

  for (const char *at = text; *at != '\0' && response == HL_TOOL_NOTHING; at = g_utf8_next_char (at)) {
    g_autofree char *one = g_strndup (at, (gsize)(g_utf8_next_char (at) - at));
    response = send (script, (HlToolEvent){.type = HL_TOOL_TEXT, .at = script->pointer, .text = one});
  }
  return response;
}

HlToolResponse hl_script_enter (HlScript *script, const char *text) {
  hl_script_type (script, text);
  return hl_script_key (script, HL_TOOL_KEY_ENTER);
}

void hl_script_choose (HlScript *script, const char *id, const char *argument) {
  g_assert_true (hl_tool_choose (script->tool, id, argument));
}

void hl_script_assert_sound (const HlScript *script) {
  static const char *const not_yet[] = {".base", ".rod", ".volume"};
  const HlDocument *document = hl_script_document (script);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), NULL, &error);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);

  g_assert_no_error (error);
  g_assert_true (hl_document_equal (document, again));
  g_autofree char *text_again = hl_document_to_text (again);
  g_assert_cmpstr (text, ==, text_again);
  hl_check_document (document, findings);
  for (int i = 0; i < hl_findings_n (findings); i++) {
    const HlFinding *finding = hl_findings_get (findings, i);
    if (finding->severity != HL_SEVERITY_ERROR)
      continue;
    gboolean is_loose = strstr (finding->message, "both prescribe the pressure") != NULL;
    for (gsize k = 0; k < G_N_ELEMENTS (not_yet); k++)
      is_loose |= g_str_has_suffix (finding->path, not_yet[k]);
    if (!is_loose)
      g_test_message ("%s: %s", finding->path, finding->message);
    g_assert_true (is_loose);
  }
  for (int line = 0; line < sheet->n_lines; line++)
    for (int w = 0; w < sheet->layout->routes[line].n_wires; w++)
      g_assert_true (hl_wire_is_orthogonal (sheet->layout->routes[line].wires[w].points,
                                            sheet->layout->routes[line].wires[w].n));
}

HlDocument *hl_script_load (const char *example) {
  g_autofree char *path = hl_test_example_path (example);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (path, &error);

  g_assert_no_error (error);
  return document;
}

void hl_script_init_linkage (HlScript *script) {
  hl_script_init (script, NULL);
  hl_script_use (script, HL_TOOL_LINKAGE);
}

void hl_script_draw_link (HlScript *script, double ax, double ay, double bx, double by) {
  hl_script_choose (script, "link", NULL);
  hl_script_click (script, ax, ay);
  g_assert_cmpint (hl_script_click (script, bx, by), ==, HL_TOOL_NEXT);
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
}

double hl_script_number (const HlScript *script, const char *path) {
  double value;
  g_autoptr (GError) error = NULL;
  g_assert_true (hl_document_get_number (hl_script_document (script), path, &value, NULL, &error));
  g_assert_no_error (error);
  return value;
}

HlSpot hl_script_spot (const HlScript *script, const char *owner, const char *name) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_script_document (script));
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, owner, name);
  g_assert_nonnull (point);
  return point->at;
}
