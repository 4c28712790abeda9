/* SPDX-License-Identifier: MIT */
/* A session's folder appears under its name only when its lock is held: until then it is called ".NAME" and
 * is ignored. A recovered file is a JSON object around the model, so that the model's bytes need not say
 * where they came from. */
#include "core/io/hl-crash-recovery.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define LOCK_NAME "lock"
#define ENDING ".recovered"
#define FORMAT "hydrolink-recovery"
#define DAMAGED "damaged" /* no name of a session: these begin with a number */

struct _HlRecovery {
  char *folder; /* of all sessions */
  char *name;   /* of this one */
  char *own;    /* folder/name */
  int lock;
  guint n_slots;
};

struct _HlRecoverySlot {
  gatomicrefcount count;
  GMutex mutex;       /* a ticket holds as long as this is locked; guards the file */
  atomic_uint serial; /* atomic for the thread sanitizer, which does not see GLib's locks */
  char *file;
};

/* --- sessions --- */

/* Locks a file and returns its descriptor; -1: another process holds the lock. */
static int lock_file (const char *path, int flags) {
  int descriptor = open (path, flags | O_RDWR | O_CLOEXEC, 0600);

  if (descriptor < 0)
    return -1;
  if (flock (descriptor, LOCK_EX | LOCK_NB) == 0)
    return descriptor;
  close (descriptor);
  return -1;
}

HlRecovery *hl_recovery_new (const char *folder, GError **error) {
  g_autofree char *random = g_uuid_string_random (); /* forked processes may agree on it */
  g_autofree char *name = g_strdup_printf ("%d-%s", (int)getpid (), random);
  g_autofree char *hidden_name = g_strconcat (".", name, NULL);
  g_autofree char *hidden = g_build_filename (folder, hidden_name, NULL);
  g_autofree char *lock_path = g_build_filename (hidden, LOCK_NAME, NULL);
  g_autofree char *own = g_build_filename (folder, name, NULL);
  int lock = -1;

  if (g_mkdir_with_parents (hidden, 0700) == 0)
    lock = lock_file (lock_path, O_CREAT);
  if (lock < 0 || g_rename (hidden, own) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: no folder for recovery files: %s"), folder,
                 g_strerror (errno));
    if (lock >= 0)
      close (lock);
    return NULL;
  }
  HlRecovery *recovery = g_new0 (HlRecovery, 1);
  recovery->folder = g_strdup (folder);
  recovery->name = g_steal_pointer (&name);
  recovery->own = g_steal_pointer (&own);
  recovery->lock = lock;
  return recovery;
}

/* Removes a folder with nothing but its lock. */
static void remove_empty_session (const char *session) {
  g_autofree char *lock_path = g_build_filename (session, LOCK_NAME, NULL);
  g_autoptr (GDir) dir = g_dir_open (session, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (strcmp (name, LOCK_NAME) != 0)
      return;
  g_unlink (lock_path);
  g_rmdir (session);
}

void hl_recovery_free (HlRecovery *recovery) {
  if (recovery == NULL)
    return;
  remove_empty_session (recovery->own);
  close (recovery->lock);
  g_free (recovery->folder);
  g_free (recovery->name);
  g_free (recovery->own);
  g_free (recovery);
}

/* --- slots --- */

HlRecoverySlot *hl_recovery_slot_new (HlRecovery *recovery) {
  HlRecoverySlot *slot = g_new0 (HlRecoverySlot, 1);
  g_autofree char *name = g_strdup_printf ("%u" ENDING, ++recovery->n_slots);

  g_atomic_ref_count_init (&slot->count);
  g_mutex_init (&slot->mutex);
  slot->file = g_build_filename (recovery->own, name, NULL);
  return slot;
}

HlRecoverySlot *hl_recovery_slot_ref (HlRecoverySlot *slot) {
  g_atomic_ref_count_inc (&slot->count);
  return slot;
}

void hl_recovery_slot_unref (HlRecoverySlot *slot) {
  if (!g_atomic_ref_count_dec (&slot->count))
    return;
  g_mutex_clear (&slot->mutex);
  g_free (slot->file);
  g_free (slot);
}

guint hl_recovery_slot_ticket (HlRecoverySlot *slot) {
  return atomic_load (&slot->serial);
}

char *hl_recovered_text (const HlDocument *document, const char *path) {
  g_autoptr (GString) out = g_string_new (NULL);
  const char *const keys[] = {"format", "version", "path", "model"};
  HlValue *const members[] = {hl_value_new_string (FORMAT), hl_value_new_number (1),
                              path != NULL ? hl_value_new_string (path) : hl_value_new_null (),
                              hl_value_ref (hl_document_root (document))};
  g_autoptr (HlValue) root = hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));

  hl_json_write (out, root);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

gboolean hl_recovery_slot_write (HlRecoverySlot *slot, guint ticket, const HlDocument *document,
                                 const char *path, GError **error) {
  g_autofree char *text = hl_recovered_text (document, path);
  gboolean ok = TRUE;

  g_mutex_lock (&slot->mutex);
  if (ticket == atomic_load (&slot->serial))
    ok = hl_file_save_text (slot->file, text, -1, error);
  g_mutex_unlock (&slot->mutex);
  return ok;
}

