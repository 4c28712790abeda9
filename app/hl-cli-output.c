/* SPDX-License-Identifier: MIT */
/* Output of the commands: bytes as they are, numbers in the C locale, JSON with 17 significant
 * digits. */
#include "app/hl-cli-private.h"
#include "core/io/hl-json-write.h"

#include <errno.h>
#include <math.h>
#include <string.h>

gboolean
hl_cli_write (FILE *stream, const char *text, GError **error)
{
  if (fputs (text, stream) >= 0 && fflush (stream) == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "the output cannot be written: %s",
               g_strerror (errno));
  return FALSE;
}

gboolean
hl_cli_deliver (const HlCli *cli, const char *text, GError **error)
{
  const char *file = hl_cli_text (cli, "out");
  g_autoptr (GError) why = NULL;

  if (file == NULL)
    return hl_cli_write (stdout, text, error);
  if (hl_file_save_text (file, text, -1, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

void
hl_cli_say (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  fputs ("hydrolink: ", stderr);
  fputs (text, stderr);
  fputc ('\n', stderr);
}

char *
hl_cli_pretty (double value, int digits)
{
  char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return g_strdup ("-");
  g_snprintf (format, sizeof format, "%%.%dg", digits);
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value));
}

void
hl_cli_append_cell (GString *out, const char *text, int width, gboolean left)
{
  int blanks = width - (int)g_utf8_strlen (text, -1);

  if (left)
    g_string_append (out, text);
  for (; blanks > 0; blanks--)
    g_string_append_c (out, ' ');
  if (!left)
    g_string_append (out, text);
}

HlJsonOut *
hl_json_out_new (void)
{
  HlJsonOut *out = g_new0 (HlJsonOut, 1);

  out->text = g_string_new (NULL);
  out->is_first = TRUE;
  return out;
}

void
hl_json_out_free (HlJsonOut *out)
{
  g_string_free (out->text, TRUE);
  g_free (out);
}

static void
append_text (GString *text, const char *value)
{
  g_string_append_c (text, '"');
  for (const char *c = value; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (text, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      g_string_append_printf (text, "\\u%04x", (unsigned)*c);
    else
      g_string_append_c (text, *c);
  g_string_append_c (text, '"');
}

/* The comma behind what came before, and the key. Members of the outermost object and lists below
 * them begin a line. */
static void
begin_item (HlJsonOut *out, const char *key, gboolean opens)
{
  gboolean new_line = out->depth == 1 || (out->depth == 2 && opens);

  if (!out->is_first)
    g_string_append_c (out->text, ',');
  if (new_line)
    g_string_append_printf (out->text, "\n%*s", 2 * out->depth, "");
  else if (!out->is_first)
    g_string_append_c (out->text, ' ');
  out->is_first = FALSE;
  if (key == NULL)
    return;
  append_text (out->text, key);
  g_string_append (out->text, ": ");
}

void
hl_json_out_open (HlJsonOut *out, const char *key, char bracket)
{
  begin_item (out, key, TRUE);
  g_string_append_c (out->text, bracket);
  out->is_first = TRUE;
  out->depth++;
}

void
hl_json_out_close (HlJsonOut *out, char bracket)
{
  out->is_first = FALSE;
  out->depth--;
  g_string_append_printf (out->text, out->depth == 0 ? "\n%c\n" : "%c", bracket);
}

void
hl_json_out_number (HlJsonOut *out, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  begin_item (out, key, FALSE);
  g_string_append (out->text,
                   isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.17g", value) : "null");
}

void
hl_json_out_integer (HlJsonOut *out, const char *key, long value)
{
  begin_item (out, key, FALSE);
  g_string_append_printf (out->text, "%ld", value);
}

void
hl_json_out_bool (HlJsonOut *out, const char *key, gboolean value)
{
  begin_item (out, key, FALSE);
  g_string_append (out->text, value ? "true" : "false");
}

void
hl_json_out_text (HlJsonOut *out, const char *key, const char *value)
{
  begin_item (out, key, FALSE);
  append_text (out->text, value);
}

void
hl_json_out_null (HlJsonOut *out, const char *key)
{
  begin_item (out, key, FALSE);
  g_string_append (out->text, "null");
}

void
hl_json_out_numbers (HlJsonOut *out, const char *key, const double value[], int n, int stride)
{
  hl_json_out_open (out, key, '[');
  for (int k = 0; k < n; k++)
    hl_json_out_number (out, NULL, value[(gsize)k * (gsize)stride]);
  hl_json_out_close (out, ']');
}

void
hl_json_out_matrix (HlJsonOut *out, const char *key, const double value[], int rows, int columns)
{
  hl_json_out_open (out, key, '[');
  for (int row = 0; row < rows; row++)
    hl_json_out_numbers (out, NULL, value + row, columns, rows);
  hl_json_out_close (out, ']');
}
