/* SPDX-License-Identifier: MIT */
/* Unsaved work: files that a running, a finished, a killed and a damaged session leave to the next one. */
#include "core/io/hl-json-text.h"
#include "core/io/hl-crash-recovery.h"
#include "tests/support/hl-test.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  char *folder;
  HlDocument *document;
} Fixture;

static void set_up (Fixture *self, gconstpointer data) {
  g_autofree char *top = g_dir_make_tmp ("hl-recovery-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), "four-bar.hydrolink", NULL);
  g_autoptr (GError) error = NULL;

  self->folder = g_build_filename (top, "state", "recovery", NULL);
  self->document = hl_document_load (path, &error);
  g_assert_no_error (error);
}

static int count_entries (const char *folder) {
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;
  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void remove_all (const char *path) {
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    remove_all (child);
  }
  g_remove (path);
}

static void tear_down (Fixture *self, gconstpointer data) {
  g_autofree char *state = g_path_get_dirname (self->folder);
  g_autofree char *top = g_path_get_dirname (state);

  remove_all (top);
  hl_document_unref (self->document);
  g_free (self->folder);
}

static HlRecovery *begin (Fixture *self) {
  g_autoptr (GError) error = NULL;
  HlRecovery *recovery = hl_recovery_new (self->folder, &error);
  g_assert_no_error (error);
  return recovery;
}

/* Collects the recovery files in a folder and its subfolders; owned by the caller. */
static void find_kept (const char *folder, GPtrArray *paths) {
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR) && strcmp (name, "damaged") != 0)
      find_kept (path, paths);
    else if (g_str_has_suffix (name, ".recovered"))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
}

static int count_kept (const Fixture *self) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  find_kept (self->folder, paths);
  return (int)paths->len;
}

static void write_now (HlRecoverySlot *slot, const HlDocument *document, const char *path) {
  g_autoptr (GError) error = NULL;
  hl_recovery_slot_write (slot, hl_recovery_slot_ticket (slot), document, path, &error);
  g_assert_no_error (error);
}

/* The file of the only slot that has one; owned by the caller. */
static char *file_of_slot (const Fixture *self, HlRecoverySlot *slot) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  write_now (slot, self->document, NULL);
  find_kept (self->folder, paths);
  g_assert_cmpint (paths->len, ==, 1);
  return g_strdup (paths->pdata[0]);
}

/* A clean end leaves nothing, not even a folder. */
static void clean_end (Fixture *self, gconstpointer data) {
  HlRecovery *recovery = begin (self);
  g_autoptr (HlRecoverySlot) slot = hl_recovery_slot_new (recovery);

  write_now (slot, self->document, NULL);
  g_assert_cmpint (count_kept (self), ==, 1);
  hl_recovery_slot_clear (slot);
  hl_recovery_free (recovery);
  g_assert_cmpint (count_entries (self->folder), ==, 0);
}

