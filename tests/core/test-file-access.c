/* SPDX-License-Identifier: MIT */
/* Files that mean harm and disks that fail: pipes, devices and giants are refused at once; links
 * stay links; what cannot be written leaves what was there. */
#include "core/base/hl-error.h"
#include "core/fmu/hl-ssp-parameter-set.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-measured-data.h"
#include "core/io/hl-image-size.h"
#include "core/io/hl-input-recording-file.h"
#include "core/lesson/hl-experiment-slides.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/study/hl-study-row-file.h"
#include "core/study/hl-study-draft.h"
#include "tests/support/hl-test.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUICK_S 2 /* a refusal that reads something takes longer */

typedef struct {
  char *folder, *path, *other;
} Fixture;

static void set_up (Fixture *self, gconstpointer data) {
  self->folder = g_dir_make_tmp ("hl-access-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "file", NULL);
  self->other = g_build_filename (self->folder, "other", NULL);
}

static int count_entries (const char *folder) {
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void tear_down (Fixture *self, gconstpointer data) {
  g_unlink (self->path);
  g_unlink (self->other);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0); /* nothing temporary is left */
  g_free (self->folder);
  g_free (self->path);
  g_free (self->other);
}

static void expect_text (const char *path, const char *text) {
  g_autofree char *found = NULL;
  g_assert_true (g_file_get_contents (path, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, text);
}

/* --- reading --- */

static gboolean count_rows (gint64 row, guint64 offset, const char *cells, gsize length, void *data) {
  (void)row, (void)offset, (void)cells, (void)length;
  (*(int *)data)++;
  return TRUE;
}

static gboolean read_rows (const char *path, GError **error) {
  int n_rows = 0;

  return hl_row_file_read (path, count_rows, &n_rows, NULL, error) || n_rows > 0;
}

static gboolean read_place (const char *path, GError **error) {
  g_autoptr (GFile) place = g_file_new_for_path (path);
  gsize length;

  return hl_file_read_place (place, 1000, &length, error) != NULL;
}

static gboolean read_lesson (const char *path, GError **error) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  HlLesson *lesson = hl_lesson_load (path, problems);

  if (problems->len > 0)
    g_set_error_literal (error, HL_ERROR, HL_ERROR_FILE, ((HlLessonProblem *)problems->pdata[0])->text);
  return lesson != NULL;
}

static gboolean read_set (const char *path, GError **error) {
  g_autoptr (HlDocument) document = hl_document_new_empty ();

  return hl_ssv_apply (document, path, error) != NULL;
}

/* Every reader of a path that is no file refuses the path, names it, and does not wait. */
static void expect_refused (const char *path, const char *why) {
  gint64 start = g_get_monotonic_time ();

  for (int reader = 0; reader < 12; reader++) {
    g_autoptr (GError) error = NULL;
    HlPictureHeader header;
    gsize length;
    if (reader == 0)
      g_assert_null (hl_document_load (path, &error));
    if (reader == 1)
      g_assert_null (hl_table_load (path, NULL, &error));
    if (reader == 2)
      g_assert_false (hl_picture_header_load (path, &header, &error));
    if (reader == 3)
      g_assert_null (hl_file_read (path, 1000, NULL, NULL, &length, &error));
    if (reader == 4)
      g_assert_false (read_place (path, &error));
    if (reader == 5)
      g_assert_null (hl_tape_load (path, &error));
    if (reader == 6)
      g_assert_null (hl_study_load_root (path, &error));
    if (reader == 7)
      g_assert_null (hl_experiments_load (path, &error));
    if (reader == 8)
      g_assert_null (hl_study_draft_load (path, &error));
    if (reader == 9)
      g_assert_false (read_rows (path, &error));
    if (reader == 10)
      g_assert_false (read_lesson (path, &error));
    if (reader == 11)
      g_assert_false (read_set (path, &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
    g_assert_nonnull (strstr (error->message, path));
    g_assert_nonnull (strstr (error->message, why));
  }
  g_assert_cmpint (g_get_monotonic_time () - start, <, QUICK_S * G_USEC_PER_SEC);
}

static void no_files (Fixture *self, gconstpointer data) {
  g_assert_cmpint (mkfifo (self->path, 0600), ==, 0);
  expect_refused (self->path, "pipe");
  g_assert_cmpint (symlink (self->path, self->other), ==, 0);
  expect_refused (self->other, "pipe");
  expect_refused (self->folder, "folder");
  expect_refused ("/dev/zero", "device");
  expect_refused ("/dev/tty", "device");
  g_unlink (self->other);
  expect_refused (self->other, "no such file");
  g_assert_cmpint (symlink (self->other, self->other), ==, 0);
  expect_refused (self->other, "cannot be read");
}

/* Rows are appended to regular files only; a rejected call leaves no file open. */
static void no_file_for_rows (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (self->path, 0600), ==, 0);
  g_assert_null (hl_row_file_open (self->path, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "pipe"));
}

/* A web page or a share may never answer. */
static void no_place (Fixture *self, gconstpointer data) {
  g_autoptr (GFile) place = g_file_new_for_uri ("http://localhost/x.hydrolink");
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_null (hl_file_read_place (place, 1000, &length, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "http://localhost/x.hydrolink"));
}

/* The window does not wait for whoever may read a pipe some time; commands do. */
static void no_pipe_is_saved_over (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;
  struct stat facts;

  g_assert_cmpint (mkfifo (self->path, 0600), ==, 0);
  hl_file_save_files_only (TRUE);
  gboolean is_saved = hl_file_save_text (self->path, "new", -1, &error);
  hl_file_save_files_only (FALSE);
  g_assert_false (is_saved);
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "pipe"));
  g_assert_true (stat (self->path, &facts) == 0 && S_ISFIFO (facts.st_mode));
  g_assert_true (hl_file_save_text ("/dev/null", "new", -1, NULL));
}

