/* SPDX-License-Identifier: MIT */
/* Data shared by the commands: their table, the parsed line, the model, and output in the C locale. Errors are GErrors
 * of HL_ERROR; the dispatcher prints them and turns their code into the exit status. */
#pragma once

#include "app/cli/hl-cli.h"
#include "core/api/hl-api-internal.h"
#include "core/compile/hl-compile.h"
#include "core/linear/hl-linear-model.h"
#include "core/run/hl-simulate.h"
#include "core/linear/hl-sweep-point.h"
#include "core/document/hl-document.h"
#include "core/base/hl-error.h"
#include "core/io/hl-answer-writer.h"
#include "core/io/hl-linear-model-file.h"
#include "core/oil/hl-hydraulic-model-eigenvalues.h"

#include <stdio.h>

#define HL_CLI_OK 0
#define HL_CLI_FAILED 1 /* the work itself failed */
#define HL_CLI_USAGE 2  /* bad usage or a bad file */

/* --- the line --- */

typedef struct {
  const char *name;  /* "t-end", without the dashes; NULL ends a table */
  const char *value; /* placeholder of the value in the help, "S"; NULL = a flag */
  const char *help;
  gboolean repeatable;
} HlCliOption;

typedef struct _HlCli HlCli;

#define HL_CLI_EXAMPLES 2

typedef struct {
  const char *name;
  const char *usage;   /* behind the name: "FILE [--json]" */
  const char *summary; /* one line for the list of commands */
  const char *text;    /* paragraph of its own help */
  const char
      *examples[HL_CLI_EXAMPLES]; /* lines for a shell, in a folder with the examples; a test runs them */
  const HlCliOption *options;
  gboolean no_file;     /* works on no model file */
  gboolean has_own_oil; /* that it computes with, whatever the file or --model says */
  HlModelKind own_oil;
  gboolean any_oil; /* compiles with any oil that can start, if that of the file cannot */
  gboolean
      takes_words; /* any number of words behind the file, if it takes one: hl_cli_texts (HL_CLI_WORDS) */
  gboolean (*run) (HlCli *cli, GError **error);
  const char *program; /* instead of `run`: a program of its own that takes the rest of the line */
} HlCliCommand;

struct _HlCli {
  const HlCliCommand *command;
  GHashTable *values;    /* option name to GPtrArray of texts */
  const char *file;      /* as given */
  HydrolinkModel *model; /* written by hl_cli_load */
  HlDocument *document;  /* of the model, by hl_cli_load; or with what is changed for one command */
  HlSystem *system;      /* of the document, by hl_cli_compile */
  char *const *line;     /* behind the command; n_words of them */
  int n_words;
  gboolean oil_is_requested; /* by --model or the command, and the file chooses another */
  int status;                /* exit status of a command that ran to its end */
};

/* Returns a command by its index in the list of --help, from 0; NULL behind the last one. */
const HlCliCommand *hl_cli_command (int index);

/* Returns the options besides the command's own: of all that work on a model how it is changed, and of every
 * command --help. */
const HlCliOption *hl_cli_options_of_all (const HlCliCommand *command);

/* Reads argv behind the command into cli->values and cli->file. */
gboolean hl_cli_parse (HlCli *cli, int argc, char **argv, GError **error);

gboolean hl_cli_has (const HlCli *cli, const char *option);
/* Returns the last value given, or NULL; borrowed. */
const char *hl_cli_text (const HlCli *cli, const char *option);
/* Returns all values in order, NULL-terminated, never NULL; borrowed. */
const char *const *hl_cli_texts (const HlCli *cli, const char *option);
/* Reads a number; *value is unchanged when the option is absent. Positive: zero and less are rejected. */
gboolean hl_cli_number (const HlCli *cli, const char *option, double *value, GError **error);
/* Reads the number of an option whose quantity depends on a path; other options have the quantity of their
 * placeholder in the help: S is a time. */
gboolean hl_cli_number_of (const HlCli *cli, const char *option, HlQuantity quantity, double *value,
                           GError **error);
gboolean hl_cli_positive (const HlCli *cli, const char *option, double *value, GError **error);
gboolean hl_cli_count (const HlCli *cli, const char *option, int *value, int most, GError **error);
#define HL_CLI_WORDS "" /* in place of an option: what stands on the line without one */
/* Finds the index of the value among names (NULL-terminated), *value. */
gboolean hl_cli_choice (const HlCli *cli, const char *option, const char *const names[], int *value,
                        GError **error);
