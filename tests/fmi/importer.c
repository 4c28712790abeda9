/* SPDX-License-Identifier: MIT */
/* fmu-importer LIBRARY TABLE COMMAND [NAME=VALUE]...: does with an FMU what other programs do. TABLE is what
 * test-fmu.py makes of modelDescription.xml. */
#include "tests/fmi/fmu.h"

#include <stdlib.h>
#include <string.h>

/* Sets values before the initialization: vrREFERENCE=VALUE. */
static void set_values (FmuInstance *in, int argc, char **argv) {
  for (int k = 4; k < argc; k++) {
    unsigned vr;
    double value;
    if (sscanf (argv[k], "vr%u=%lf", &vr, &value) == 2) {
      fmi3ValueReference reference = vr;
      fmu_set (in, &reference, 1, &value);
    }
  }
}

int main (int argc, char **argv) {
  FmuRun run = {.tolerance = 1e-8, .stop = 1, .every = 0.01, .seed = 1};
  long n = 1000;

  if (argc < 4)
    fmu_fail ("usage: fmu-importer LIBRARY TABLE COMMAND [NAME=VALUE]...");
  for (int k = 4; k < argc; k++) {
    sscanf (argv[k], "tolerance=%lf", &run.tolerance);
    sscanf (argv[k], "stop=%lf", &run.stop);
    sscanf (argv[k], "every=%lf", &run.every);
    sscanf (argv[k], "at=%lf", &run.at);
    sscanf (argv[k], "seed=%u", &run.seed);
    sscanf (argv[k], "n=%ld", &n);
    sscanf (argv[k], "events=%d", &run.with_events);
    sscanf (argv[k], "jitter=%d", &run.jitter);
    sscanf (argv[k], "untold=%d", &run.undetermined);
    sscanf (argv[k], "strict=%d", &run.is_strict);
    if (strncmp (argv[k], "file=", 5) == 0)
      run.file = argv[k] + 5;
  }
  Fmu *fmu = fmu_load (argv[1], argv[2]);
  const char *command = argv[3];
  int is_me = strcmp (command, "me") == 0, goes_on = strcmp (command, "continue") == 0;
  if (is_me || goes_on || strcmp (command, "cs") == 0) {
    FmuInstance *in = fmu_instantiate (fmu, !is_me, run.with_events);
    set_values (in, argc, argv);
    if (is_me)
      fmu_run_me (in, &run, stdout);
    else
      fmu_run_cs (in, &run, goes_on, stdout);
    fmu_free (in);
  } else if (strcmp (command, "twins") == 0) {
    /* a second instance, half way through a run of its own, changes nothing */
    FmuInstance *other = fmu_instantiate (fmu, 1, 0), *in = fmu_instantiate (fmu, 1, 0);
    FILE *nowhere = fopen ("/dev/null", "w");
    FmuRun half = run;
    half.stop = run.stop / 2;
    set_values (in, argc, argv);
    fmu_run_cs (other, &half, 0, nowhere);
    fmu_run_cs (in, &run, 0, stdout);
    fmu_free (in);
    fmu_free (other);
    fclose (nowhere);
  } else if (strcmp (command, "values") == 0) {
    FmuInstance *in = fmu_instantiate (fmu, 1, 0);
    set_values (in, argc, argv);
    fmu_initialize (in, run.tolerance, run.stop);
    for (int k = 0; k < fmu->n_variables; k++) {
      double value;
      fmu_get (in, &fmu->variables[k].vr, 1, &value);
      printf ("%s %.17g\n", fmu->variables[k].name, value);
    }
    fmu_free (in);
  } else if (strcmp (command, "derivatives") == 0)
    fmu_check_derivatives (fmu, &run);
  else if (strcmp (command, "matrices") == 0) {
    FmuInstance *in = fmu_instantiate (fmu, 0, 0);
    set_values (in, argc, argv);
    fmu_print_matrices (in);
    fmu_free (in);
  } else if (strcmp (command, "random") == 0)
    fmu_check_random (fmu, n, run.seed);
  else if (strcmp (command, "churn") == 0)
    fmu_check_churn (fmu, n);
  else if (strcmp (command, "same") == 0)
    fmu_check_same (fmu, n);
  else if (strcmp (command, "asks") == 0)
    fmu_check_asks (fmu, &run);
  else if (strcmp (command, "memory") == 0)
    fmu_check_memory (fmu);
  else if (strcmp (command, "refusals") == 0)
    fmu_check_refusals (fmu);
  else if (strcmp (command, "bytes") == 0)
    fmu_check_bytes (fmu);
  else if (strcmp (command, "jumps") == 0)
    fmu_check_jumps (fmu);
  else if (strcmp (command, "speed") == 0)
    fmu_measure (fmu, n);
  else
    fmu_fail ("no such command: %s", command);
  fmu_unload (fmu);
  return 0;
}
