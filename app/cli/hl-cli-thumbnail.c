/* SPDX-License-Identifier: MIT */
/* hydrolink thumbnail: a picture that file managers show as an icon. Nothing is computed, so that a model
 * that cannot run has a picture too; the file name may have any ending, since file managers choose it. */
#include "app/cli/hl-cli-private.h"
#include "core/io/hl-file-access.h"
#include "ui/paint/page/hl-page-export.h"
#include "ui/paint/page/hl-model-picture.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_SECONDS 2                /* of processor time */
#define MOST_DATA (256 * 1024 * 1024) /* bytes beyond what the libraries took at start */
#define DEFAULT_SIZE 256
#define LEAST_SIZE 16
#define MOST_SIZE 4096
#define STYLE_SIZE 256.0 /* px, at which lines have the widths of the gallery */
#define MM_PER_INCH 25.4
#define POINTS_PER_INCH 72.0

/* Writes a picture of the given size, as a page of STYLE_SIZE points at that resolution. */
static gboolean write_picture (HlModelPicture *picture, const char *out, int size, GError **error) {
  HlFigureOptions options = hl_figure_options_default ();

  options.width_mm = options.height_mm = STYLE_SIZE / POINTS_PER_INCH * MM_PER_INCH;
  options.dpi = POINTS_PER_INCH * size / STYLE_SIZE;
  g_autoptr (GBytes) bytes =
      hl_figure_render (hl_model_picture_paint, picture, HL_FIGURE_PNG, &options, error);
  if (bytes == NULL)
    return FALSE;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  return hl_file_save_text (out, data, (gssize)length, error);
}

/* Ends the program from a signal handler; calls only async-signal-safe functions. */
static void give_up_cb (int number) {
  static const char words[] =
      "hydrolink: thumbnail: the model needs more than 2 s or 256 MB, so there is no picture\n";

  (void)number;
  (void)!write (STDERR_FILENO, words, sizeof words - 1);
  _exit (HL_CLI_FAILED);
}

static rlim_t data_of_process (void) {
  gsize length;
  g_autofree char *text = hl_file_read ("/proc/self/statm", 4096, NULL, NULL, &length, NULL);
  guint64 pages = 0;

  /* size, resident, shared, text, lib, data */
  g_auto (GStrv) numbers = g_strsplit (text != NULL ? text : "", " ", -1);
  if (g_strv_length (numbers) > 5)
    pages = g_ascii_strtoull (numbers[5], NULL, 10);
  return (rlim_t)(pages * (guint64)sysconf (_SC_PAGESIZE));
}

/* Limits processor time and memory, so that a file manager never waits for a huge model. GLib raises SIGTRAP when an
 * allocation fails. */
static void limit_process (void) {
  struct sigaction action = {.sa_handler = give_up_cb};
  struct rlimit cpu, data = {.rlim_cur = data_of_process () + MOST_DATA};
  struct rusage used;

  sigemptyset (&action.sa_mask);
  sigaction (SIGXCPU, &action, NULL);
  sigaction (SIGTRAP, &action, NULL);
  sigaction (SIGABRT, &action, NULL);
  if (getrusage (RUSAGE_SELF, &used) == 0 && getrlimit (RLIMIT_CPU, &cpu) == 0) {
    cpu.rlim_cur = MIN (cpu.rlim_max, (rlim_t)used.ru_utime.tv_sec + MOST_SECONDS);
    setrlimit (RLIMIT_CPU, &cpu);
  }
#ifndef __SANITIZE_ADDRESS__ /* which takes more than that for itself */
  data.rlim_max = data.rlim_cur;
  setrlimit (RLIMIT_DATA, &data);
#endif
}

static gboolean run (HlCli *cli, GError **error) {
  int size = DEFAULT_SIZE;

  limit_process ();
  if (!hl_cli_require (cli, "out", error) || !hl_cli_count (cli, "size", &size, MOST_SIZE, error) ||
      !hl_cli_load (cli, error))
    return FALSE;
  size = MAX (size, LEAST_SIZE);
  g_autoptr (HlModelPicture) picture = hl_model_picture_new (cli->document);
  if (!write_picture (picture, hl_cli_text (cli, "out"), size, error))
    return FALSE;
  if (!hl_cli_has (cli, "json"))
    return TRUE;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_answer_string (answer, "picture", hl_cli_text (cli, "out"));
  hl_answer_integer (answer, "width", size);
  hl_answer_integer (answer, "height", size);
  g_autofree char *text = hl_answer_to_text (answer, HL_ANSWER_JSON);
  return hl_cli_write (stdout, text, error);
}

static const HlCliOption options[] = {
    {"out", "PNG", "output picture (PNG for any ending)", FALSE},
    {"size", "N", "width and height in pixels, up to 4096 (default 256)", FALSE},
    {"json", NULL, "list the written files as one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_thumbnail = {
    .name = "thumbnail",
    .usage = "FILE --out PNG [--size N]",
    .summary = "draw a small picture of linkage and circuit, for file managers",
    .text = "Writes the linkage and the circuit as a small square PNG picture, without text and\n"
            "without a display. File managers use it for the files of a folder, so it stops\n"
            "without a picture after 2 s of processor time or at 256 MB of memory.",
    .examples = {"hydrolink thumbnail four-bar.hydrolink --out four-bar.png",
                 "hydrolink thumbnail scissor-lift.hydrolink --size 512 --out lift.png"},
    .options = options,
    .run = run,
};