/* Finds the oil model that --model names, *oil. is_linear: only those with a linear model. */
gboolean hl_cli_oil (const HlCli *cli, gboolean is_linear, const HlOilModel **oil, GError **error);
/* Checks that the option is given; FALSE with a message otherwise. */
gboolean hl_cli_require (const HlCli *cli, const char *option, GError **error);

/* Parses a strict number in the C locale, finite; `what` starts the message. */
gboolean hl_cli_parse_number (const char *text, const char *what, double *value, GError **error);
/* Parses a number that may have a unit of the quantity, "50 ms"; a bare number is in SI. */
gboolean hl_cli_parse_quantity (const char *text, const char *what, HlQuantity quantity, double *value,
                                GError **error);
/* Returns the LIST, whose numbers may have units: "A:B:N", "log:A:B:N" or numbers with commas. Array of double, NULL on
 * failure. */
GArray *hl_cli_parse_list (const char *text, const char *what, HlQuantity quantity, GError **error);
/* Returns the name most similar to a mistyped one, in quotes: "‘linearize’". NULL: none is similar. */
const char *hl_cli_near_miss (const char *word, const char *const names[]);

/* --- the model (hl-cli-load-model.c) --- */

/* Reads the file by libhydrolink and applies --parameter-set, --parameter-file and --set. */
gboolean hl_cli_load (HlCli *cli, GError **error);
/* Compiles what was loaded and adds to the findings; FALSE: there is no system. */
gboolean hl_cli_compile_model (HlCli *cli, HlFindings *findings);
/* Loads and compiles the model; prints every finding on standard error. */
gboolean hl_cli_compile (HlCli *cli, GError **error);
/* Takes the document and the system of something else, references of its own. */
void hl_cli_adopt (HlCli *cli, HlDocument *document, HlSystem *system);
/* Notes of the library on standard error, from *n_said on, which counts them. */
void hl_cli_say_notes (const HlCli *cli, const HlApiNotes *notes, int *n_said);
/* Returns whether the model has no errors that affect this part of an oil model, if the oil model is the
 * file's own; prints the errors on standard error. Call after hl_cli_compile (). */
gboolean hl_cli_check_oil (const HlCli *cli, HlModelKind model, HlBars bars, GError **error);
/* Sets numbers that runs with that oil model need and the file does not state to their proposed values, in
 * cli's document and system, and prints a note. Call after hl_cli_compile (). */
gboolean hl_cli_take_proposals (HlCli *cli, HlModelKind model, GError **error);
/* Compiles a changed document without a word; NULL and the first error. */
HlSystem *hl_cli_compile_quietly (const HlDocument *document, GError **error);
/* Finds the component that an option names; FALSE with an error when there is none, or it is no cylinder,
 * motor or vane actuator. */
gboolean hl_cli_find_component (const HlCli *cli, const char *option, const char *id, gboolean is_actuator,
                                int *component, GError **error);
/* Returns the SI unit of a path, "1" when unknown; borrowed. */
const char *hl_cli_unit_of (const HlDocument *document, const char *path);
/* Returns the quantity of a path, HL_QUANTITY_NONE for an unknown one. */
HlQuantity hl_cli_quantity_of (const HlDocument *document, const char *path);
/* Writes the members of a finding: "id", "path", "message", "advice" and "change", its fix: a "label" and the
 * equivalent command-line "option"; null without a fix. */
void hl_cli_put_finding (HlAnswer *answer, const HlFinding *finding);
/* Writes the fix alone, key "change". */
void hl_cli_put_fix (HlAnswer *answer, const HlFix *fix);
/* Prints a note on standard error with the change that would let a run continue, if there is one. */
void hl_cli_say_fix (const HlFix *fix);
/* Sets HL_ERROR_FAILED with the text of a fault. */
void hl_cli_set_fault (GError **error, const HlSystem *sys, const HlFault *fault);

/* A parameter of a study: "PATH" or "PATH,PATH", which get the same value. */
typedef struct {
  char **paths;
  HlParameter *parameters; /* n: those that the compiled system can change */
  int n;
  gboolean shapes;  /* some path shapes the model: every value is compiled anew */
  double value;     /* value at the first path */
  double low, high; /* range permitted by all of them */
} HlCliParameter;

