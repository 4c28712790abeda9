/* SPDX-License-Identifier: MIT */
/* The part of report.md about a run of the hybrid oil model: its modes and its events; the whole
 * ledger as events.csv. */
#include "app/cli/hl-cli-report.h"
#include "core/io/hl-table.h"

#include <math.h>

#define DIGITS 6
#define TIME_DIGITS 9
#define MOST_LINES 200 /* of the ledger on the page */

static void append_modes (GString *text, const HlModeHistory *history) {
  const GArray *modes = hl_mode_history_modes (history);
  const GArray *transitions = hl_mode_history_transitions (history);

  g_string_append (text, "| mode | shut and touched | visits | time in all [s] | first at [s] "
                         "|\n|---:|---|---:|---:|---:|\n");
  for (guint k = 0; k < modes->len; k++) {
    const HlVisitedMode *mode = &g_array_index (modes, HlVisitedMode, k);
    g_autofree char *what = hl_visited_mode_text (mode);
    g_autofree char *dwell = hl_cli_pretty (mode->dwell, DIGITS);
    g_autofree char *first = hl_cli_pretty (mode->point->t, TIME_DIGITS);
    g_string_append_printf (text, "| %u | %s | %d | %s | %s |\n", k + 1, what, mode->n_visits, dwell, first);
  }
  g_string_append (text, "\n| from | to | times | at first |\n|---:|---:|---:|---|\n");
  for (guint k = 0; k < transitions->len; k++) {
    const HlTransition *transition = &g_array_index (transitions, HlTransition, k);
    g_string_append_printf (text, "| %d | %d | %d | %s |\n", transition->from + 1, transition->to + 1,
                            transition->count, transition->cause);
  }
  g_string_append_c (text, '\n');
}

static void append_ledger (GString *text, const HlModeHistory *history) {
  const GArray *ledger = hl_mode_history_ledger (history);

  g_string_append (text, "| time [s] | what | impulse |\n|---:|---|---:|\n");
  for (guint k = 0; k < MIN (ledger->len, MOST_LINES); k++) {
    const HlLedgerEntry *entry = &g_array_index (ledger, HlLedgerEntry, k);
    g_autofree char *t = hl_cli_pretty (entry->t, TIME_DIGITS);
    g_autofree char *what = hl_ledger_entry_text (entry);
    g_autofree char *impulse = hl_cli_pretty (entry->impulse, DIGITS);
    gboolean has = !isnan (entry->impulse);
    g_string_append_printf (text, "| %s | %s%s | %s%s%s |\n", t, entry->follows ? "and with it " : "", what,
                            has ? impulse : "", has ? " " : "", has ? hl_ledger_entry_unit (entry) : "");
  }
  if (ledger->len > MOST_LINES)
    g_string_append_printf (text, "\nThe first %d of %u events; events.csv has all.\n", MOST_LINES,
                            ledger->len);
  g_string_append_c (text, '\n');
}

void hl_report_append_modes (GString *text, const HlReport *report) {
  if (report->history == NULL)
    return;
  g_string_append (text, "## Modes\n\n");
  append_modes (text, report->history);
  g_string_append (text, "## Events\n\n");
  if (hl_mode_history_ledger (report->history)->len > 0)
    append_ledger (text, report->history);
  else
    g_string_append (text, "No valve switched and no piston met a stop.\n\n");
}

/* A number and a comma. */
static void append_cell (GString *text, double value) {
  hl_table_append_numbers (text, &value, 1);
  text->str[text->len - 1] = ',';
}

gboolean hl_report_write_ledger (HlReport *report, GError **error) {
  if (report->history == NULL)
    return TRUE;
  const GArray *ledger = hl_mode_history_ledger (report->history);
  g_autoptr (GString) text = g_string_new ("t [s],element,what,follows,impulse,unit\n");
  for (guint k = 0; k < ledger->len; k++) {
    const HlLedgerEntry *entry = &g_array_index (ledger, HlLedgerEntry, k);
    g_autofree char *what = hl_ledger_entry_text (entry);
    append_cell (text, entry->t);
    hl_table_append_text (text, entry->id);
    g_string_append_c (text, ',');
    hl_table_append_text (text, what);
    g_string_append_printf (text, ",%d,", entry->follows ? 1 : 0);
    append_cell (text, entry->impulse);
    g_string_append_printf (text, "%s\n", isnan (entry->impulse) ? "" : hl_ledger_entry_unit (entry));
  }
  return hl_report_save (report, "events.csv", text->str, error);
}