/* A write that was requested before the document was saved must not create the file again. */
static void late_write (Fixture *self, gconstpointer data) {
  g_autoptr (HlRecovery) recovery = begin (self);
  g_autoptr (HlRecoverySlot) slot = hl_recovery_slot_new (recovery);
  g_autoptr (GError) error = NULL;
  guint ticket = hl_recovery_slot_ticket (slot);

  hl_recovery_slot_clear (slot);
  g_assert_true (hl_recovery_slot_write (slot, ticket, self->document, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (count_kept (self), ==, 0);
}

/* A file that a running instance edits is not offered to another instance. */
static void second_instance (Fixture *self, gconstpointer data) {
  g_autoptr (HlRecovery) first = begin (self);
  g_autoptr (HlRecoverySlot) slot = hl_recovery_slot_new (first);
  g_autoptr (HlRecovery) second = begin (self);

  write_now (slot, self->document, "/models/a.hydrolink");
  g_autoptr (GPtrArray) found = hl_recovery_find (second, NULL);
  g_assert_cmpuint (found->len, ==, 0);
  g_assert_cmpint (count_kept (self), ==, 1);
  hl_recovery_slot_clear (slot);
}

/* A process with two documents that is killed while it waits. */
static void killed_process (Fixture *self) {
  int pipe_ends[2];
  char ready;

  g_assert_cmpint (pipe (pipe_ends), ==, 0);
  pid_t child = fork ();
  if (child == 0) {
    HlRecovery *recovery = hl_recovery_new (self->folder, NULL);
    HlRecoverySlot *named = hl_recovery_slot_new (recovery);
    HlRecoverySlot *untitled = hl_recovery_slot_new (recovery);
    hl_recovery_slot_write (named, 0, self->document, "/models/a.hydrolink", NULL);
    hl_recovery_slot_write (untitled, 0, self->document, NULL, NULL);
    if (write (pipe_ends[1], "r", 1) == 1)
      pause ();
    _exit (1);
  }
  g_assert_cmpint (child, >, 0);
  g_assert_cmpint (read (pipe_ends[0], &ready, 1), ==, 1);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  close (pipe_ends[0]);
  close (pipe_ends[1]);
}

static void after_a_kill (Fixture *self, gconstpointer data) {
  killed_process (self);

  g_autoptr (HlRecovery) recovery = begin (self);
  GPtrArray *found = hl_recovery_find (recovery, NULL);
  g_assert_cmpuint (found->len, ==, 2);
  int n_named = 0;
  for (guint i = 0; i < found->len; i++) {
    HlRecovered *at = found->pdata[i];
    g_assert_true (hl_document_equal (at->document, self->document));
    g_assert_cmpint (ABS (at->time_s - g_get_real_time () / G_USEC_PER_SEC), <, 600);
    if (at->path != NULL) {
      g_assert_cmpstr (at->path, ==, "/models/a.hydrolink");
      n_named++;
    }
  }
  g_assert_cmpint (n_named, ==, 1);

  /* while they are looked at, a third program does not offer them as well */
  g_autoptr (HlRecovery) third = begin (self);
  GPtrArray *nothing = hl_recovery_find (third, NULL);
  g_assert_cmpuint (nothing->len, ==, 0);
  g_ptr_array_unref (nothing);

  /* one is discarded; the other one is still there next time */
  hl_recovered_discard (found->pdata[0]);
  g_ptr_array_unref (found);
  found = hl_recovery_find (recovery, NULL);
  g_assert_cmpuint (found->len, ==, 1);
  hl_recovered_discard (found->pdata[0]);
  g_ptr_array_unref (found);
  g_assert_cmpint (count_entries (self->folder), ==, 2); /* the two running sessions */
}

/* Bytes that are not a recovered model are reported once, and kept. */
static void damaged_file (Fixture *self, gconstpointer data) {
  const char *const texts[] = {"", "not JSON", "[1]", "{\"format\": \"hydrolink-recovery\"}",
                               "{\"format\": \"other\", \"model\": {}}"};
  g_autoptr (HlRecovery) recovery = begin (self);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    HlRecovery *dead = begin (self);
    g_autoptr (HlRecoverySlot) slot = hl_recovery_slot_new (dead);
    g_autoptr (GPtrArray) damaged = g_ptr_array_new_with_free_func (g_free);
    g_autofree char *kept = NULL;
    g_autoptr (GError) error = NULL;

    g_autofree char *file = file_of_slot (self, slot);
    g_assert_true (g_file_set_contents (file, texts[i], -1, NULL));
    hl_recovery_free (dead);
    g_autoptr (GPtrArray) found = hl_recovery_find (recovery, damaged);
    g_assert_cmpuint (found->len, ==, 0);
    g_assert_cmpuint (damaged->len, ==, 1);
    g_file_get_contents (damaged->pdata[0], &kept, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (kept, ==, texts[i]);

    g_autoptr (GPtrArray) again = hl_recovery_find (recovery, damaged);
    g_assert_cmpuint (again->len, ==, 0);
    g_assert_cmpuint (damaged->len, ==, 1);
  }
  /* nothing is left of the dead sessions */
  g_assert_cmpint (count_entries (self->folder), ==, 2);
}

/* A pipe where a file should be is not waited for. */
static void pipe_in_place (Fixture *self, gconstpointer data) {
  HlRecovery *dead = begin (self);
  g_autoptr (HlRecoverySlot) slot = hl_recovery_slot_new (dead);
  g_autoptr (HlRecovery) recovery = begin (self);
  g_autoptr (GPtrArray) damaged = g_ptr_array_new_with_free_func (g_free);

  g_autofree char *file = file_of_slot (self, slot);
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_cmpint (mkfifo (file, 0600), ==, 0);
  hl_recovery_free (dead);
  g_autoptr (GPtrArray) found = hl_recovery_find (recovery, damaged);
  g_assert_cmpuint (found->len, ==, 0);
  g_assert_cmpuint (damaged->len, ==, 1);
}

static void no_place (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_recovery_new ("/proc/no-such-folder", &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/proc/no-such-folder"));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/recovery-files/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("clean-end", clean_end);
  ADD ("late-write", late_write);
  ADD ("second-instance", second_instance);
  ADD ("after-a-kill", after_a_kill);
  ADD ("damaged-file", damaged_file);
  ADD ("pipe-in-place", pipe_in_place);
  ADD ("no-place", no_place);
#undef ADD
  return g_test_run ();
}
