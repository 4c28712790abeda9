/* SPDX-License-Identifier: MIT */
/* Findings in answers, with the one change that mends each. */
#include "app/cli/hl-cli-private.h"
#include "core/oil/hl-run-failure.h"

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
    hl_cli_say ("note: one change lets it run: %s (%s)", fix->label, option);
  else
    hl_cli_say ("note: one change lets it run: %s", fix->label);
}
