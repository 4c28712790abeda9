/* SPDX-License-Identifier: MIT */
/* The kind of a file is examined twice: before opening, because opening a device may have an effect, and
 * after opening, because the file may have been replaced in between. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "core/io/hl-file-access.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes a file in one of two ways. The usual way writes a new file and renames it over the old one, which
 * survives a crash at any moment. If renaming would break hard links or change the owner, the old file is
 * overwritten, with a complete copy next to it until that is done. */

#define MOST_LINKS 40 /* one after the other, as the kernel has it */

static gboolean write_all (int descriptor, const char *text, gsize length) {
  while (length > 0) {
    gssize written = write (descriptor, text, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return FALSE;
    text += written;
    length -= (gsize)written;
  }
  return TRUE;
}

/* Closes; keeps the first reason. */
static gboolean close_after (int descriptor, gboolean ok, int *why) {
  if (!ok)
    *why = errno;
  if (close (descriptor) == 0 || !ok)
    return ok;
  *why = errno;
  return FALSE;
}

/* --- where to --- */

/* Returns the target of a symbolic link, relative to its folder; NULL: the file is not a link. */
static char *link_target (const char *path) {
  char target[PATH_MAX];
  gssize n = readlink (path, target, sizeof target - 1);

  if (n < 0)
    return NULL;
  target[n] = '\0';
  if (g_path_is_absolute (target))
    return g_strdup (target);
  g_autofree char *folder = g_path_get_dirname (path);
  return g_build_filename (folder, target, NULL);
}

/* Returns the file that `path` leads to, links followed, so that saving does not replace a link by a file;
 * also one that leads to nothing yet. Owned. */
static char *real_target (const char *path) {
  char *real = realpath (path, NULL);
  char *at = g_strdup (real != NULL ? real : path);

  free (real);
  for (int link = 0; link < MOST_LINKS; link++) {
    char *next = link_target (at);
    if (next == NULL)
      break;
    g_free (at);
    at = next;
  }
  return at;
}

/* --- a file without a name --- */

#define MOST_NAMES 100 /* that are tried, until one is free */

gboolean hl_file_draft_open (HlFileDraft *draft, const char *path, gboolean is_named) {
  g_autofree char *folder = g_path_get_dirname (path);

  *draft = (HlFileDraft){.descriptor = -1};
  if (!is_named)
    draft->descriptor = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (draft->descriptor >= 0)
    return TRUE;
  draft->name = g_strconcat (path, ".XXXXXX", NULL);
  draft->descriptor = g_mkstemp_full (draft->name, O_WRONLY | O_CLOEXEC, 0666);
  if (draft->descriptor < 0)
    g_clear_pointer (&draft->name, g_free);
  return draft->descriptor >= 0;
}

gboolean hl_file_draft_give_name (HlFileDraft *draft, const char *path) {
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", draft->descriptor);

  for (int k = 0; draft->name == NULL && k < MOST_NAMES; k++) {
    char *name = g_strdup_printf ("%s.%06x", path, g_random_int () & 0xffffffU);
    if (linkat (AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
      draft->name = name;
    else {
      int why = errno;
      g_free (name);
      errno = why;
      if (why != EEXIST)
        break;
    }
  }
  return draft->name != NULL;
}

void hl_file_draft_discard (HlFileDraft *draft) {
  if (draft->name != NULL)
    g_unlink (draft->name);
  g_clear_pointer (&draft->name, g_free);
}

/* --- the two ways --- */

/* Writes the folder to disk, without which a rename is not permanent; a failure is ignored. */
static void synchronise_folder (const char *folder) {
  int descriptor = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (descriptor < 0)
    return;
  (void)fsync (descriptor);
  close (descriptor);
}

static gboolean saves_files_only;

void hl_file_save_files_only (gboolean files_only) {
  saves_files_only = files_only;
}

/* Writes into a pipe or a device itself: renaming a file onto it would remove it. */
static gboolean write_special (const char *path, const char *text, gsize length, GError **error) {
  if (saves_files_only) {
    g_set_error (error, HL_ERROR, HL_ERROR_FILE,
                 _ ("%s: Cannot save to a pipe or device. Save under another name."), path);
    return FALSE;
  }
  int descriptor = open (path, O_WRONLY | O_CLOEXEC);
  int why = errno;
  gboolean ok = descriptor >= 0 && close_after (descriptor, write_all (descriptor, text, length), &why);

  if (!ok)
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be written: %s"), path, g_strerror (why));
  return ok;
}

typedef enum {
  SAVED,
  UNTOUCHED, /* the old file is as it was */
  HALF       /* and what was to be saved is in the temporary file */
} Outcome;

/* Reserves space for a file that becomes longer, so that a full disk is detected while the old bytes are
 * intact. Other file systems detect it during writing. */
static gboolean reserve_space (int descriptor, gsize length, off_t before) {
  int why = posix_fallocate (descriptor, 0, MAX ((off_t)length, 1));

  if (why == 0 || why == EOPNOTSUPP || why == EINVAL)
    return TRUE;
  (void)!ftruncate (descriptor, before);
  errno = why;
  return FALSE;
}

static Outcome write_over (const char *target, const char *text, gsize length, off_t before, int *why) {
  int descriptor = open (target, O_WRONLY | O_CLOEXEC);

  if (descriptor < 0 || !reserve_space (descriptor, length, before)) {
    *why = errno;
    if (descriptor >= 0)
      close (descriptor);
    return UNTOUCHED;
  }
  gboolean ok = write_all (descriptor, text, length) && ftruncate (descriptor, (off_t)length) == 0 &&
                fsync (descriptor) == 0;
  return close_after (descriptor, ok, why) ? SAVED : HALF;
}

/* Fills the temporary file, complete, with a name, the permissions and the owner of the old one. *same_owner:
 * whether that was possible. */
static gboolean fill_temporary (HlFileDraft *draft, const char *target, const char *text, gsize length,
                                const struct stat *old, gboolean *same_owner, int *why) {
  int descriptor = draft->descriptor;
  gboolean ok = write_all (descriptor, text, length);
  struct stat made;

  *same_owner = TRUE;
  if (ok && old != NULL) {
    *same_owner =
        fstat (descriptor, &made) == 0 && ((made.st_uid == old->st_uid && made.st_gid == old->st_gid) ||
                                           fchown (descriptor, old->st_uid, old->st_gid) == 0);
    /* a change of the owner clears special bits: set permissions afterwards */
    ok = fchmod (descriptor, old->st_mode & 07777) == 0;
  }
  ok = ok && fsync (descriptor) == 0 && hl_file_draft_give_name (draft, target);
  return close_after (descriptor, ok, why);
}

static gboolean report_outcome (Outcome outcome, const char *path, const char *temporary, int why,
                                GError **error) {
  if (outcome == UNTOUCHED)
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be saved: %s; the old file is unchanged"),
                 path, g_strerror (why));
  if (outcome == HALF)
    g_set_error (error, HL_ERROR, HL_ERROR_FILE,
                 _ ("%s: cannot be saved: %s; the complete new content is in %s"), path, g_strerror (why),
                 temporary);
  return outcome == SAVED;
}

gboolean hl_file_save_text (const char *path, const char *text, gssize length, GError **error) {
  g_autofree char *target = real_target (path);
  g_autofree char *folder = g_path_get_dirname (target);
  HlFileDraft draft = {.descriptor = -1};
  gsize n = length < 0 ? strlen (text) : (gsize)length;
  struct stat old;
  gboolean exists = stat (target, &old) == 0, same_owner = TRUE, is_open = FALSE, is_filled = FALSE;
  int why = 0;

  if (exists && !S_ISREG (old.st_mode) && !S_ISDIR (old.st_mode))
    return write_special (target, text, n, error);
  /* some file systems make files without names, and then give them none */
  for (int is_named = 0; is_named < 2 && draft.name == NULL; is_named++) {
    is_open = hl_file_draft_open (&draft, target, is_named);
    if (!is_open)
      why = errno;
    is_filled = is_open && fill_temporary (&draft, target, text, n, exists ? &old : NULL, &same_owner, &why);
  }
  if (!is_open) {
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be saved: %s"), path, g_strerror (why));
    return FALSE;
  }
  Outcome outcome = UNTOUCHED;
  if (is_filled) {
    if (exists && S_ISREG (old.st_mode) && (old.st_nlink > 1 || !same_owner))
      outcome = write_over (target, text, n, old.st_size, &why);
    else if (g_rename (draft.name, target) == 0) {
      synchronise_folder (folder);
      g_free (draft.name);
      return TRUE;
    } else
      why = errno;
  }
  gboolean is_saved = report_outcome (outcome, path, draft.name, why, error);
  if (outcome == HALF)
    g_clear_pointer (&draft.name, g_free); /* it keeps what was to be saved */
  hl_file_draft_discard (&draft);
  return is_saved;
}

#define BLOCK ((gsize)1024 * 1024) /* bytes between two questions whether to stop */
#define MIB (1024 * 1024)

static gboolean refuse_file (const char *path, int why, GError **error) {
  if (why == ENOENT)
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: no such file; check the name"), path);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be read: %s"), path, g_strerror (why));
  return FALSE;
}