/* Prints a warning on standard error when a study over the path can have no effect with that oil model. */
void hl_cli_warn_of_idle (const HlCli *cli, const char *path, HlOil oil);
/* Parses a parameter; clear the result after success. Warns of a number that the lumped model, which all
 * these studies linearize, does not read. Call after hl_cli_compile (). */
gboolean hl_cli_parse_parameter (const HlCli *cli, const char *text, HlCliParameter *out, GError **error);
void hl_cli_parameter_clear (HlCliParameter *parameter);
/* Borrows from it. */
HlSweepParameter hl_cli_sweep_parameter (const HlCliParameter *parameter);

/* --- long work (hl-cli-progress.c) --- */

typedef struct {
  double total, done;
  gint64 began_us, shown_us;
  gboolean is_watched, has_shown, has_begun;
} HlCliWait;

/* Lets Ctrl+C, SIGTERM and SIGHUP end the command with a message and status 1 until it writes or waits. */
void hl_cli_leave_on_signals (const char *command);
/* Handles SIGINT: the first one finishes the file being written, a second one ends the program. */
void hl_cli_hold_signals (void);
/* Begins a wait in which signals request a stop; a second signal ends the program. Signals stay handled
 * afterwards. */
void hl_cli_wait_begin (HlCliWait *wait, double total);
/* Returns whether a stop was requested; stays so when the waiting has ended. */
gboolean hl_cli_is_stopped (void);
/* Returns whether a stop was requested, as a cancel callback. */
bool hl_cli_stop_cb (void *data);
/* Returns the signal that requested a stop, "Ctrl+C", "SIGTERM" ...; NULL without a request. */
const char *hl_cli_stopped_by (void);
/* Shows `done` of the total; false: a stop was requested. */
bool hl_cli_wait_at (double done, void *wait);
/* Counts its calls as a cancel callback, each before the next item. */
bool hl_cli_wait_cancel (void *wait);
/* Ends a wait; FALSE when the work was stopped. */
gboolean hl_cli_wait_end (HlCliWait *wait);
/* Sets the error "stopped by Ctrl+C after 3 of 100 points; ...". */
void hl_cli_set_stopped (GError **error, double done, double total, const char *things);

/* Sets the error "stopped by Ctrl+C on the way to t = 3 s; ...". */
void hl_cli_set_stopped_on_way (GError **error, double time);

/* --- output (hl-cli-output.c) --- */

/* Writes the answer as JSON when --json is given, otherwise in that format, to --out or to standard output. */
gboolean hl_cli_answer (const HlCli *cli, const HlAnswer *answer, HlAnswerFormat format, GError **error);
/* Saves the linear model to --out; a write error fails the command. */
gboolean hl_cli_save_sheet (const HlCli *cli, const HlLinearSheet *sheet, GError **error);

/* Writes bytes to a stream unchanged, in any locale; HL_ERROR_FAILED after a write error. */
gboolean hl_cli_write (FILE *stream, const char *text, GError **error);
/* Prints a warning for every line whose oil would be under tension. */
void hl_cli_say_cavitations (const HlCli *cli, const HlSystem *sys, const HlCavitations *cavitations);
/* The same of a single state of the lumped model. */
/* Prints the event log of a run of the lumped model: the first few events, and the number of others. */
void hl_cli_say_ledger (const HlSystem *sys, const HlCavitations *cavitations);
/* Prints the note "note: the start: 4.5 of 4.5 J lost ..." if the start lost energy. */
void hl_cli_say_start_loss (const HlSystem *sys, const HlSimStats *stats);
void hl_cli_say_cavitations_at (const HlCli *cli, const HlPoint *point);
/* Prints the same for the state from which an analysis starts, at the model's own numbers; nothing when there
 * is none. */
