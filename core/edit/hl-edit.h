/* SPDX-License-Identifier: MIT */
/* Edits of a document: every change is made by one of these functions. Each takes a document and returns a
 * new one, or NULL with an error that gives the reason. No edit leaves a dangling reference: references to a
 * removed element are removed with it. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-model-findings.h"
#include "core/schema/hl-element-references.h"

/* --- elements --- */

/* Returns the free id made from a stem: "valve1", "valve2" ... Owned by the caller. */
char *hl_edit_fresh_id (const HlDocument *document, const char *stem);
/* Adds an element. `kind` is NULL in sections without kinds; `members` (taken, may be NULL) are its
 * properties; a free "id" among them is kept, else a fresh one is given. *id (optional) is the id,
 * owned by the caller. */
HlDocument *hl_edit_add (const HlDocument *document, HlSection section, const char *kind, HlValue *members,
                         char **id, GError **error);
/* Removes elements (NULL-terminated ids) and everything that depends on them: joints and loads on a removed
 * body, ports in lines, lines without ports, probes, sliders, held paths, values of sets, layout. A cylinder
 * on a removed body stays, without its end point there. */
HlDocument *hl_edit_remove (const HlDocument *document, const char *const *ids, GError **error);
/* Renames; every reference follows. */
HlDocument *hl_edit_rename (const HlDocument *document, const char *id, const char *new_id, GError **error);

/* Sets a member of an element, or of "fluid", "simulation", "equilibrium", "ground", "model", by
 * its dotted field name. The value is taken; NULL removes the member (back to the default). Ids and
 * kinds are not set here. */
HlDocument *hl_edit_set (const HlDocument *document, const char *id, const char *field, HlValue *value,
                         GError **error);

/* Sets every required number that the element lacks to the default of a new element: after a choice that requires more
 * numbers, such as a friction law. */
HlDocument *hl_edit_complete (const HlDocument *document, const char *id, GError **error);

/* --- entries of lists without ids (sliders, parameter sets, plots), and the order of any list ---
 */

/* Insert, replace or remove an entry of a list without ids (plots, sliders, probes ...), by index. `entry` is
 * taken, also on failure. A new reference; NULL and an error if the list has no such place. */
HlDocument *hl_edit_insert_entry (const HlDocument *document, HlSection section, int index, HlValue *entry,
                                  GError **error);
HlDocument *hl_edit_replace_entry (const HlDocument *document, HlSection section, int index, HlValue *entry,
                                   GError **error);
HlDocument *hl_edit_remove_entry (const HlDocument *document, HlSection section, int index, GError **error);

/* --- points of a body or of "ground" --- */

/* Adds the point or moves it in its body's frame. */
HlDocument *hl_edit_set_point (const HlDocument *document, const char *body, const char *point,
                               const double xy[2], GError **error);
char *hl_edit_fresh_point (const HlDocument *document, const char *body,
                           const char *stem); /* "A", then "A1"; owned */
HlDocument *hl_edit_rename_point (const HlDocument *document, const char *body, const char *point,
                                  const char *new_name, GError **error);
/* Removes a point with its joints and loads; a cylinder loses the reference. */
HlDocument *hl_edit_remove_point (const HlDocument *document, const char *body, const char *point,
                                  GError **error);

/* --- circuit --- */

/* Results of a connection that is previewed before the button is released. */
typedef enum {
  HL_CONNECT_NOTHING, /* both on one line already */
  HL_CONNECT_NEW,     /* a new line of two ports */
  HL_CONNECT_EXTEND,  /* a free port joins a line */
  HL_CONNECT_MERGE    /* two lines become one */
} HlConnect;

/* Returns the result of a connection without making it. `a` and `b` are each a port, "dcv.A", or the id of a
 * line. `line` and `other` (optional, owned by the caller) receive the line that remains (NULL for a new one)
 * and the line that is removed (NULL unless two lines merge). */
HlConnect hl_edit_what_connects (const HlDocument *document, const char *a, const char *b, char **line,
                                 char **other);
/* Connects. Two lines merge into the one with more hose volume (then more ports, then the first in
 * the file), which keeps its id, wall and pressure; the volumes are added; paths to the other line
 * go. */
HlDocument *hl_edit_connect (const HlDocument *document, const char *a, const char *b, GError **error);
/* Connects as a drawn line does: a line that is new gets the volume of a hose (1 m of a bore of 12 mm) as its
 * property, whatever its length on paper. Of `a` and `b`, both ports or lines, one may be NULL: the line has one
 * port then, and ends in the open. */
HlDocument *hl_edit_draw_line (const HlDocument *document, const char *a, const char *b, GError **error);
/* Unplugs a port; a line left without ports goes. */
HlDocument *hl_edit_disconnect (const HlDocument *document, const char *port, GError **error);
/* Cuts a line: the ports given (NULL-terminated) go to a new line. Hose data, id and pressure stay
 * with the part that has more ports (the rest at a tie); the other starts with the same pressure
 * and wall and no hose volume. *new_id: owned by the caller. */
HlDocument *hl_edit_split (const HlDocument *document, const char *line, const char *const *ports,
                           char **new_id, GError **error);

/* --- drawing --- */

/* Sets layout.VIEW.ID to place (taken; NULL removes); without an ID all places of the view at once. VIEW is
 * "circuit" or "linkage"; the views define the content of a place. */
HlDocument *hl_edit_set_layout (const HlDocument *document, const char *view, const char *id, HlValue *place,
                                GError **error);
