/* SPDX-License-Identifier: MIT */
/* Rods on pins as Simbody has them, for peers.py: joint angles, and dynamics in time of their number.
 *
 *   peers-simbody chain|tree N SECONDS METHOD ACCURACY     METHOD: merson, bdf, bdf-functional
 *
 * writes milliseconds of processor time, then the angle of every rod at the end. The start is that of
 * hl_test_chain () and hl_test_tree () without velocities. */
#include <Simbody.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

using namespace SimTK;

static double
processor_time ()
{
  timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int
main (int argc, char **argv)
{
  if (argc < 6)
    return 2;
  bool is_tree = std::strcmp (argv[1], "tree") == 0;
  int n = std::atoi (argv[2]);
  double t_end = std::atof (argv[3]), accuracy = std::atof (argv[5]);
  const char *method = argv[4];

  MultibodySystem system;
  SimbodyMatterSubsystem matter (system);
  GeneralForceSubsystem forces (system);
  Force::UniformGravity gravity (forces, matter, Vec3 (0, -9.81, 0));
  Body::Rigid rod (MassProperties (0.5, Vec3 (0), Inertia (1e-6, 0.0005, 0.0005)));
  std::vector<MobilizedBody::Pin> pins;
  std::vector<double> angles;
  std::vector<int> parents;

  for (int k = 0; k < n; k++) {
    int parent = is_tree ? (k == 0 ? -1 : (k - 1) / 2) : k - 1;
    parents.push_back (parent);
    angles.push_back (is_tree ? (k % 2 == 0 ? -0.4 : -1.3) : (k % 2 == 0 ? -0.3 : -0.7));
    Vec3 near (-0.05, 0, 0), far (parent < 0 ? 0.0 : 0.05, 0, 0);
    if (parent < 0)
      pins.push_back (MobilizedBody::Pin (matter.updGround (), Transform (far), rod, Transform (near)));
    else
      pins.push_back (MobilizedBody::Pin (pins[(size_t)parent], Transform (far), rod, Transform (near)));
  }
  State start = system.realizeTopology ();
  for (size_t k = 0; k < pins.size (); k++)
    pins[k].setOneQ (start, 0, angles[k] - (parents[k] < 0 ? 0.0 : angles[(size_t)parents[k]]));

  double best = 1e300, begin = processor_time ();
  State end;
  do {
    std::unique_ptr<Integrator> integrator;
    if (std::strcmp (method, "merson") == 0)
      integrator.reset (new RungeKuttaMersonIntegrator (system));
    else
      integrator.reset (new CPodesIntegrator (
          system, CPodes::BDF,
          std::strcmp (method, "bdf") == 0 ? CPodes::Newton : CPodes::Functional));
    integrator->setAccuracy (accuracy);
    integrator->setFinalTime (t_end);
    TimeStepper stepper (system, *integrator);
    double began = processor_time ();
    stepper.initialize (start);
    stepper.stepTo (t_end);
    best = std::min (best, processor_time () - began);
    end = stepper.getState ();
  } while (processor_time () - begin < 0.2);

  std::printf ("%.17g\n", 1e3 * best);
  std::vector<double> total;
  for (size_t k = 0; k < pins.size (); k++) {
    total.push_back (pins[k].getOneQ (end, 0) + (parents[k] < 0 ? 0.0 : total[(size_t)parents[k]]));
    std::printf ("%.17g\n", total[k]);
  }
  return 0;
}
