/* SPDX-License-Identifier: MIT */
/* Runs a libFuzzer target as a plain test: on every file of the folders in HL_CORPUS (the corpus of
 * the target, or the examples), on every cut of one, with a value of another kind in each place of a JSON file (or in as many
 * places as there are mutations, drawn by chance), and on mutations of all of them that follow
 * GLib's test seed, so a failure repeats with --seed. The target only has to come back. HL_MUTATIONS is the
 * count of mutations of a file. */
#include "core/io/hl-json-text.h"
#include "tests/fuzz/mutate.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define MUTATIONS_PER_FILE 300
#define CUTS 50

static void try_bytes (const GByteArray *bytes) {
  /* An exact copy on the heap, so that the address sanitizer sees a read past the end. */
  g_autofree uint8_t *copy = g_memdup2 (bytes->data, bytes->len);

  LLVMFuzzerTestOneInput (copy, bytes->len);
}

static GByteArray *read_file (const char *path) {
  g_autofree char *text = NULL;
  gsize size = 0;
  g_autoptr (GError) error = NULL;
  GByteArray *bytes = g_byte_array_new ();

  g_file_get_contents (path, &text, &size, &error);
  g_assert_no_error (error);
  g_byte_array_append (bytes, (const uint8_t *)text, (guint)size);
  return bytes;
}

/* ---- values of another kind ---- */

static const char *const kinds[] = {"1",  "-1e308", "\"x\"",   "\"\"", "true", "null",
                                    "[]", "[1]",    "[\"x\"]", "[{}]", "{}",   "{\"a\": 1}"};

static gsize count_places (const HlValue *value) {
  gsize n = 1;

  for (gsize k = 0; k < hl_value_length (value); k++)
    n += count_places (hl_value_is_object (value) ? hl_value_member_at (value, k) : hl_value_item (value, k));
  return n;
}

/* Returns the value with `other` at its place number *place, in the order of the file, from 0. A new
 * reference. */
static HlValue *with_other (const HlValue *value, gsize *place, const HlValue *other) {
  if ((*place)-- == 0)
    return hl_value_ref ((HlValue *)other);
  for (gsize k = 0; k < hl_value_length (value); k++) {
    bool is_object = hl_value_is_object (value);
    const HlValue *child = is_object ? hl_value_member_at (value, k) : hl_value_item (value, k);
    gsize below = count_places (child);
    if (*place < below) {
      HlValue *changed = with_other (child, place, other);
      return is_object ? hl_value_with_member (value, hl_value_key (value, k), changed)
                       : hl_value_with_item (value, k, changed);
    }
    *place -= below;
  }
  return hl_value_ref ((HlValue *)value);
}

static void try_kinds (const GByteArray *bytes, GRand *random, guint64 most) {
  g_autoptr (HlValue) whole = hl_json_parse ((const char *)bytes->data, bytes->len, "corpus", NULL);
  gsize n = whole != NULL ? count_places (whole) * G_N_ELEMENTS (kinds) : 0;

  for (gsize k = 0; k < n; k++) {
    if (n > most && g_rand_double (random) > (double)most / (double)n)
      continue;
    const char *kind = kinds[k % G_N_ELEMENTS (kinds)];
    gsize place = k / G_N_ELEMENTS (kinds);
    g_autoptr (HlValue) other = hl_json_parse (kind, strlen (kind), "kind", NULL);
    g_autoptr (HlValue) changed = with_other (whole, &place, other);
    g_autoptr (GString) text = g_string_new (NULL);
    hl_json_write (text, changed);
    g_autofree uint8_t *copy = g_memdup2 (text->str, text->len);
    LLVMFuzzerTestOneInput (copy, text->len);
  }
}

static void test_file (gconstpointer path) {
  g_autoptr (GByteArray) whole = read_file (path);
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32)g_test_rand_int ());

  try_bytes (whole);
  for (guint i = 0; i < CUTS; i++) {
    g_autoptr (GByteArray) cut = g_byte_array_new ();
    g_byte_array_append (cut, whole->data, whole->len * i / CUTS);
    try_bytes (cut);
  }
  const char *wanted = g_getenv ("HL_MUTATIONS");
  guint64 n_mutations = wanted != NULL ? g_ascii_strtoull (wanted, NULL, 10) : MUTATIONS_PER_FILE;
  try_kinds (whole, random, n_mutations);
  for (guint64 i = 0; i < n_mutations; i++) {
    g_autoptr (GByteArray) mutant = g_byte_array_new ();
    int n = g_rand_int_range (random, 1, 5);

    g_byte_array_append (mutant, whole->data, whole->len);
    for (int step = 0; step < n; step++)
      hl_fuzz_mutate (random, mutant);
    try_bytes (mutant);
  }
}

/* Adds every file below the folder as a test. */
static void add_folder (const char *folder, GPtrArray *paths) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) files = g_dir_open (folder, 0, &error);

  g_assert_no_error (error);
  for (const char *name = g_dir_read_name (files); name != NULL; name = g_dir_read_name (files)) {
    g_autofree char *test_name = g_strdup_printf ("/fuzz/%s", name);
    char *path = g_build_filename (folder, name, NULL);
    g_ptr_array_add (paths, path);
    g_test_add_data_func (test_name, path, test_file);
  }
}

int main (int argc, char **argv) {
  const char *corpus = g_getenv ("HL_CORPUS");
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (corpus);
  g_auto (GStrv) folders = g_strsplit (corpus, ":", -1);
  for (int k = 0; folders[k] != NULL; k++)
    add_folder (folders[k], paths);
  return g_test_run ();
}
