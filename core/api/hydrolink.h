/* SPDX-License-Identifier: MIT */
/* libhydrolink: models of hydraulically actuated linkages, read, changed and computed by other programs.
 *
 * Numbers are in SI. Matrices are column-major. Texts are UTF-8.
 *
 * A function that fails returns NULL or FALSE (0). If `error` is not NULL, *error receives a sentence that
 * names the element and the reason, and mostly the remedy; free it with hydrolink_free (). `error` is left
 * alone otherwise. A "borrowed" result is valid until the object that returned it is changed or closed.
 *
 * Models share nothing: several threads may work at once, each with its own objects. While one thread
 * computes with a model, another thread may call hydrolink_stop () only. A model and the objects made from it
 * may be closed in any order. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HydrolinkModel HydrolinkModel;   /* a drawing, its numbers and the compiled machine */
typedef struct HydrolinkState HydrolinkState;   /* poses, speeds and pressures at one time */
typedef struct HydrolinkLinear HydrolinkLinear; /* z' = A z + B w, y = y0 + C z + D w */
typedef struct HydrolinkRun HydrolinkRun;       /* rows over time */

/* Returns the version of the library, "0.1.0". */
const char *hydrolink_version (void);
/* Frees a text that the library returned; NULL is allowed. */
void hydrolink_free (char *text);

/* --- models --- */

/* Reads a model file. It may be wrong: what computes says why then, see hydrolink_check (). */
HydrolinkModel *hydrolink_open (const char *path, char **error);
/* Returns the text of a model file. What it refers to is looked for in the working folder. */
HydrolinkModel *hydrolink_parse (const char *text, char **error);
/* Returns a copy of the model with the same numbers. NULL is not allowed. */
HydrolinkModel *hydrolink_copy (const HydrolinkModel *model);
/* Frees a model; NULL is allowed. */
void hydrolink_close (HydrolinkModel *model);
int hydrolink_save (const HydrolinkModel *model, const char *path, char **error);
/* Returns the model as the text of its file; free with hydrolink_free (). */
char *hydrolink_to_text (const HydrolinkModel *model);
/* Returns the name of the model, "" if the file states none. Borrowed. */
const char *hydrolink_name (const HydrolinkModel *model);

/* Problems of the model, one line each, those that bar every run first; "" when there is none.
 * *n_errors, which may be NULL: how many bar. hydrolink_free (). */
char *hydrolink_check (HydrolinkModel *model, int *n_errors);

/* Stops the run or the search for a state that the model is computing. May be called from another thread or
 * from a signal handler. The run keeps its rows up to then, and hydrolink_run_error () reports the stop; the
 * search fails. Later runs and searches are not affected. */
void hydrolink_stop (HydrolinkModel *model);

/* --- numbers, by path: "cyl.friction.Fc" --- */

/* Returns the number of numbers that can be set; the next functions return their paths in the order of the
 * file and their SI units, NULL beyond the last one. Borrowed. */
int hydrolink_n_paths (HydrolinkModel *model);
const char *hydrolink_path (HydrolinkModel *model, int index);
/* Returns the SI unit of a path; NULL for an unknown path. Borrowed from the library. */
const char *hydrolink_unit (const HydrolinkModel *model, const char *path);
int hydrolink_get (const HydrolinkModel *model, const char *path, double *value, char **error);
int hydrolink_set (HydrolinkModel *model, const char *path, double value, char **error);
/* Returns a number with a unit or a formula: "80 mm", "bore / 2". */
int hydrolink_set_text (HydrolinkModel *model, const char *path, const char *text, char **error);
/* Returns the parameter sets of the file; name: borrowed, NULL beyond the last one. */
int hydrolink_n_sets (const HydrolinkModel *model);
const char *hydrolink_set_name (const HydrolinkModel *model, int index);
int hydrolink_apply_set (HydrolinkModel *model, const char *name, char **error);
/* Returns the numbers of a parameter file, .ssv. */
int hydrolink_apply_file (HydrolinkModel *model, const char *path, char **error);

/* --- building and changing the drawing ---
 *
 * Every change is checked as in the window; one that would leave an error in its element (an unknown kind, property,
 * point or port, a missing or impossible number) is refused with a sentence and leaves the model as it was. What only
 * the whole machine shows, such as a line without oil volume, hydrolink_check () reports. */

