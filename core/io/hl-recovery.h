/* SPDX-License-Identifier: MIT */
/* Unsaved work that outlives a crash. Every running program has a session: a folder of its own with
 * a locked file. Every open document has a slot in it, one file that is replaced while the document
 * has unsaved changes and removed when it has none. The lock goes with its process however that
 * ends, so a session whose lock can be had belongs to nobody, and what lies in it is offered. */
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

/* A slot without a file. Reference-counted; it keeps the session. */
HlRecoverySlot *hl_recovery_slot_new (HlRecovery *recovery);
HlRecoverySlot *hl_recovery_slot_ref (HlRecoverySlot *slot);
void hl_recovery_slot_unref (HlRecoverySlot *slot); /* leaves the file */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecoverySlot, hl_recovery_slot_unref)

/* A write is asked for with a ticket and may be done by any thread. A ticket from before the last
 * hl_recovery_slot_clear is void: its write does nothing and succeeds. */
guint hl_recovery_slot_ticket (HlRecoverySlot *slot);
/* `path`: the document's file, NULL when it has none. */
gboolean hl_recovery_slot_write (HlRecoverySlot *slot, guint ticket, const HlDocument *document,
                                 const char *path, GError **error);
/* There are no unsaved changes: the file goes. */
void hl_recovery_slot_clear (HlRecoverySlot *slot);

/* --- what a crash left behind --- */

typedef struct {
  HlDocument *document;
  char *path;    /* of the document's file; NULL: it had none */
  gint64 time_s; /* of the last write, since 1970 */
  /* private */
  char *file;
  gpointer claim; /* the dead session's lock, held so that nobody else offers the same */
} HlRecovered;

/* The text of a recovery file: the document and where it belongs (NULL: nowhere). Owned by the
 * caller. */
char *hl_recovered_text (const HlDocument *document, const char *path);
/* The document in the text of a recovery file, and where it belongs (*path, owned by the caller;
 * NULL: it had no file); NULL when it is no such text. */
HlDocument *hl_recovered_parse (const char *text, gsize length, char **path);
void hl_recovered_free (HlRecovered *recovered); /* leaves the file for the next start */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecovered, hl_recovered_free)
/* Removes the file: it was restored and written to another slot, or is not wanted. */
void hl_recovered_discard (HlRecovered *recovered);

/* Everything of dead sessions, newest first; HlRecovered, owned by the caller. Empty sessions are
 * swept. Files that cannot be read are put aside into a folder of their own, so that they are told
 * of once and lost never: their paths there are added to `damaged` (strings it frees; may be NULL).
 */
GPtrArray *hl_recovery_find (HlRecovery *recovery, GPtrArray *damaged);
