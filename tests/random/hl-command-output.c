/* SPDX-License-Identifier: MIT */
#include "tests/random/hl-command-output.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Returns the output of a command. Owned by the caller. */
static char *run_command (const char *command, const char *path, const char *option) {
  const char *const words[] = {g_getenv ("HL_PROGRAM"), command, path, option, NULL};
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int how;

  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &how, &error);
  g_assert_no_error (error);
  return out;
}

static void read_eigenvalues (HlPrinted *self, const char *path) {
  g_autofree char *out = run_command ("linearize", path, "--json");
  json_t *root = json_loads (out, 0, NULL);
  const json_t *values = json_object_get (root, "eigenvalues");

  self->n_eigenvalues = (int)json_array_size (values);
  self->re = g_new0 (double, self->n_eigenvalues + 1);
  self->im = g_new0 (double, self->n_eigenvalues + 1);
  for (int k = 0; k < self->n_eigenvalues; k++) {
    const json_t *value = json_array_get (values, (gsize)k);
    self->re[k] = json_number_value (json_object_get (value, "re"));
    self->im[k] = json_number_value (json_object_get (value, "im"));
  }
  json_decref (root);
}

static double number_of (const json_t *list, int k) {
  const json_t *number = json_array_get (list, (gsize)k);
  return json_is_number (number) ? json_number_value (number) : NAN;
}

static void read_sensitivities (HlPrinted *self, const char *path) {
  g_autofree char *out = run_command ("sensitivity", path, "--json");
  json_t *root = json_loads (out, 0, NULL);
  const json_t *parameters = json_object_get (root, "parameters");
  int n = self->n_eigenvalues;

  self->n_parameters = (int)json_array_size (parameters);
  self->paths = g_new0 (char *, self->n_parameters + 1);
  self->d_re = g_new0 (double, n * self->n_parameters + 1);
  self->d_im = g_new0 (double, n * self->n_parameters + 1);
  for (int j = 0; j < self->n_parameters; j++) {
    const json_t *parameter = json_array_get (parameters, (gsize)j);
    self->paths[j] = g_strdup (json_string_value (json_object_get (parameter, "path")));
    for (int k = 0; k < n; k++) {
      self->d_re[k + n * j] = number_of (json_object_get (parameter, "d_re"), k);
      self->d_im[k + n * j] = number_of (json_object_get (parameter, "d_im"), k);
    }
  }
  json_decref (root);
}

static void read_last_row (HlPrinted *self, const char *path) {
  g_autofree char *out = run_command ("simulate", path, NULL);
  g_auto (GStrv) lines = g_strsplit (g_strstrip (out), "\n", -1);
  guint n_lines = g_strv_length (lines);

  if (n_lines < 2)
    return;
  self->columns = g_strsplit (lines[0], ",", -1);
  self->last = g_new0 (double, g_strv_length (self->columns));
  g_auto (GStrv) numbers = g_strsplit (lines[n_lines - 1], ",", -1);
  g_assert_cmpuint (g_strv_length (numbers), ==, g_strv_length (self->columns));
  for (int k = 0; self->columns[k] != NULL; k++) {
    char *unit = strstr (self->columns[k], " [");
    if (unit != NULL)
      *unit = '\0';
    self->last[k] = numbers[k][0] != '\0' ? g_ascii_strtod (numbers[k], NULL) : NAN;
  }
}

HlPrinted *hl_printed_new (const char *path) {
  HlPrinted *self = g_new0 (HlPrinted, 1);

  read_eigenvalues (self, path);
  read_sensitivities (self, path);
  read_last_row (self, path);
  return self;
}

void hl_printed_free (HlPrinted *self) {
  g_free (self->re);
  g_free (self->im);
  g_strfreev (self->paths);
  g_free (self->d_re);
  g_free (self->d_im);
  g_strfreev (self->columns);
  g_free (self->last);
  g_free (self);
}