void hl_cli_say_cavitations_at_start (const HlCli *cli);
/* Prints a message on standard error: "hydrolink: text". */
void hl_cli_say (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Returns a number for people: `digits` significant digits, C locale. Owned by the caller. */
char *hl_cli_pretty (double value, int digits);
/* Appends text and blanks up to a width counted in characters; left: text first. */
void hl_cli_append_cell (GString *out, const char *text, int width, gboolean left);

/* Writes the values of a linear model, which must outlive the answer. */
void hl_cli_answer_linearization (HlAnswer *answer, const HlLinearization *lin);
/* Returns a table of eigenvalues for people, one per line, with the meaning of the null ones. */
char *hl_cli_eigenvalue_table (const HlLinearization *lin);
/* Returns the verdict: "Unstable", "Not unstable", or that there is none, with the coordinates of the
 * eigenvalues. */
char *hl_cli_verdict (const HlLinearization *lin);
/* Says on standard error when the start state of the model moves, and what is left out for it. */
void hl_cli_note_motion (const HlCli *cli, const char *consequence);
/* linearize --model hybrid: the mode at a time, 0 = the one a run starts in
 * (hl-cli-linearize.c). */
/* Returns the eigenvalues of the three oils: about the point, or where `start` says; NULL with an error.
 * Owned by the caller. */
HlOilSpectra *hl_cli_oils (const HlCli *cli, HlStart start, const HlPoint *point, GError **error);
/* Writes "oils" of an answer; the spectra are borrowed. */
void hl_cli_put_oils (HlAnswer *answer, const HlOilSpectra *spectra);
/* Prints the answer of linearize --oils. */
gboolean hl_cli_print_oils (const HlCli *cli, const HlPoint *point, GError **error);
/* Returns the same as a model of one output. NULL with an error; owned by the caller. */
HlLinearModel *hl_cli_hybrid_model (const HlCli *cli, double time, const HlObservable *output,
                                    GError **error);
/* Returns the state with the largest participation in an eigenvalue. */
int hl_cli_strongest_state (const HlLinearization *lin, int eigenvalue);

/* Parses the arguments of the command, runs it and prints the error. Returns the exit status. */
int hl_cli_run_command (const HlCliCommand *command, int argc, char **argv);
void hl_cli_print_command_help (const HlCliCommand *command);
/* Becomes the command's program (hl-cli-start-program.c); comes back, with the exit status, only when it cannot. */
int hl_cli_run_companion (const HlCliCommand *command, int argc, char **argv);

/* --- the commands --- */

extern const HlCliCommand hl_cli_validate;
extern const HlCliCommand hl_cli_equilibrium;
extern const HlCliCommand hl_cli_linearize;
extern const HlCliCommand hl_cli_simulate;
extern const HlCliCommand hl_cli_root_locus;
extern const HlCliCommand hl_cli_sensitivity;
extern const HlCliCommand hl_cli_stability_map;
extern const HlCliCommand hl_cli_frequency_response;
extern const HlCliCommand hl_cli_sweep;
extern const HlCliCommand hl_cli_quasistatic;
extern const HlCliCommand hl_cli_modes;
extern const HlCliCommand hl_cli_paths;
extern const HlCliCommand hl_cli_compare_models;
extern const HlCliCommand hl_cli_completion;
extern const HlCliCommand hl_cli_export_fmu;
extern const HlCliCommand hl_cli_format;
extern const HlCliCommand hl_cli_report;
extern const HlCliCommand hl_cli_reproduce;
extern const HlCliCommand hl_cli_screenshot;
extern const HlCliCommand hl_cli_thumbnail;
extern const HlCliCommand hl_cli_help;
extern const HlCliCommand hl_cli_lesson;
extern const HlCliCommand hl_cli_study;
extern const HlCliCommand hl_cli_fit;
extern const HlCliCommand hl_cli_optimize;

/* A table that leaves row by row: see hl-cli-output.c. */

typedef struct _HlCliRows HlCliRows;

/* Returns a writer of rows to the file `out` (borrowed; truncated), or to standard output if NULL. NULL with
 * HL_ERROR_FAILED when the file cannot be opened. Owned by the caller. */
HlCliRows *hl_cli_rows_new (const char *out, GError **error);
void hl_cli_rows_free (HlCliRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCliRows, hl_cli_rows_free)

/* Returns the buffer to which the next line with its end is appended; then call hl_cli_rows_end_line (),
 * which is FALSE after a write error. */
GString *hl_cli_rows_line (HlCliRows *rows);
gboolean hl_cli_rows_end_line (HlCliRows *rows);
/* Sends what waits and closes. FALSE with HL_ERROR_FAILED when any of it could not be written. */
gboolean hl_cli_rows_finish (HlCliRows *rows, GError **error);

/* Takes back every line, so that others may take their place. FALSE when some have gone where they
 * cannot be fetched from: into a pipe, or to a terminal. */
gboolean hl_cli_rows_restart (HlCliRows *rows);
