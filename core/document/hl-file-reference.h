/* SPDX-License-Identifier: MIT */
/* Files that a model names: a photograph, measured data, studies. A file in or below the model's folder is
 * written as a relative path, so that the folder can be moved as a whole; other files are written as absolute
 * paths.
 */
#pragma once

#include "core/document/hl-document.h"

/* Returns the path of the referenced file; `model_path` (NULL: not saved yet) is the model's. Owned by the
 * caller. */
char *hl_file_reference_path (const char *reference, const char *model_path);
/* Returns the reference to the file at `path` as written into a model: "bench.csv", "data/bench.csv", or
 * `path` itself if the model is not saved yet or the file is outside its folder. Owned by the caller. */
char *hl_file_reference_name (const char *path, const char *model_path);

/* Returns the document for a file at `to` when it was at `from` (NULL: no file yet): paths relative to `from` become
 * paths relative to `to`. NULL when nothing changes. */
HlDocument *hl_file_references_moved (const HlDocument *document, const char *from, const char *to);

/* Studies that belong to a model: "studies" of a model file, a list of objects with a "file"
 * as above. What is studied stands in that file (data/docs/studies.md). */

/* Returns the paths as the document has them, in file order; entries that name none are passed over.
 * NULL-terminated, free with g_strfreev. */
char **hl_studies_of_document (const HlDocument *document);

/* Returns an edit verb: the document with the study behind the others; the same one (a new reference) when it
 * is named already. Unknown members are kept. */
HlDocument *hl_edit_put_study (const HlDocument *document, const char *file);
/* Removes the entry of this file; the list is removed with its last entry. */
HlDocument *hl_edit_remove_study (const HlDocument *document, const char *file);

/* The photograph behind the linkage: "photograph" of a model file (data/docs/photograph.md). The
 * mathematics never reads it. */

typedef struct {
  char *file;     /* as written: relative to the model's folder, or absolute */
  double scale;   /* metres a pixel, > 0 */
  double at[2];   /* lower left corner, world [m] */
  double opacity; /* 0 to 1 */
  gboolean hidden;
} HlPhotograph;

/* Returns the photograph of a document, with defaults for absent members, or NULL if there is none or it
 * names no file. Owned by the caller. */
HlPhotograph *hl_photograph_of_document (const HlDocument *document);
HlPhotograph *hl_photograph_new (const char *file); /* 1 mm a pixel, at the origin, half covering */
void hl_photograph_free (HlPhotograph *photograph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPhotograph, hl_photograph_free)

/* Returns the copy of the document with it; NULL takes it away. Unknown members are kept. */
HlDocument *hl_photograph_put (const HlDocument *document, const HlPhotograph *photograph);

/* Makes the points a and b (world, as it lies now) `distance` metres apart; a stays where it is.
 * FALSE and HL_ERROR_USAGE when they are one point or the distance is not positive. */
gboolean hl_photograph_set_distance (HlPhotograph *photograph, const double a[2], const double b[2],
                                     double distance, GError **error);

/* Measured data that belong to a model: "measured" of a model file (data/docs/measured.md). Only
 * where the table lies and how it is read stands there; the mathematics never looks at it. */

/* A column of a table. Unused columns are not listed. */
typedef struct {
  int number; /* counted from 1 */
  char *name; /* its heading, NULL: it had none. Where it stands in another column, that one
                 is meant */
  gboolean is_time;
  char *trace; /* probe id or path; NULL for the time */
  char *unit;  /* plain name, "bar"; NULL: SI */
} HlMeasurementColumn;

typedef struct {
  char *file;         /* as written: see hl-file-reference.h */
  char separator;     /* of cells: ',' ';' '\t' or ' ' */
  char decimal;       /* '.' or ',' */
  double offset;      /* added to the time of the table [s] */
  GPtrArray *columns; /* HlMeasurementColumn */
  int index;          /* of its entry in the file; -1: it has none yet */
} HlMeasurement;

/* Returns a measurement of this table without columns, read as CSV with decimal points. Owned by the
 * caller. */
HlMeasurement *hl_measurement_new (const char *file);
void hl_measurement_free (HlMeasurement *measurement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMeasurement, hl_measurement_free)
/* Strings are copied. */
void hl_measurement_add_column (HlMeasurement *measurement, const HlMeasurementColumn *column);

/* Returns the HlMeasurement in file order, owned by the caller. Entries that name no file are passed over;
 * members that make no sense read as their defaults. */
GPtrArray *hl_measurements_of_document (const HlDocument *document);

/* Returns an edit verb: the document with it in the place of its entry, or behind the others (index -1).
 * Unknown members of an entry and of its columns are kept. */
HlDocument *hl_edit_put_measurement (const HlDocument *document, const HlMeasurement *measurement);
/* Removes an entry, and with the last one the list. */
HlDocument *hl_edit_remove_measurement (const HlDocument *document, int index);