/* Returns an empty model. */
HydrolinkModel *hydrolink_new (void);
/* Adds an entry to a list of the file: "bodies", "joints", "loads", "components", "lines", "probes",
 * "parameter_sets", "sliders" or "plots". members: a JSON object as in the file; without an "id" the element gets a
 * free one. Returns the id, "" in the last three lists; hydrolink_free (). */
char *hydrolink_add (HydrolinkModel *model, const char *list, const char *members, char **error);
/* Returns the number of kinds of a list ("joints", "loads", "components"); the next function returns their
 * names, "cylinder"; NULL beyond the last one. Borrowed. */
int hydrolink_n_kinds (const char *list);
const char *hydrolink_kind (const char *list, int index);
/* Removes an element and all that depends on it: joints and loads on a body, ports in lines, probes, sliders. */
int hydrolink_remove (HydrolinkModel *model, const char *id, char **error);
/* Renames an element and every reference to it. */
int hydrolink_rename (HydrolinkModel *model, const char *id, const char *new_id, char **error);
/* Sets a member, by its dotted name, of an element or of "fluid", "simulation", "equilibrium", "ground" or "model" (the
 * file as a whole), or a named parameter of "parameters", to a JSON value; NULL removes it. */
int hydrolink_change (HydrolinkModel *model, const char *id, const char *property, const char *value,
                      char **error);
/* Connects two ports ("cyl.A") or lines, as drawing a line between them does. Returns the id of the line; hydrolink_free (). */
char *hydrolink_connect (HydrolinkModel *model, const char *a, const char *b, char **error);
/* Takes a port off its line; a line without ports goes. */
int hydrolink_disconnect (HydrolinkModel *model, const char *port, char **error);

/* --- states --- */

typedef enum {
  HYDROLINK_AT_START,       /* where a run of the file begins */
  HYDROLINK_AT_GIVEN,       /* as the file states it, made to fit its joints */
  HYDROLINK_AT_EQUILIBRIUM, /* at rest */
  HYDROLINK_AT_TIME         /* where a run is at `time` */
} HydrolinkPlace;

/* Computes a state. `time` [s], finite, is used for HYDROLINK_AT_TIME only. */
HydrolinkState *hydrolink_state (HydrolinkModel *model, HydrolinkPlace place, double time, char **error);
void hydrolink_state_free (HydrolinkState *state);
/* Gets the value of an observable, "link2.angle", "A.pressure" or "cyl.force", in SI units. The value is NAN
 * for quantities that only a run accumulates, such as energies. */
int hydrolink_state_get (const HydrolinkState *state, const char *path, double *value, char **error);

/* Returns the warnings about the state (such as a line whose oil would be under tension), one per line, or
 * "". Borrowed. */
const char *hydrolink_state_notes (const HydrolinkState *state);

/* --- linear models: exact, about a state of the lumped oil --- */

HydrolinkLinear *hydrolink_linearize (HydrolinkModel *model, HydrolinkPlace place, double time, char **error);
void hydrolink_linear_free (HydrolinkLinear *linear);
/* Kinds of rows and columns of the linearized model. */
typedef enum {
  HYDROLINK_STATES,
  HYDROLINK_INPUTS,      /* signals */
  HYDROLINK_OUTPUTS,     /* probes of the file */
  HYDROLINK_DISTURBANCES /* other external inputs: the pressures of pumps */
} HydrolinkAxis;
int hydrolink_linear_n (const HydrolinkLinear *linear, HydrolinkAxis axis);
/* Returns the name of a row or column; NULL beyond the last one. Borrowed. */
const char *hydrolink_linear_name (const HydrolinkLinear *linear, HydrolinkAxis axis, int index);
const char *hydrolink_linear_unit (const HydrolinkLinear *linear, HydrolinkAxis axis, int index);
/* Returns the point that the model is about: what stands on that axis there, hydrolink_linear_n () numbers.
 * Borrowed. */
const double *hydrolink_linear_point (const HydrolinkLinear *linear, HydrolinkAxis axis);
/* Returns the matrix 'A' (n states x n states), 'B' (x inputs), 'E' (x disturbances), 'C' (outputs x states),
 * 'D' (outputs x inputs) or 'F' (outputs x disturbances), column by column; E stands right behind B, and F
 * behind D. NAN in rows of outputs that have no tangent. Borrowed; NULL for another letter. */