static gboolean is_regular (const char *path, const struct stat *facts, GError **error) {
  const char *format =
      S_ISDIR (facts->st_mode)    ? _ ("%s: this is a folder, not a file; name a file in this folder")
      : S_ISFIFO (facts->st_mode) ? _ ("%s: Cannot read a model from a pipe. Save it to a file first.")
                                  : _ ("%s: Cannot read a model from a device. Save it to a file first.");

  if (S_ISREG (facts->st_mode))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FILE, format, path);
  return FALSE;
}

gboolean hl_file_is_regular (int descriptor, const char *path, GError **error) {
  struct stat facts;

  return fstat (descriptor, &facts) == 0 ? is_regular (path, &facts, error)
                                         : refuse_file (path, errno, error);
}

int hl_file_open_regular (const char *path, gsize *size, GError **error) {
  struct stat facts;

  if (stat (path, &facts) != 0) {
    refuse_file (path, errno, error);
    return -1;
  }
  if (!is_regular (path, &facts, error))
    return -1;
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    refuse_file (path, errno, error);
    return -1;
  }
  if (!hl_file_is_regular (descriptor, path, error) || fstat (descriptor, &facts) != 0) {
    close (descriptor);
    return -1;
  }
  if (size != NULL)
    *size = (gsize)facts.st_size;
  return descriptor;
}

