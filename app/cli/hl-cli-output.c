/* SPDX-License-Identifier: MIT */
/* Output of the commands: bytes unchanged, numbers in the C locale. */
#include "app/cli/hl-cli-private.h"

#include "core/base/hl-text-escape.h"
#include "core/base/hl-number-format.h"
#include "core/io/hl-json-text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rows on their way out while a command computes them: a file or standard output holds whole lines
 * at any time, whatever ends the program, and a disk that runs full costs the last rows only. (A
 * SIGKILL just while the one line goes out that lies across two pages may leave its first half.) */

/* Lines wait for so many bytes or so long: one call of the system for many, yet a reader or a kill
 * finds them all but at once. A line that is longer goes out by itself. */
#define MOST_WAITING 16384
#define LONGEST_WAIT_US 100000
#define PAGE 4096

struct _HlCliRows {
  int fd;
  const char *name; /* of the file, NULL: standard output; borrowed */
  GString *waiting;
  gint64 sent_us;
  off_t start;      /* offset of the first line in a file */
  gboolean is_sent; /* some line has gone out */
  int failure;      /* errno of the first write that failed */
};

static gboolean refuse_output (const HlCliRows *self, GError **error) {
  if (self->name != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: cannot be written: %s", self->name,
                 g_strerror (self->failure));
  else
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "the output cannot be written: %s",
                 g_strerror (self->failure));
  return FALSE;
}

HlCliRows *hl_cli_rows_new (const char *out, GError **error) {
  HlCliRows *self = g_new0 (HlCliRows, 1);

  self->name = out;
  self->waiting = g_string_new (NULL);
  self->sent_us = g_get_monotonic_time ();
  fflush (stdout);
  self->fd = out != NULL ? open (out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
  if (self->fd >= 0) {
    self->start = lseek (self->fd, 0, SEEK_CUR);
    return self;
  }
  self->failure = errno;
  refuse_output (self, error);
  hl_cli_rows_free (self);
  return NULL;
}

void hl_cli_rows_free (HlCliRows *self) {
  if (self == NULL)
    return;
  if (self->name != NULL && self->fd >= 0)
    close (self->fd);
  g_string_free (self->waiting, TRUE);
  g_free (self);
}

/* Removes an incomplete last line from the bytes that were written before the disk was full. */
static void cut_last_line (int fd, const char *text, gsize written) {
  struct stat stat;
  gsize whole = written;

  while (whole > 0 && text[whole - 1] != '\n')
    whole--;
  if (whole < written && fstat (fd, &stat) == 0 && S_ISREG (stat.st_mode) &&
      stat.st_size >= (off_t)(written - whole) &&
      ftruncate (fd, stat.st_size - (off_t)(written - whole)) != 0)
    return; /* the cut line stays; the caller reports the failed write */
}

/* Returns all bytes to a file descriptor; 0 or an errno, after which a line that was cut is taken back. */
static int cli_put (int fd, const char *text, gsize length) {
  gsize written = 0;

  while (written < length) {
    ssize_t n = write (fd, text + written, length - written);
    if (n > 0)
      written += (gsize)n;
    else if (n < 0 && errno != EINTR) {
      int failure = errno;
      cut_last_line (fd, text, written);
      return failure;
    }
  }
  return 0;
}

/* Returns the number of bytes of the next call of write (): whole lines that stand on one page of the file,
 * or the one line that lies across two. The kernel looks for a kill between two pages, so of a longer piece
 * it may leave half a line. */
static gsize piece_length (const char *text, gsize length, off_t at) {
  gsize on_page = PAGE - (gsize)(at % PAGE);
  const char *end;

  if (length <= on_page)
    return length;
  end = g_strrstr_len (text, (gssize)on_page, "\n");
  if (end == NULL)
    end = memchr (text + on_page, '\n', length - on_page);
  return end != NULL ? (gsize)(end - text) + 1 : length;
}

static int put_by_pages (int fd, off_t at, const char *text, gsize length) {
  int failure = 0;

  for (gsize done = 0; done < length && failure == 0;) {
    gsize piece = piece_length (text + done, length - done, at + (off_t)done);
    failure = cli_put (fd, text + done, piece);
    done += piece;
  }
  return failure;
}

static void send_waiting (HlCliRows *self) {
  if (self->failure == 0 && self->waiting->len > 0) {
    off_t at = self->start >= 0 ? lseek (self->fd, 0, SEEK_CUR) : -1;
    if (at >= 0)
      self->failure = put_by_pages (self->fd, at, self->waiting->str, self->waiting->len);
    else
      self->failure = cli_put (self->fd, self->waiting->str, self->waiting->len);
    self->is_sent = TRUE;
  }
  g_string_truncate (self->waiting, 0);
  self->sent_us = g_get_monotonic_time ();
}

GString *hl_cli_rows_line (HlCliRows *self) {
  return self->waiting;
}

gboolean hl_cli_rows_end_line (HlCliRows *self) {
  if (self->waiting->len >= MOST_WAITING || g_get_monotonic_time () - self->sent_us >= LONGEST_WAIT_US)
    send_waiting (self);
  return self->failure == 0;
}

gboolean hl_cli_rows_restart (HlCliRows *self) {
  struct stat stat;

  g_string_truncate (self->waiting, 0);
  if (!self->is_sent)
    return TRUE;
  if (self->failure != 0 || self->start < 0 || fstat (self->fd, &stat) != 0 || !S_ISREG (stat.st_mode) ||
      ftruncate (self->fd, self->start) != 0 || lseek (self->fd, self->start, SEEK_SET) < 0)
    return FALSE;
  self->is_sent = FALSE;
  return TRUE;
}

gboolean hl_cli_rows_finish (HlCliRows *self, GError **error) {
  send_waiting (self);
  if (self->name != NULL && self->fd >= 0) {
    int fd = self->fd;
    self->fd = -1;
    if (close (fd) != 0 && self->failure == 0)
      self->failure = errno;
  }
  return self->failure == 0 || refuse_output (self, error);
}

/* Writes text. All output of a command passes this function or hl_cli_say, which escape control sequences, so
 * that a file cannot send commands to the terminal. */
gboolean hl_cli_write (FILE *stream, const char *text, GError **error) {
  hl_cli_hold_signals ();
  g_autofree char *shown = hl_shown_text (text, TRUE);
  int failure = fflush (stream) == 0 ? cli_put (fileno (stream), shown, strlen (shown)) : errno;

  if (failure == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "the output cannot be written: %s", g_strerror (failure));
  return FALSE;
}

/* Writes to the file named by --out, in one step, or to standard output. */
static gboolean write_output (const HlCli *cli, const char *text, GError **error) {
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
    return write_output (cli, text, error);
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
