/* SPDX-License-Identifier: MIT */
/* hydrolink thumbnail: what file managers show in place of an icon. Nothing is computed, so that a model that cannot run
 * has one as well; the name of the picture may end in anything, for file managers choose it. */
#include "app/cli/hl-cli-private.h"
#include "core/io/hl-file-save.h"
#include "ui/paint/page/hl-figure.h"
#include "ui/paint/page/hl-model-picture.h"

#define DEFAULT_SIZE 256
#define LEAST_SIZE 16
#define MOST_SIZE 4096
#define STYLE_SIZE 256.0 /* px, at which lines have the widths of the gallery */
#define MM_PER_INCH 25.4
#define POINTS_PER_INCH 72.0

/* A page of STYLE_SIZE points at so many dots that it has the size. */
static gboolean
write_picture (HlModelPicture *picture, const char *out, int size, GError **error)
{
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

static gboolean
run (HlCli *cli, GError **error)
{
  int size = DEFAULT_SIZE;

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
    {"out", "PNG", "the picture to write, whatever its name ends in", FALSE},
    {"size", "N", "its width and height in pixels, to 4096 (256)", FALSE},
    {"json", NULL, "say as one JSON object what was written", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_thumbnail = {
    .name = "thumbnail",
    .usage = "FILE --out PNG [--size N]",
    .summary = "draw linkage and circuit small, for file managers",
    .text = "Writes the linkage and the circuit as a small square PNG picture, without words and\n"
            "without a display. File managers call it for the files of a folder.",
    .options = options,
    .run = run,
};
