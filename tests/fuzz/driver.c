/* SPDX-License-Identifier: MIT */
/* Runs a libFuzzer target as a plain test: on every example, on every cut of one, and on mutations
 * of all of them that follow GLib's test seed, so a failure repeats with --seed. The target only
 * has to come back. */
#include <glib.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define MUTATIONS_PER_FILE 300
#define CUTS 100

/* What turns up in broken files: numbers at the edge, structure, escapes, other encodings. */
static const char *const TOKENS[] = {
    "{",        "}",         "[",
    "]",        ",",         ":",
    "\"",       "\\",        "\\u0000",
    "\\ud800",  "null",      "true",
    "-0",       "0",         "-1",
    "1e308",    "1e-320",    "1e999",
    "NaN",      "\"id\"",    "\"ground\"",
    "\"kind\"", "\"ports\"", "\"\"",
    "\xff",     "\xc3\xa9",  "99999999999999999999",
    "0.1.2",    "\n",
};

static void
try_bytes (const GByteArray *bytes)
{
  /* An exact copy on the heap, so that the address sanitizer sees a read past the end. */
  g_autofree uint8_t *copy = g_memdup2 (bytes->data, bytes->len);

  LLVMFuzzerTestOneInput (copy, bytes->len);
}

static guint
pick (guint n)
{
  return (guint)g_test_rand_int_range (0, (gint32)MAX (n, 1));
}

/* Numbers at which laws and layouts break. */
static const char *const NUMBERS[] = {
    "0", "-0.0", "1", "-1", "1e-9", "-1e-9", "1e-320", "1e300", "-1e300", "3.141592653589793",
    "2", "1e6",
};

static void
splice (GByteArray *bytes, guint at, guint length, const char *text)
{
  g_autoptr (GByteArray) tail = g_byte_array_new ();

  g_byte_array_append (tail, bytes->data + at + length, bytes->len - at - length);
  g_byte_array_set_size (bytes, at);
  g_byte_array_append (bytes, (const uint8_t *)text, (guint)strlen (text));
  g_byte_array_append (bytes, tail->data, tail->len);
}

static gboolean
is_one_of (uint8_t byte, const char *set)
{
  return byte != '\0' && strchr (set, byte) != NULL;
}

/* The next number after a random place becomes another one: the file stays sound JSON, the model
 * hardly. */
static void
change_number (GByteArray *bytes)
{
  guint at = pick (bytes->len);
  guint end;

  while (at < bytes->len && !(is_one_of (bytes->data[at], " [:") && at + 1 < bytes->len &&
                              is_one_of (bytes->data[at + 1], "-.0123456789")))
    at++;
  at = MIN (at + 1, bytes->len);
  end = at;
  while (end < bytes->len && is_one_of (bytes->data[end], "+-.0123456789eE"))
    end++;
  if (end > at)
    splice (bytes, at, end - at, NUMBERS[pick (G_N_ELEMENTS (NUMBERS))]);
}

static void
mutate (GByteArray *bytes)
{
  const char *token = TOKENS[pick (G_N_ELEMENTS (TOKENS))];
  guint at = pick (bytes->len);
  guint length = pick (12) + 1;
  guint n = MIN (length, bytes->len - at);

  switch (pick (12)) {
  case 0: /* another byte */
    if (bytes->len > 0)
      bytes->data[at] = (uint8_t)pick (256);
    break;
  case 1: /* a piece is missing */
    g_byte_array_remove_range (bytes, at, n);
    break;
  case 2: /* a piece is there twice, somewhere else */
  {
    g_autofree uint8_t *piece = g_memdup2 (bytes->data + at, n);
    g_byte_array_append (bytes, piece, n);
    break;
  }
  case 3: /* a token in place of a piece */
    n = MIN (n, (guint)strlen (token));
    memcpy (bytes->data + at, token, n);
    break;
  case 4: /* a token put in */
    splice (bytes, at, 0, token);
    break;
  default:
    change_number (bytes);
  }
}

static GByteArray *
read_file (const char *path)
{
  g_autofree char *text = NULL;
  gsize size = 0;
  g_autoptr (GError) error = NULL;
  GByteArray *bytes = g_byte_array_new ();

  g_file_get_contents (path, &text, &size, &error);
  g_assert_no_error (error);
  g_byte_array_append (bytes, (const uint8_t *)text, (guint)size);
  return bytes;
}

static void
test_file (gconstpointer path)
{
  g_autoptr (GByteArray) whole = read_file (path);

  try_bytes (whole);
  for (guint i = 0; i < CUTS; i++) {
    g_autoptr (GByteArray) cut = g_byte_array_new ();
    g_byte_array_append (cut, whole->data, whole->len * i / CUTS);
    try_bytes (cut);
  }
  for (guint i = 0; i < MUTATIONS_PER_FILE; i++) {
    g_autoptr (GByteArray) mutant = g_byte_array_new ();
    guint n = pick (4) + 1;

    g_byte_array_append (mutant, whole->data, whole->len);
    for (guint step = 0; step < n; step++)
      mutate (mutant);
    try_bytes (mutant);
  }
}

int
main (int argc, char **argv)
{
  const char *dir = g_getenv ("HL_EXAMPLES_DIR");
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) files = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (dir);
  files = g_dir_open (dir, 0, NULL);
  g_assert_nonnull (files);
  for (const char *name = g_dir_read_name (files); name != NULL; name = g_dir_read_name (files)) {
    g_autofree char *test_name = g_strdup_printf ("/fuzz/%s", name);
    char *path = g_build_filename (dir, name, NULL);

    g_ptr_array_add (paths, path);
    g_test_add_data_func (test_name, path, test_file);
  }
  return g_test_run ();
}
