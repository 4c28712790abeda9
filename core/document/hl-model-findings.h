/* SPDX-License-Identifier: MIT */
/* Findings: the problems of a model, their places, and their corrections. Filled by hl-document-check
 * (structure) and by the compile step (mathematics); shown by `validate`, the problems list and the canvas. */
#pragma once

#include "core/base/hl-json-value.h"

typedef enum {
  HL_SEVERITY_ERROR,   /* cannot be computed */
  HL_SEVERITY_WARNING, /* can be computed, but look */
  HL_SEVERITY_INFO
} HlSeverity;

/* Computations that an error prevents. */
typedef enum {
  HL_BARS_ALL, /* there is no system to compute with */
  HL_BARS_OIL, /* all that uses the oil model of the file; the other oils can do */
  HL_BARS_RUN  /* runs in that oil alone */
} HlBars;

typedef enum {
  HL_FIX_NONE,
  HL_FIX_SET_NUMBER, /* path, value */
  HL_FIX_REMOVE,     /* the element `path` */
  HL_FIX_UNPLUG,     /* the port `path` from line `target` */
  HL_FIX_DROP_ENTRY, /* the probe, slider, held path or value that names `path`, in `target` */
  HL_FIX_SET_AT,     /* json at the place `path` of the file: "lines.2.volume" */
  HL_FIX_DROP_AT,    /* the member or entry at the place `path` of the file */
  HL_FIX_ADD_LINE,   /* a line of the volume `value` on the port `path` */
  HL_FIX_PLUG,       /* a plug on a line of its own on the port `path` */
  HL_FIX_RELIEVE,    /* a relief valve with a tank on the line `path` */
  HL_FIX_PIN,        /* a ground pivot at the first point of the body `path` */
  HL_FIX_OIL         /* the oil model `target`, in its first formulation */
} HlFixType;

/* A mend that needs no thought, done by hl_edit_apply_fix as one undo step. */
typedef struct {
  HlFixType type;
  char *label; /* "Give the line a volume of 50 cm³" */
  char *path;
  char *target;
  double value;
  HlValue *json;
} HlFix;

typedef struct {
  HlSeverity severity;
  HlBars bars;   /* of an error */
  char *id;      /* element to select; "" for the file as a whole */
  char *path;    /* ELEMENT.PROPERTY, or a place in the file: "bodies[2].id" */
  char *message; /* the problem */
  char *advice;  /* the remedy */
  HlFix fix;
} HlFinding;

typedef struct _HlFindings HlFindings;

/* Returns an empty list of findings; owned by the caller. */
HlFindings *hl_findings_new (void);
void hl_findings_free (HlFindings *findings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFindings, hl_findings_free)

int hl_findings_n (const HlFindings *findings);
/* Returns a finding by its index from 0 (borrowed), and the number of findings of one severity. */
const HlFinding *hl_findings_get (const HlFindings *findings, int index);
int hl_findings_count (const HlFindings *findings, HlSeverity severity);
/* Takes one out of the list and frees it. */
void hl_findings_remove (HlFindings *findings, HlFinding *finding);
HlFinding *hl_findings_last (HlFindings *findings);                    /* NULL = none; borrowed */
const HlFinding *hl_findings_first_error (const HlFindings *findings); /* NULL = none */

/* Returns the first error that stands in the way of at least as much as that; NULL = none. */
const HlFinding *hl_findings_first_barrier (const HlFindings *findings, HlBars bars);
/* Limits the severity of errors from number `first` on to these computations. */
void hl_findings_limit_bars (HlFindings *findings, int first, HlBars bars);

/* Adds a finding; `id` and `path` may be NULL. The message is printf-like, the advice plain. The
 * finding returned is borrowed and may be given a fix with hl_finding_set_fix, which keeps it. */
HlFinding *hl_findings_add (HlFindings *findings, HlSeverity severity, const char *id, const char *path,
                            const char *advice, const char *message, ...) G_GNUC_PRINTF (6, 7);
void hl_finding_set_fix (HlFinding *finding, HlFixType type, const char *label, const char *path,
                         const char *target, double value);
/* Sets a fix: HL_FIX_SET_AT with a json (taken), HL_FIX_DROP_AT with NULL; `where` is dotted. */
void hl_finding_set_place_fix (HlFinding *finding, const char *label, const char *where, HlValue *json);

/* Returns a message or an advice as a sentence of its own: a capital first unless that is a name, a full
 * stop last. Owned by the caller. */
char *hl_finding_sentence (const char *text);
/* Returns "PATH: problem; remedy"; owned by the caller. */
char *hl_finding_format (const HlFinding *finding);