static void too_large (const char *path, gsize most, GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_FILE,
               _ ("%s: the file is larger than %d MiB, the limit for such a file"), path, (int)(most / MIB));
}

/* Reads to the end of the file, which may be longer than its stated size if it grows. */
static char *read_all (int descriptor, const char *path, gsize size, gsize most, HlFileStop stop,
                       gpointer stop_data, gsize *length, GError **error) {
  g_autoptr (GByteArray) bytes = g_byte_array_sized_new ((guint)(size + 1));

  for (;;) {
    guint before = bytes->len;
    if (stop != NULL && stop (stop_data)) {
      g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, _ ("%s: reading was stopped"), path);
      return NULL;
    }
    g_byte_array_set_size (bytes, before + (guint)BLOCK);
    gssize n = read (descriptor, bytes->data + before, BLOCK);
    g_byte_array_set_size (bytes, before + (guint)MAX (n, 0));
    if (n == 0)
      break;
    if (n < 0 && errno != EINTR) {
      refuse_file (path, errno, error);
      return NULL;
    }
    if (bytes->len > most) {
      too_large (path, most, error);
      return NULL;
    }
  }
  *length = bytes->len;
  g_byte_array_append (bytes, (const guint8 *)"", 1);
  return (char *)g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}

char *hl_file_read (const char *path, gsize most, HlFileStop stop, gpointer stop_data, gsize *length,
                    GError **error) {
  gsize size = 0;
  char *text = NULL;
  int descriptor = hl_file_open_regular (path, &size, error);

  g_return_val_if_fail (most < G_MAXUINT - 2 * BLOCK, NULL);
  if (descriptor < 0)
    return NULL;
  if (size > most)
    too_large (path, most, error);
  else
    text = read_all (descriptor, path, size, most, stop, stop_data, length, error);
  close (descriptor);
  return text;
}

char *hl_file_read_place (GFile *place, gsize most, gsize *length, GError **error) {
  g_autofree char *path = g_file_get_path (place);
  g_autofree char *uri = g_file_get_uri (place);
  g_autoptr (GError) why = NULL;
  char *text = NULL;

  if (path != NULL && !g_file_has_uri_scheme (place, "resource"))
    return hl_file_read (path, most, NULL, NULL, length, error);
  if (!g_file_has_uri_scheme (place, "resource"))
    g_set_error (error, HL_ERROR, HL_ERROR_FILE,
                 _ ("%s: the file is not on this computer; copy the file to this computer and open the copy"),
                 uri);
  else if (!g_file_load_contents (place, NULL, &text, length, NULL, &why))
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be read: %s"), uri, why->message);
  return text;
}
