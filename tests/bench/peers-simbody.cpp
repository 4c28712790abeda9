/* SPDX-License-Identifier: MIT */
/* Rods on pins and scissor lifts as Simbody has them, for peers.py: joint angles, dynamics in time of their number,
 * loops closed by constraints.
 *
 *   peers-simbody chain|tree|lift N SECONDS METHOD ACCURACY     METHOD: merson, bdf, bdf-functional
 *
 * writes milliseconds of processor time, then the angle of every rod at the end. The start is that of
 * hl_test_chain () and hl_test_tree () without velocities, and of hl_test_scissor_lift () without its cylinder. */
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

/* A rod, its middle at the origin of its frame, on a pin at a place of its parent (-1: the ground). */
struct Rods
{
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  Force::UniformGravity gravity;
  std::vector<MobilizedBody::Pin> pins;
  std::vector<double> angles;
  std::vector<int> parents;

  Rods () : matter (system), forces (system), gravity (forces, matter, Vec3 (0, -9.81, 0))
  {
  }

  void
  add (const Body::Rigid &rod, int parent, double far, double near, double angle)
  {
    MobilizedBody &on = parent < 0 ? (MobilizedBody &)matter.updGround () : pins[(size_t)parent];
    pins.push_back (
        MobilizedBody::Pin (on, Transform (Vec3 (far, 0, 0)), rod, Transform (Vec3 (near, 0, 0))));
    parents.push_back (parent);
    angles.push_back (angle);
  }
};

static void
add_rods (Rods &rods, int n, bool is_tree)
{
  Body::Rigid rod (MassProperties (0.5, Vec3 (0), Inertia (1e-6, 0.0005, 0.0005)));

  for (int k = 0; k < n; k++) {
    int parent = is_tree ? (k == 0 ? -1 : (k - 1) / 2) : k - 1;
    rods.add (rod, parent, parent < 0 ? 0.0 : 0.05, -0.05,
              is_tree ? (k % 2 == 0 ? -0.4 : -1.3) : (k % 2 == 0 ? -0.3 : -0.7));
  }
}

/* Rising bars stand on the ends of the falling ones below, which turn about their middles; each closes a loop with the
 * next stage, and the first falling one has its foot on a rail. */
static void
add_lift (Rods &rods, int n_stages)
{
  Body::Rigid bar (MassProperties (2.0, Vec3 (0), Inertia (1e-6, 0.17, 0.17)));
  double angle = 0.12;

  for (int stage = 0; stage < n_stages; stage++) {
    rods.add (bar, 2 * stage - 1, stage == 0 ? 0.0 : 0.5, -0.5, angle);
    rods.add (bar, 2 * stage, 0.0, 0.0, Pi - angle);
  }
  Constraint::PointInPlane (rods.matter.updGround (), UnitVec3 (0, 1, 0), 0.0, rods.pins[1],
                            Vec3 (-0.5, 0, 0));
  for (int stage = 1; stage < n_stages; stage++)
    for (int axis = 0; axis < 2; axis++)
      Constraint::PointInPlane (rods.pins[(size_t)(2 * stage - 2)],
                                UnitVec3 (axis == 0, axis == 1, 0), axis == 0 ? 0.5 : 0.0,
                                rods.pins[(size_t)(2 * stage + 1)], Vec3 (-0.5, 0, 0));
}

int
main (int argc, char **argv)
{
  if (argc < 6)
    return 2;
  int n = std::atoi (argv[2]);
  double t_end = std::atof (argv[3]), accuracy = std::atof (argv[5]);
  const char *method = argv[4];
  Rods rods;

  if (std::strcmp (argv[1], "lift") == 0)
    add_lift (rods, n);
  else
    add_rods (rods, n, std::strcmp (argv[1], "tree") == 0);
  MultibodySystem &system = rods.system;
  std::vector<MobilizedBody::Pin> &pins = rods.pins;
  std::vector<double> &angles = rods.angles;
  std::vector<int> &parents = rods.parents;
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
