/* SPDX-License-Identifier: MIT */
/* windows-importer DLL VERSION TOKEN STOP EVERY REFERENCE...: Co-Simulation of an FMU on Windows; rows of the time and the
 * variables. Compiled and run by test-fmu-binaries.py alone. */
#include "tests/fmi/headers/fmi2FunctionTypes.h"
#include "tests/fmi/headers/fmi3FunctionTypes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 64

/* Loads a library; a function of kernel32. */
void *LoadLibraryA (const char *path);
void *GetProcAddress (void *library, const char *name);
unsigned long GetLastError (void);

static void *library;
static unsigned references[MOST];
static double values[MOST];
static size_t n;

static void *function (const char *name) {
  void *found = GetProcAddress (library, name);

  if (found != NULL)
    return found;
  fprintf (stderr, "%s is missing\n", name);
  exit (1);
}

static void check (int status, const char *what) {
  if (status == 0)
    return;
  fprintf (stderr, "%s gives %d\n", what, status);
  exit (1);
}

static void log_3 (fmi3InstanceEnvironment env, fmi3Status status, fmi3String category, fmi3String message) {
  (void)env;
  fprintf (stderr, "%d %s: %s\n", (int)status, category, message);
}

static void log_2 (fmi2ComponentEnvironment env, fmi2String name, fmi2Status status, fmi2String category,
                   fmi2String format, ...) {
  va_list arguments;

  (void)env;
  fprintf (stderr, "%s: %d %s: ", name, (int)status, category);
  va_start (arguments, format);
  vfprintf (stderr, format, arguments);
  va_end (arguments);
  fputc ('\n', stderr);
}

static void print_row (double t) {
  printf ("%.17g", t);
  for (size_t k = 0; k < n; k++)
    printf (",%.17g", values[k]);
  putchar ('\n');
}

/* As text of the function's type. */
#define F(version, name) ((fmi##version##name##TYPE *)function ("fmi" #version #name))

static void run_3 (const char *token, double stop, double every) {
  fmi3Boolean event, ends, early;
  double last;
  fmi3Instance self = F (3, InstantiateCoSimulation) ("it", token, NULL, false, false, false, false, NULL, 0,
                                                      NULL, log_3, NULL);

  check (self == NULL, "fmi3InstantiateCoSimulation");
  check (F (3, EnterInitializationMode) (self, true, 1e-9, 0.0, true, stop), "fmi3EnterInitializationMode");
  check (F (3, ExitInitializationMode) (self), "fmi3ExitInitializationMode");
  for (int row = 0; row * every <= stop * (1 + 1e-12); row++) {
    if (row > 0)
      check (F (3, DoStep) (self, (row - 1) * every, every, true, &event, &ends, &early, &last),
             "fmi3DoStep");
    check (F (3, GetFloat64) (self, references, n, values, n), "fmi3GetFloat64");
    print_row (row * every);
  }
  F (3, FreeInstance) (self);
}

static void run_2 (const char *token, double stop, double every) {
  fmi2CallbackFunctions functions = {log_2, calloc, free, NULL, NULL};
  fmi2Component self =
      F (2, Instantiate) ("it", fmi2CoSimulation, token, "file:///nowhere", &functions, fmi2False, fmi2False);

  check (self == NULL, "fmi2Instantiate");
  check (F (2, SetupExperiment) (self, fmi2True, 1e-9, 0.0, fmi2True, stop), "fmi2SetupExperiment");
  check (F (2, EnterInitializationMode) (self), "fmi2EnterInitializationMode");
  check (F (2, ExitInitializationMode) (self), "fmi2ExitInitializationMode");
  for (int row = 0; row * every <= stop * (1 + 1e-12); row++) {
    if (row > 0)
      check (F (2, DoStep) (self, (row - 1) * every, every, fmi2True), "fmi2DoStep");
    check (F (2, GetReal) (self, references, n, values), "fmi2GetReal");
    print_row (row * every);
  }
  F (2, FreeInstance) (self);
}

int main (int argc, char **argv) {
  if (argc < 7 || argc > 6 + MOST)
    return 2;
  library = LoadLibraryA (argv[1]);
  if (library == NULL) {
    fprintf (stderr, "%s is not loaded: error %lu\n", argv[1], GetLastError ());
    return 1;
  }
  n = (size_t)argc - 6;
  for (size_t k = 0; k < n; k++)
    references[k] = (unsigned)strtoul (argv[6 + k], NULL, 10);
  (argv[2][0] == '2' ? run_2 : run_3) (argv[3], atof (argv[4]), atof (argv[5]));
  return 0;
}
