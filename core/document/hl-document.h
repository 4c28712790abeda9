/* SPDX-License-Identifier: MIT */
/* HlDocument: an immutable snapshot of a model file with an index of its ids. A change makes a new document
 * that shares all unchanged parts. Documents may be wrong (unknown kinds, dangling references):
 * hl-document-check reports this, and no function here asserts it. A document may be shared between threads. */
#pragma once

#include "core/schema/hl-element-schema.h"
#include "core/base/hl-json-value.h"

typedef struct _HlDocument HlDocument;

HlDocument *hl_document_new (HlValue *root); /* takes root; anything but an object becomes an empty one */
HlDocument *hl_document_new_empty (void);    /* format, version and empty lists */
/* Add or remove a reference. A document is immutable and reference-counted: every change makes a new one. */
HlDocument *hl_document_ref (const HlDocument *document);
void hl_document_unref (HlDocument *document);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlDocument, hl_document_unref)

/* Returns the root object of the file; borrowed. */
const HlValue *hl_document_root (const HlDocument *document);
/* Returns whether both hold the same: types, order of members, and every number to the bit. */
gboolean hl_document_equal (const HlDocument *a, const HlDocument *b);
const char *hl_document_name (const HlDocument *document); /* "" when absent */
/* Returns a name or a description for display: those of the examples, which are English in their files, in the language
 * of the program, all others unchanged. Borrowed; NULL for NULL. */
const char *hl_document_shown_text (const char *text);

/* Returns the number of elements of a section in file order. Also for the lists without ids (parameter sets,
 * sliders, plots). */
int hl_document_n_elements (const HlDocument *document, HlSection section);
const HlValue *hl_document_element (const HlDocument *document, HlSection section, int index);
const char *hl_document_element_id (const HlDocument *document, HlSection section,
                                    int index); /* "" when missing */
const char *hl_document_element_kind_name (const HlDocument *document, HlSection section,
                                           int index); /* NULL: none */
const HlKind *hl_document_element_kind (const HlDocument *document, HlSection section,
                                        int index); /* NULL: unknown */

/* Finds an element by its id; the first one if the id occurs twice. Returns the element or NULL. *section and
 * *index (both optional): its place in the file. */
const HlValue *hl_document_find (const HlDocument *document, const char *id, HlSection *section, int *index);

/* Returns a single object of the file ("fluid", "ground", ...), for MODEL the root; NULL when absent. Its
 * kind never is NULL. */
const HlValue *hl_document_object (const HlDocument *document, HlSection section);
double hl_document_object_number (const HlDocument *document, HlSection section, const char *field);
const char *hl_document_object_text (const HlDocument *document, HlSection section, const char *field);
void hl_document_gravity (const HlDocument *document, double gravity[2]); /* m/s2, default [0, -9.81] */

/* Returns the number of named points of a body (index) or of the ground (-1); the next functions return them,
 * in file order. */
int hl_document_n_points (const HlDocument *document, int body);
const char *hl_document_point_name (const HlDocument *document, int body, int point);
gboolean hl_document_point_xy (const HlDocument *document, int body, int point, double xy[2]);

/* Resolves "BODY.POINT": *body is the body's index or -1 for the ground, xy the point in the body's frame.
 * Fails, as the next two functions do, with the unknown name. */
gboolean hl_document_resolve_point (const HlDocument *document, const char *text, int *body, double xy[2],
                                    GError **error);
/* Resolves a body id or "ground". */
gboolean hl_document_resolve_body (const HlDocument *document, const char *text, int *body, GError **error);
/* Resolves "COMPONENT.PORT": *component is its index, *port that of the port in its kind. */
gboolean hl_document_resolve_port (const HlDocument *document, const char *text, int *component, int *port,
                                   GError **error);
/* Returns the line that holds a port ("dcv.A"); -1 when it is plugged. */
int hl_document_line_of_port (const HlDocument *document, const char *port);

/* Returns the oil of a document, defaults where it states none; NULL: that of an empty one. */
HlFluid hl_fluid_read (const HlDocument *document);

/* --- numbers by path: see hl-quantity-path.h for what a path may be --- */

/* Gets a number: *value in SI, the default if the file states none; *unit (optional) is the SI unit's name.
 * Fails for an unknown path (the message names the nearest ones), for one that only a run has ("cyl.force")
 * and for a signal that is not constant. */
gboolean hl_document_get_number (const HlDocument *document, const char *path, double *value,
                                 const char **unit, GError **error);
/* Returns the copy with one number changed; inserts what stood there only by default. Checks finiteness
 * and the schema's range; an error says which does not hold, or as hl_document_get_number (). */
HlDocument *hl_document_with_number (const HlDocument *document, const char *path, double value,
                                     GError **error);
/* Returns whether the number may stand there; `typed`, the number as a person wrote it with its unit, or
 * NULL, is how an error quotes it: "-500 bar". */
gboolean hl_document_accepts (const HlDocument *document, const char *path, double value, const char *typed,
                              GError **error);
/* Returns every settable path and every probe path, sorted by element; for completion and suggestions. Free
 * with g_strfreev. */
char **hl_document_list_paths (const HlDocument *document, gboolean settable_only);

/* --- parameter sets --- */

/* Returns the number of parameter sets of the file; the next functions find them by index and by name; names
 * are borrowed. */
int hl_document_n_sets (const HlDocument *document);
const char *hl_document_set_name (const HlDocument *document, int set);
int hl_document_find_set (const HlDocument *document, const char *name); /* -1 = none */
/* Returns the document with every path of the set at its value. NULL and an error when there is no such
 * set, or naming the path that cannot take its value. A new reference. */
HlDocument *hl_document_apply_set (const HlDocument *document, const char *name, GError **error);
/* Returns the copy with a set of that name (replaced when it exists) holding the present values of the paths.
 */
HlDocument *hl_document_with_set (const HlDocument *document, const char *name, const char *const *paths,
                                  GError **error);

/* --- what is shown --- */

typedef struct {
  const char *path; /* borrowed from the document */
  double from, to;  /* SI */
  gboolean log;
} HlSlider;
/* Returns the number of sliders of the file, in its order. FALSE leaves *slider untouched. */
int hl_document_n_sliders (const HlDocument *document);
gboolean hl_document_slider (const HlDocument *document, int index, HlSlider *slider); /* FALSE: malformed */

typedef struct {
  const char *id;
  const char *of;    /* path */
  const char *label; /* the id when there is none */
  gboolean relative; /* minus its value at t = 0 */
} HlProbe;
/* Probes of the file, in its order. FALSE leaves *probe untouched. */
int hl_document_n_probes (const HlDocument *document);
gboolean hl_document_probe (const HlDocument *document, int index, HlProbe *probe); /* FALSE: malformed */
/* Returns what a run records and what analyses and plots offer: the probes of the file in file order; if
 * there are none, the paths in the plots; if there are no plots either, the poses of bodies, the pressures of
 * lines, and the forces of cylinders (torques of vane actuators). A path is its own id and label. FALSE:
 * malformed, or the document has no such path. */
int hl_document_n_recorded (const HlDocument *document);
gboolean hl_document_recorded (const HlDocument *document, int index, HlProbe *probe);

/* Returns the number of paths that equilibrium.hold names; the next function returns them, in file order;
 * borrowed. */
int hl_document_n_held (const HlDocument *document);
const char *hl_document_held (const HlDocument *document, int index);
