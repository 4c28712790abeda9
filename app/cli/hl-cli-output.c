/* SPDX-License-Identifier: MIT */
/* Output of the commands: bytes as they are, numbers in the C locale. */
#include "app/cli/hl-cli-private.h"
#include "app/cli/hl-cli-rows.h"
#include "core/base/hl-number.h"
#include "core/io/hl-json.h"
#include "core/io/hl-shown-text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Everything that a command shows goes through here or through hl_cli_say: a file cannot give
 * orders to the terminal. */
gboolean hl_cli_write (FILE *stream, const char *text, GError **error) {
  hl_cli_hold_signals ();
  g_autofree char *shown = hl_shown_text (text, TRUE);
  int failure = fflush (stream) == 0 ? hl_cli_put (fileno (stream), shown, strlen (shown)) : errno;

  if (failure == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "the output cannot be written: %s", g_strerror (failure));
  return FALSE;
}

/* To the file that --out names, in one step, or to standard output. */
static gboolean deliver (const HlCli *cli, const char *text, GError **error) {
  const char *file = hl_cli_text (cli, "out");
  g_autoptr (GError) why = NULL;

  if (file == NULL)
    return hl_cli_write (stdout, text, error);
  hl_cli_hold_signals ();
  if (hl_file_save_text (file, text, -1, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

static gboolean write_piece (const char *piece, gpointer error) {
  return hl_cli_write (stdout, piece, error);
}

gboolean hl_cli_answer (const HlCli *cli, const HlAnswer *answer, HlAnswerFormat format, GError **error) {
  GError *why = NULL;

  if (hl_cli_has (cli, "json"))
    format = HL_ANSWER_JSON;
  if (hl_cli_text (cli, "out") != NULL) {
    g_autofree char *text = hl_answer_to_text (answer, format);
    return deliver (cli, text, error);
  }
  if (hl_answer_write (answer, format, write_piece, &why))
    return TRUE;
  g_propagate_error (error, why);
  return FALSE;
}

gboolean hl_cli_save_sheet (const HlCli *cli, const HlLinearSheet *sheet, GError **error) {
  GError *why = NULL;

  hl_cli_hold_signals ();
  if (hl_linear_sheet_save (sheet, hl_cli_text (cli, "out"), &why))
    return TRUE;
  if (g_error_matches (why, HL_ERROR, HL_ERROR_FILE))
    why->code = HL_ERROR_FAILED;
  g_propagate_error (error, why);
  return FALSE;
}

void hl_cli_say (const char *format, ...) {
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *plain = hl_number_plain (text); /* as other programs read numbers */
  g_autofree char *shown = hl_shown_text (plain, FALSE);
  fputs ("hydrolink: ", stderr);
  fputs (shown, stderr);
  fputc ('\n', stderr);
}

char *hl_cli_pretty (double value, int digits) {
  char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return g_strdup ("-");
  g_snprintf (format, sizeof format, "%%.%dg", digits);
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value + 0.0)); /* no -0 */
}

void hl_cli_append_cell (GString *out, const char *text, int width, gboolean left) {
  int blanks = width - (int)g_utf8_strlen (text, -1);

  if (left)
    g_string_append (out, text);
  for (; blanks > 0; blanks--)
    g_string_append_c (out, ' ');
  if (!left)
    g_string_append (out, text);
}