const double *hydrolink_linear_matrix (const HydrolinkLinear *linear, char letter);
/* Computes the eigenvalues of A, n states, by descending real part; is_null[i], which may be NULL: whether it
 * is zero by the structure of the machine (trapped oil, a free pose). */
void hydrolink_linear_eigenvalues (const HydrolinkLinear *linear, double re[], double im[], int is_null[]);

/* Saves the linear model with names, units and the point, to FILE.json, .csv, .mat, .m (MATLAB, Octave) or
 * .py. */
int hydrolink_linear_save (const HydrolinkLinear *linear, const char *path, char **error);

/* --- runs --- */

typedef struct {
  double t_end, every, rtol; /* [s], [s], 1, within what a file may state; 0: as the file says */
  const char *oil;           /* "lumped", "hybrid", "quasistatic"; NULL: as the file says */
  const char *integrator;    /* "bdf", "radau"; NULL: as the file says */
  /* Called with every row, n numbers: time, then the columns. 0 stops the run. NULL removes the callback. A run that
   * begins again with the other integrator starts at its first row again. */
  int (*row) (const double *values, int n, void *data);
  void *data;
  int is_streamed; /* not 0: rows are not kept */
} HydrolinkRunOptions;

/* Simulates the model; with options NULL as the file states. A run that stops early has its rows up to that
 * time, and hydrolink_run_error () returns the reason; NULL and *error when it could not begin. */
HydrolinkRun *hydrolink_simulate (HydrolinkModel *model, const HydrolinkRunOptions *options, char **error);
void hydrolink_run_free (HydrolinkRun *run);
/* Returns the message of the error that stopped the run early, or NULL if the run reached its end or `row`
 * stopped it. Borrowed. */
const char *hydrolink_run_error (const HydrolinkRun *run);
/* Returns remarks about the run, one per line: vapour in a line, a parameter for which the proposed value was
 * used. "" if there are none. Borrowed. */
const char *hydrolink_run_notes (const HydrolinkRun *run);
int hydrolink_run_n_rows (const HydrolinkRun *run);
/* Returns the number of columns, including the time, which is column 0, "t". */
int hydrolink_run_n_columns (const HydrolinkRun *run);
/* Returns the id of the probe, and its SI unit; borrowed, NULL beyond the last one. */
const char *hydrolink_run_column_name (const HydrolinkRun *run, int column);
const char *hydrolink_run_column_unit (const HydrolinkRun *run, int column);
/* Returns the values of a column, hydrolink_run_n_rows () contiguous numbers. Borrowed. */
const double *hydrolink_run_column (const HydrolinkRun *run, int column);
/* Writes all columns to FILE.mat, FILE.npz (NumPy) or, as CSV, FILE.csv; other endings are refused. */
int hydrolink_run_save (const HydrolinkRun *run, const char *path, char **error);
/* Returns the number of steps of the integrator, and the seconds that it took. */
long hydrolink_run_steps (const HydrolinkRun *run);
double hydrolink_run_seconds (const HydrolinkRun *run);

/* --- runs in steps: prepared, listened to, made --- */

/* Returns a run that has not begun: its columns are known, it has no rows. options: names and texts in turns,
 * NULL behind the last one; or NULL: all as the file says. "t_end", "every", "rtol", "step",
 * "max_steps", "beta" and "gamma" take a number, with a unit or as a formula ("4 s"), "oil",
 * "formulation" and "integrator" a word of the file; give the oil before its formulation. */
HydrolinkRun *hydrolink_run_new (HydrolinkModel *model, const char *const options[], char **error);
/* Sets callbacks before the run is made. keeps: rows are stored; row: as in HydrolinkRunOptions. again: the
 * integrator failed, or the errors of bdf would add up; all rows so far are void, and the run begins again with the
 * other one; 0: they remain valid, and the other one continues from there. Both may be NULL. */
void hydrolink_run_listen (HydrolinkRun *run, int keeps, int (*row) (const double *values, int n, void *data),
                           int (*again) (const char *integrator, void *data), void *data);
/* Makes it, once, while its model is still there; FALSE and *error when it could not begin. hydrolink_run_error ()
 * returns how it ended. */
int hydrolink_run_go (HydrolinkRun *run, char **error);

#ifdef __cplusplus
}
#endif