void hl_recovery_slot_clear (HlRecoverySlot *slot) {
  g_mutex_lock (&slot->mutex);
  atomic_fetch_add (&slot->serial, 1);
  g_unlink (slot->file);
  g_mutex_unlock (&slot->mutex);
}

/* --- dead sessions --- */

typedef struct {
  gatomicrefcount count;
  int lock;
  char *session;
} Claim;

static void claim_unref (Claim *claim) {
  if (!g_atomic_ref_count_dec (&claim->count))
    return;
  remove_empty_session (claim->session);
  close (claim->lock);
  g_free (claim->session);
  g_free (claim);
}

/* Claims a session; NULL: its process is running, or the folder is not a session. */
static Claim *claim_session (const char *session) {
  g_autofree char *lock_path = g_build_filename (session, LOCK_NAME, NULL);
  int lock = lock_file (lock_path, 0);

  if (lock < 0)
    return NULL;
  Claim *claim = g_new0 (Claim, 1);
  g_atomic_ref_count_init (&claim->count);
  claim->lock = lock;
  claim->session = g_strdup (session);
  return claim;
}

void hl_recovered_free (HlRecovered *recovered) {
  if (recovered == NULL)
    return;
  hl_document_unref (recovered->document);
  claim_unref (recovered->claim);
  g_free (recovered->path);
  g_free (recovered->file);
  g_free (recovered);
}

void hl_recovered_discard (HlRecovered *recovered) {
  g_unlink (recovered->file);
}

HlDocument *hl_recovered_parse (const char *text, gsize length, char **path) {
  g_autoptr (HlValue) root = hl_json_parse_around (text, length, NULL, NULL);
  const HlValue *model = hl_value_member (root, "model");

  if (g_strcmp0 (hl_value_string (hl_value_member (root, "format")), FORMAT) != 0 ||
      !hl_value_is_object (model))
    return NULL;
  *path = g_strdup (hl_value_string (hl_value_member (root, "path")));
  return hl_document_new (hl_value_ref (model));
}

static HlRecovered *read_one (const char *file, Claim *claim) {
  gsize length;
  g_autofree char *text = hl_file_read (file, HL_JSON_MAX_BYTES, NULL, NULL, &length, NULL);
  GStatBuf facts;

  if (text == NULL || g_stat (file, &facts) != 0)
    return NULL;
  HlRecovered *recovered = g_new0 (HlRecovered, 1);
  recovered->document = hl_recovered_parse (text, length, &recovered->path);
  if (recovered->document == NULL) {
    g_free (recovered);
    return NULL;
  }
  recovered->time_s = facts.st_mtime;
  recovered->file = g_strdup (file);
  recovered->claim = claim;
  g_atomic_ref_count_inc (&claim->count);
  return recovered;
}

/* Moves "1.recovered" of the session "123-x" to damaged/"123-x-1.recovered". If the move fails, the file
 * stays and is reported again. */
static void put_aside (const char *folder, const char *session, const char *file, GPtrArray *damaged) {
  g_autofree char *aside = g_build_filename (folder, DAMAGED, NULL);
  g_autofree char *session_name = g_path_get_basename (session);
  g_autofree char *file_name = g_path_get_basename (file);
  g_autofree char *name = g_strconcat (session_name, "-", file_name, NULL);
  g_autofree char *there = g_build_filename (aside, name, NULL);
  gboolean moved = g_mkdir_with_parents (aside, 0700) == 0 && g_rename (file, there) == 0;

  if (damaged != NULL)
    g_ptr_array_add (damaged, g_strdup (moved ? there : file));
}

static void read_session (const char *folder, const char *session, GPtrArray *found, GPtrArray *damaged) {
  Claim *claim = claim_session (session);
  g_autoptr (GDir) dir = claim != NULL ? g_dir_open (session, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ENDING))
      continue;
    g_autofree char *file = g_build_filename (session, name, NULL);
    HlRecovered *recovered = read_one (file, claim);
    if (recovered != NULL)
      g_ptr_array_add (found, recovered);
    else
      put_aside (folder, session, file, damaged);
  }
  if (claim != NULL)
    claim_unref (claim);
}

static int compare_newest_first (gconstpointer a, gconstpointer b) {
  const HlRecovered *one = *(HlRecovered *const *)a, *other = *(HlRecovered *const *)b;

  if (one->time_s != other->time_s)
    return one->time_s > other->time_s ? -1 : 1;
  return strcmp (one->file, other->file);
}

GPtrArray *hl_recovery_find (HlRecovery *recovery, GPtrArray *damaged) {
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_recovered_free);
  g_autoptr (GDir) dir = g_dir_open (recovery->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *session = g_build_filename (recovery->folder, name, NULL);
    if (name[0] != '.' && strcmp (name, recovery->name) != 0 && strcmp (name, DAMAGED) != 0)
      read_session (recovery->folder, session, found, damaged);
  }
  g_ptr_array_sort (found, compare_newest_first);
  return found;
}
