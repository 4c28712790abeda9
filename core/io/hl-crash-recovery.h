/* SPDX-License-Identifier: MIT */
/* Unsaved work that outlives a crash. Every running program has a session: a folder of its own with a locked
 * file. Every open document has a slot in it, one file that is replaced while the document has unsaved
 * changes and removed when it has none. The lock is released when its process ends in any way, so a session
 * whose lock is free has no process, and its files are offered for recovery. */
#pragma once

#include "core/document/hl-document.h"

/* --- the session of this process --- */

typedef struct _HlRecovery HlRecovery;

/* Begins a session below `folder`, which is made when it is missing (HL_ERROR_FILE). */
HlRecovery *hl_recovery_new (const char *folder, GError **error);
/* Ends it; its folder goes when no slot has a file. Slots may outlive it. */
void hl_recovery_free (HlRecovery *recovery);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecovery, hl_recovery_free)

/* --- the slot of one document --- */

typedef struct _HlRecoverySlot HlRecoverySlot;

/* Returns a slot without a file. Reference-counted; it keeps the session. */
HlRecoverySlot *hl_recovery_slot_new (HlRecovery *recovery);
HlRecoverySlot *hl_recovery_slot_ref (HlRecoverySlot *slot);
void hl_recovery_slot_unref (HlRecoverySlot *slot); /* leaves the file */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecoverySlot, hl_recovery_slot_unref)

/* Returns a ticket for a write, which may run in any thread. A ticket from before the last
 * hl_recovery_slot_clear is void: its write does nothing and succeeds. */
guint hl_recovery_slot_ticket (HlRecoverySlot *slot);
/* Writes a document to its slot; `path`: the document's file, NULL when it has none. */
gboolean hl_recovery_slot_write (HlRecoverySlot *slot, guint ticket, const HlDocument *document,
                                 const char *path, GError **error);
/* Removes the file of a document without unsaved changes. */
void hl_recovery_slot_clear (HlRecoverySlot *slot);

/* --- what a crash left behind --- */

typedef struct {
  HlDocument *document;
  char *path;    /* of the document's file; NULL: it had none */
  gint64 time_s; /* of the last write, since 1970 */
  /* private */
  char *file;
  gpointer claim; /* lock of the crashed session, held so that no other process offers the same */
} HlRecovered;

/* Returns the text of a recovery file: the document and where it belongs (NULL: nowhere). Owned by the
 * caller. */
char *hl_recovered_text (const HlDocument *document, const char *path);
/* Returns the document in the text of a recovery file, and where it belongs (*path, owned by the caller;
 * NULL: it had no file); NULL when it is no such text. */
HlDocument *hl_recovered_parse (const char *text, gsize length, char **path);
void hl_recovered_free (HlRecovered *recovered); /* leaves the file for the next start */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecovered, hl_recovered_free)
/* Removes the file: it was restored and written to another slot, or is not requested. */
void hl_recovered_discard (HlRecovered *recovered);

/* Returns the documents of ended sessions, newest first; HlRecovered, owned by the caller. Empty sessions are
 * removed. Unreadable files are moved to a separate folder, so that they are reported once and never lost;
 * their new paths are added to `damaged` (strings it frees; may be NULL). */
GPtrArray *hl_recovery_find (HlRecovery *recovery, GPtrArray *damaged);
