/* SPDX-License-Identifier: MIT */
/* Opaque structs of the public library (hydrolink.h). Only core/api includes this header. */
#pragma once

#include <stdatomic.h>

#include "core/api/hl-api-internal.h"
#include "core/base/hl-error.h"
#include "core/document/hl-document.h"
#include "core/system/hl-observable.h"

struct HydrolinkModel {
  HlDocument *document;
  HlSystem *system;               /* of the document; NULL: to be compiled */
  HlWork *work;                   /* of the system; NULL: to be made */
  bool is_lent;                   /* another owner holds the system too: it must not change any more */
  char **paths;                   /* every number that can be set; NULL: to be listed */
  atomic_bool is_stopped;         /* the caller cancels the run that continues */
  int n_under_way;                /* computations under way, nested */
  bool (*is_enough) (void *data); /* or NULL */
  void *is_enough_data;
};

struct HlApiNotes {
  GPtrArray *texts;     /* owned */
  GArray *are_warnings; /* bool */
  GString *joined;      /* one line each */
};

struct HydrolinkState {
  HlDocument *document;
  HlSystem *system;
  HlPoint *point;
  HlWork *work;    /* of what is read off; NULL: nothing yet */
  double residual; /* of a state of rest, else NAN */
  HlApiNotes notes;
};

/* Sets the error that the caller gets and takes the text. Returns 0. */
int hl_api_say (HlErrorCode code, char *text, char **error);
int hl_api_fail (GError *why, char **error); /* takes the error, which may be NULL */
#define HL_API_NUMBER 40

/* Initializes an empty list, in the caller's storage. */
void hl_api_notes_init (HlApiNotes *notes);
void hl_api_notes_clear (HlApiNotes *notes);
/* Adds the lines whose oil would be under tension. */
void hl_api_notes_add_oil (HlApiNotes *notes, const HlSystem *sys, const HlCavitations *cavitations);
/* Adds that the run is repeated with that method, "rows these are". */
void hl_api_notes_add_again (HlApiNotes *notes, HlMethod method, double gave_up_at, const char *what);

/* Gives the model another document, which it takes; NULL: fails with `why`. */
int hl_api_replace_document (HydrolinkModel *model, HlDocument *changed, GError *why, char **error);
/* Returns the document with the oil of that name; NULL: there is none of it, or it is the oil of the
 * document. */
HlDocument *hl_api_document_with_oil (const HydrolinkModel *model, const char *oil);
/* Returns the compiled machine; NULL and *error when it has none. Borrowed. */
const HlSystem *hl_api_system (HydrolinkModel *model, char **error);
/* Returns the work of the compiled machine. Borrowed. */
HlWork *hl_api_work (HydrolinkModel *model);
/* Begins and ends a computation. A new computation clears an earlier stop, unless a row callback of another
 * computation starts it: a stop then applies to both. The third function is the cancel callback. */
void hl_api_begin (HydrolinkModel *model);
void hl_api_end (HydrolinkModel *model);
bool hl_api_is_stopped (void *model);
/* Sets the error from a fault of the compiled machine. Returns 0. */
int hl_api_fail_by_fault (const HydrolinkModel *model, const HlFault *fault, char **error);