/* A file of 100 GB that takes no room on the disk. */
static void giant (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  g_assert_true (g_file_set_contents (self->path, "{", -1, NULL));
  if (truncate (self->path, (off_t)100 * 1000 * 1000 * 1000) != 0) {
    g_test_skip ("this file system has no sparse files");
    return;
  }
  g_assert_null (hl_document_load (self->path, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "64 MiB"));
  g_clear_error (&error);
  g_assert_null (hl_table_load (self->path, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_cmpint (g_get_monotonic_time () - start, <, QUICK_S * G_USEC_PER_SEC);
}

static gboolean stop_now (gpointer data) {
  return TRUE;
}

static void whole_file (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;
  gsize length = 7;
  static const char bytes[] = "a\0b";

  g_assert_true (g_file_set_contents (self->path, bytes, 3, NULL));
  g_autofree char *text = hl_file_read (self->path, 3, NULL, NULL, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (text, length + 1, bytes, sizeof bytes);
  g_assert_null (hl_file_read (self->path, 2, NULL, NULL, &length, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_clear_error (&error);
  g_assert_null (hl_file_read (self->path, 3, stop_now, NULL, &length, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_CANCELLED);
}

/* --- pictures --- */

#define BE16(n) (n) >> 8 & 0xff, (n)&0xff
#define BE32(n) BE16 ((n) >> 16), BE16 (n)
#define LE16(n) (n) & 0xff, (n) >> 8 & 0xff
#define LE32(n) LE16 (n), LE16 ((n) >> 16)
#define PNG(width, height, depth)                                                                            \
  0x89, 'P', 'N', 'G', 13, 10, 26, 10, BE32 (13), 'I', 'H', 'D', 'R', BE32 (width), BE32 (height), depth, 6, \
      0, 0, 0
#define ENTRY(tag, type, count, value) LE16 (tag), LE16 (type), LE32 (count), value
#define TIFF_HEAD 'I', 'I', 42, 0, LE32 (8)

/* By the three formats' own descriptions, byte by byte. */
static void picture_sizes (Fixture *self, gconstpointer data) {
  static const guint8 png[] = {PNG (640, 480, 8)}, deep[] = {PNG (7000, 7000, 16)};
  static const guint8 jpeg[] = {0xff, 0xd8, 0xff,     0xe0, BE16 (4),   9,          9, 0xff,
                                0xff, 0xc2, BE16 (8), 8,    BE16 (480), BE16 (640), 3};
  static const guint8 tiff[] = {TIFF_HEAD, LE16 (2), ENTRY (256, 3, 1, LE32 (640)),
                                ENTRY (257, 4, 1, LE32 (480))};
  static const struct {
    const guint8 *bytes;
    gsize n;
    HlPictureHeader header;
  } cases[] = {
      {png, sizeof png, {HL_PICTURE_PNG, 640, 480, 4}},
      {deep, sizeof deep, {HL_PICTURE_PNG, 7000, 7000, 8}},
      {jpeg, sizeof jpeg, {HL_PICTURE_JPEG, 640, 480, 4}},
      {tiff, sizeof tiff, {HL_PICTURE_TIFF, 640, 480, 4}},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlPictureHeader got = {0};
    g_autoptr (GError) error = NULL;
    g_assert_true (hl_picture_header_parse (cases[k].bytes, cases[k].n, "p", &got, &error));
    g_assert_no_error (error);
    g_assert_cmpint (got.kind, ==, cases[k].header.kind);
    g_assert_cmpuint (got.width, ==, cases[k].header.width);
    g_assert_cmpuint (got.height, ==, cases[k].header.height);
    g_assert_cmpuint (got.pixel_bytes, ==, cases[k].header.pixel_bytes);
    /* the same from a file, of which nothing else is there; a shorter file is reported */
    g_assert_true (g_file_set_contents (self->path, (const char *)cases[k].bytes, (gssize)cases[k].n, NULL));
    g_assert_true (hl_picture_header_load (self->path, &got, &error));
    g_assert_cmpuint (got.width, ==, cases[k].header.width);
    for (gsize n = 0; n + 1 < cases[k].n; n += 3) {
      g_clear_error (&error);
      gboolean has_size = hl_picture_header_parse (cases[k].bytes, n, "p", &got, &error);
      g_assert_true (has_size == (error == NULL));
      g_assert_true (!has_size || n > 22);
    }
  }
}

/* 60 000 x 30 000 pixels in a file of a few bytes, in each format. */
static void picture_bombs (Fixture *self, gconstpointer data) {
  static const guint8 png[] = {PNG (60000, 30000, 8)}, most[] = {PNG (0x7fffffff, 0x7fffffff, 8)};
  static const guint8 deep[] = {PNG (9000, 9000, 16)}, nothing[] = {PNG (0, 10, 8)};
  static const guint8 jpeg[] = {0xff, 0xd8, 0xff, 0xc0, BE16 (8), 8, BE16 (30000), BE16 (60000), 3};
  /* small, and stated once more as large */
  static const guint8 tiff[] = {TIFF_HEAD, LE16 (3), ENTRY (256, 3, 1, LE32 (10)),
                                ENTRY (257, 3, 1, LE32 (30000)), ENTRY (256, 3, 1, LE32 (60000))};
  static const struct {
    const guint8 *bytes;
    gsize n;
    const char *says;
  } cases[] = {
      {png, sizeof png, "60000"},   {most, sizeof most, "2147483647"}, {deep, sizeof deep, "9000"},
      {jpeg, sizeof jpeg, "60000"}, {tiff, sizeof tiff, "60000"},      {nothing, sizeof nothing, "PNG"},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlPictureHeader got;
    g_autoptr (GError) error = NULL;
    g_assert_false (hl_picture_header_parse (cases[k].bytes, cases[k].n, "boom.png", &got, &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
    g_assert_nonnull (strstr (error->message, "boom.png"));
    g_assert_nonnull (strstr (error->message, cases[k].says));
  }
}

/* --- links --- */

static void hard_links (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;
  GStatBuf before, after;

  g_assert_true (g_file_set_contents (self->path, "the old and much longer text", -1, NULL));
  g_assert_cmpint (g_chmod (self->path, 0640), ==, 0);
  g_assert_cmpint (link (self->path, self->other), ==, 0);
  g_assert_cmpint (g_stat (self->path, &before), ==, 0);
  g_assert_true (hl_file_save_text (self->path, "new", -1, &error));
  g_assert_no_error (error);
  expect_text (self->path, "new");
  expect_text (self->other, "new");
  g_assert_cmpint (g_stat (self->other, &after), ==, 0);
  g_assert_true (before.st_ino == after.st_ino && after.st_nlink == 2);
  g_assert_cmpint (after.st_mode & 0777, ==, 0640);
  g_assert_cmpint (count_entries (self->folder), ==, 2);
}

/* Also one that leads nowhere yet, through another one. */
static void symbolic_links (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;
  g_autofree char *first = g_build_filename (self->folder, "first", NULL);
  GStatBuf facts;

  g_assert_cmpint (symlink ("other", self->path), ==, 0);
  g_assert_cmpint (symlink (self->path, first), ==, 0);
  for (int round = 0; round < 2; round++) {
    g_assert_true (hl_file_save_text (first, round == 0 ? "one" : "two", -1, &error));
    g_assert_no_error (error);
    expect_text (self->other, round == 0 ? "one" : "two");
    g_assert_cmpint (g_lstat (first, &facts), ==, 0);
    g_assert_true (S_ISLNK (facts.st_mode));
    g_assert_cmpint (g_lstat (self->path, &facts), ==, 0);
    g_assert_true (S_ISLNK (facts.st_mode));
  }
  g_unlink (first);
}

/* A file of another user keeps its owner. Only root can make one. */
static void owner (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;
  GStatBuf facts;

  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  if (chown (self->path, 12345, 12346) != 0) {
    g_test_skip ("only root can give files away");
    return;
  }
  g_assert_true (hl_file_save_text (self->path, "new", -1, &error));
  g_assert_no_error (error);
  expect_text (self->path, "new");
  g_assert_cmpint (g_stat (self->path, &facts), ==, 0);
  g_assert_cmpint (facts.st_uid, ==, 12345);
  g_assert_cmpint (facts.st_gid, ==, 12346);
}

/* --- disks that are full --- */

/* No file may become longer than that; what goes on is refused as on a full disk. */
static void limit_files (rlim_t bytes) {
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = bytes;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

static void expect_untouched (Fixture *self, const char *text) {
  g_autoptr (GError) error = NULL;

  limit_files (1000);
  gboolean saved = hl_file_save_text (self->path, text, -1, &error);
  limit_files (RLIM_INFINITY);
  g_assert_false (saved);
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, self->path));
  g_assert_nonnull (strstr (error->message, "unchanged"));
  expect_text (self->path, "old");
}

static void full_disk (Fixture *self, gconstpointer data) {
  g_autofree char *text = g_strnfill (5000, 'x');

  signal (SIGXFSZ, SIG_IGN);
  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  expect_untouched (self, text);
  g_assert_cmpint (count_entries (self->folder), ==, 1);
  g_assert_cmpint (link (self->path, self->other), ==, 0);
  expect_untouched (self, text);
  g_assert_cmpint (count_entries (self->folder), ==, 2);
}

/* /dev/full takes nothing. */
static void full_device (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;

  g_assert_false (hl_file_save_text ("/dev/full", "text", -1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "/dev/full"));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/file-access/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("no-file-is-refused-at-once", no_files);
  ADD ("rows-are-appended-to-files-only", no_file_for_rows);
  ADD ("no-place-that-may-not-answer", no_place);
  ADD ("window-does-not-save-over-a-pipe", no_pipe_is_saved_over);
  ADD ("giant-is-refused-at-once", giant);
  ADD ("whole-file", whole_file);
  ADD ("picture-sizes", picture_sizes);
  ADD ("picture-bombs", picture_bombs);
  ADD ("hard-links-stay", hard_links);
  ADD ("symbolic-links-stay", symbolic_links);
  ADD ("owner-stays", owner);
  ADD ("full-disk-leaves-the-old-file", full_disk);
  ADD ("full-device", full_device);
#undef ADD
  return g_test_run ();
}