const HlValue *hl_document_layout (const HlDocument *document, const char *view,
                                   const char *id); /* NULL: none */

/* --- copy and paste --- */

/* Returns a fragment: an object with the sections' lists and the layout of the elements named; lines keep
 * only ports that come along, points on bodies that do not come along stay as they are, and the
 * parameters that its numbers rest on come along. Owned by the caller. */
HlValue *hl_edit_copy (const HlDocument *document, const char *const *ids);
/* Adds a fragment under fresh ids where taken, references inside it following; references to what
 * is not there are let go. Parameters that the document lacks are added; a formula with a name that
 * means something else here becomes the number that it was. *new_ids (optional): NULL-terminated, free with g_strfreev. */
HlDocument *hl_edit_paste (const HlDocument *document, const HlValue *fragment, char ***new_ids,
                           GError **error);

/* --- one number, from beside the drawing --- */

/* Returns whether equilibrium.hold accepts a path: coordinates of bodies, pressures of lines and spools. */
gboolean hl_edit_can_hold (const HlDocument *document, const char *path);
gboolean hl_document_is_held (const HlDocument *document, const char *path);
HlDocument *hl_edit_toggle_hold (const HlDocument *document, const char *path, GError **error);

/* Gets in *value the value after a reset of a path (SI), NAN for "not stated"; FALSE: it has no default. */
gboolean hl_edit_default_number (const HlDocument *document, const char *path, double *value);
HlDocument *hl_edit_reset_number (const HlDocument *document, const char *path, GError **error);
/* Puts a number into the parameter set of that name, which is made if it does not exist. */
HlDocument *hl_edit_put_in_set (const HlDocument *document, const char *set, const char *path, double value,
                                GError **error);
/* Sees to a probe of the path and to a plot that shows it, beside its like. *id (optional, owned):
 * the probe. The same document when both are there already. */
HlDocument *hl_edit_plot_path (const HlDocument *document, const char *path, char **id, GError **error);

/* --- signals --- */

/* Makes the signal at a dotted place of an element ("command", "command.of.1") a "constant",
 * "table", "sine", "lever" or "sum"; it begins with the value it began with. A sum has the signal
 * itself as its first term and 0 as its second. A block ("gain", "filter" ...) works on the signal,
 * unless it measures ("sensor", "pid"); "inner" takes a block off what it works on. */
HlDocument *hl_edit_signal_kind (const HlDocument *document, const char *id, const char *where,
                                 const char *kind, GError **error);
/* Returns the input signal of a block, or NULL. Borrowed. */
const HlValue *hl_edit_inner_signal (const HlValue *signal);
/* Returns a new last term, 0, of a sum; another signal becomes a sum. */
HlDocument *hl_edit_add_term (const HlDocument *document, const char *id, const char *where, GError **error);
/* Returns the term at "command.of.1" goes; the last one left stays. */
HlDocument *hl_edit_remove_term (const HlDocument *document, const char *id, const char *where,
                                 GError **error);
/* Moves a term by so many places towards the end. */
HlDocument *hl_edit_move_term (const HlDocument *document, const char *id, const char *where, int by,
                               GError **error);
/* Returns a table as one writes it: "0 0; 1 250; 1.5 250; 1.5 0", times in seconds, values in a unit (which
 * may be written too). Owned by the caller. */
char *hl_edit_format_table (const HlValue *signal, const HlUnit *unit);
/* Parses such a text as a signal, with the other members of `old` (may be NULL). A number may be a formula of
 * the document, without blanks for a time; a formula of `old` is shown by its value and stays if the value is
 * unchanged. NULL and an error that quotes the row. */
HlValue *hl_edit_parse_table (const HlDocument *document, const char *text, const HlValue *old,
                              const HlUnit *unit, GError **error);

/* --- mends --- */

/* Models the oil as "lumped", "hybrid" or "quasistatic". The formulation of one model is none of
 * another: it goes back to the new model's first one. */
HlDocument *hl_edit_set_oil (const HlDocument *document, const char *model, GError **error);
HlDocument *hl_edit_apply_fix (const HlDocument *document, const HlFix *fix, GError **error);

/* The edit verbs of named parameters, and sliders whose numbers are no numbers any more. */

/* Adds a parameter, or gives it another text: a number in SI units, one with its unit, a formula.
 * Fails when it would have no value or something that rests on it would lose its own. */
HlDocument *hl_edit_set_parameter (const HlDocument *document, const char *name, const char *text,
                                   GError **error);
/* Renames; formulas, sliders, sets and probes follow. */
HlDocument *hl_edit_rename_parameter (const HlDocument *document, const char *name, const char *new_name,
                                      GError **error);
/* Removes one that no formula uses, with its sliders and values in sets; the error names the users. */
HlDocument *hl_edit_remove_parameter (const HlDocument *document, const char *name, GError **error);

/* Returns whether a slider moves a number of the document, upwards from one end to the other. */
gboolean hl_edit_slider_acts (const HlDocument *document, const HlSlider *slider);
/* Returns the document without the sliders that act in `before` and not in it, because their number has
 * become a table, say; takes the document, and returns it unchanged when there is no such slider. */
HlDocument *hl_edit_drop_sliders (const HlDocument *before, HlDocument *document);

/* Declarations shared by hl-edit*.c. */

/* Replaces one element (taken) in a document. */
HlDocument *hl_edit_with_element (const HlDocument *document, HlSection section, int index, HlValue *element);
/* Refuses an id that is ill-formed, reserved or taken. */
gboolean hl_edit_id_is_free (const HlDocument *document, const char *id, GError **error);
