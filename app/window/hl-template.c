/* SPDX-License-Identifier: MIT */
/* One line of the table is one card of the gallery; tests/ui/test-gallery.c holds it against the
 * files that are there. */
#include "app/window/hl-template.h"

#include "app/window/hl-application.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-json.h"
#include "ui/lesson/hl-lesson-file.h"

#include <gio/gio.h>

#define START N_ ("To begin with")
#define LINKAGES N_ ("Linkages")
#define VEHICLES N_ ("Vehicles and steering")
#define QUASISTATIC N_ ("Quasistatic actuators")
#define HYBRID N_ ("Incompressible oil")
#define CIRCUITS N_ ("Circuits of machines")
#define LESSONS N_ ("Lessons")

static const HlTemplate templates[] = {
    {START, N_ ("Empty model"), N_ ("A blank sheet for circuit and linkage"), NULL},
    {START, N_ ("Hydraulic four-bar"), N_ ("Closed valve, torque pulse, three friction scenarios"),
     "four-bar.hydrolink"},
    {START, N_ ("One-arm crane"), N_ ("Four metering valves hold, then lift a load"),
     "metering-arm.hydrolink"},
    {START, N_ ("Articulated vehicle"), N_ ("Plan view with a rear tyre; unstable between two speeds"),
     "articulated-vehicle-tyre.hydrolink"},
    {START, N_ ("Position servo"), N_ ("Servo valve and PID controller, a step of the target"),
     "position-servo.hydrolink"},

    {LESSONS, N_ ("Why it rings"), N_ ("Friction, trapped oil and the 73 Hz pair of a four-bar"),
     "why-it-rings.hllesson"},
    {LESSONS, N_ ("Trapped oil is a spring"), N_ ("The stiffness of a closed chamber, and what softens it"),
     "trapped-oil-is-a-spring.hllesson"},
    {LESSONS, N_ ("Exact or by differences"),
     N_ ("Spurious null eigenvalues, and a step that is never right"), "exact-or-by-differences.hllesson"},
    {LESSONS, N_ ("A valve that is shut"), N_ ("Modes, impacts, and oil that does not give way"),
     "a-valve-that-is-shut.hllesson"},
    {LESSONS, N_ ("When is oil stiff enough to forget?"), N_ ("Three models of one circuit"),
     "when-is-oil-stiff-enough.hllesson"},
    {LESSONS, N_ ("Load holding"), N_ ("A counterbalance valve that jerks, and its cure"),
     "load-holding.hllesson"},
    {LESSONS, N_ ("Closing the loop"), N_ ("Gain, root locus and margin of a position servo"),
     "closing-the-loop.hllesson"},
    {LESSONS, N_ ("Where does the power go?"), N_ ("Pump, valves and load in one balance"),
     "where-does-the-power-go.hllesson"},

    {LINKAGES, N_ ("Slider-crank"), N_ ("A flywheel; the slider is braked by oil"), "slider-crank.hydrolink"},
    {LINKAGES, N_ ("Inverted slider-crank"), N_ ("Quick-return drive with a slot and a torsion spring"),
     "inverted-slider-crank.hydrolink"},
    {LINKAGES, N_ ("Crank-rocker"), N_ ("The crank turns fully; a damper on the coupler"),
     "crank-rocker.hydrolink"},
    {LINKAGES, N_ ("Watt six-bar"), N_ ("Two four-bars in a row, the cylinder on the shared rocker"),
     "watt-six-bar.hydrolink"},
    {LINKAGES, N_ ("Peaucellier linkage"), N_ ("Seven links guide a point along an exact line"),
     "peaucellier.hydrolink"},
    {LINKAGES, N_ ("Scissor lift"), N_ ("A redundant guide, the load on trapped oil"),
     "scissor-lift.hydrolink"},
    {LINKAGES, N_ ("Excavator arm"), N_ ("Two open-centre valves on one pump, shock and suction valves"),
     "excavator-arm.hydrolink"},

    {CIRCUITS, N_ ("Load-holding crane"),
     N_ ("A counterbalance valve jerks, and is cured by its pilot ratio"), "crane-counterbalance.hydrolink"},
    {CIRCUITS, N_ ("Double pilot-operated check"), N_ ("An outrigger that stays where it was put"),
     "double-pilot-check.hydrolink"},
    {CIRCUITS, N_ ("Regenerative extension"), N_ ("Fast with the force of the rod, slow with all of it"),
     "regenerative-extension.hydrolink"},
    {CIRCUITS, N_ ("Load-sensing loader"), N_ ("Arm and bucket on one pump, a compensator before each valve"),
     "load-sensing-loader.hydrolink"},
    {CIRCUITS, N_ ("Launch from an accumulator"), N_ ("A sled at 8 m/s within half a metre"),
     "accumulator-launch.hydrolink"},
    {CIRCUITS, N_ ("Hydrostatic drive"), N_ ("A wheel on a sprung arm, turned in a closed circuit"),
     "hydrostatic-wheel.hydrolink"},
    {CIRCUITS, N_ ("Scissor lift with a plunger"), N_ ("A flow control lowers any load at the same speed"),
     "scissor-lift-plunger.hydrolink"},
    {CIRCUITS, N_ ("Press with cushions"), N_ ("The ram is caught at both ends of its stroke"),
     "press-cushions.hydrolink"},
    {CIRCUITS, N_ ("Water hammer"), N_ ("A valve shuts, and waves run through a hose"),
     "water-hammer.hydrolink"},
    {CIRCUITS, N_ ("Stick-slip"), N_ ("LuGre friction, a soft hose and a small pump"),
     "stick-slip.hydrolink"},

    {VEHICLES, N_ ("Ackermann steering"), N_ ("Plan view of a steered axle with one cylinder"),
     "ackermann-steering.hydrolink"},
    {VEHICLES, N_ ("Articulated vehicle, two axles"), N_ ("Knife edges: both axles roll without slip"),
     "articulated-vehicle-rigid.hydrolink"},
    {VEHICLES, N_ ("Articulated vehicle, throttle"), N_ ("A tyre, and a throttle in the steering line"),
     "articulated-vehicle-tyre-throttle.hydrolink"},

    {QUASISTATIC, N_ ("Regeneration, valve shut"), N_ ("The arm is lowered against the meter-out valve"),
     "regeneration-arm-ua0.hydrolink"},
    {QUASISTATIC, N_ ("Regeneration, valve half open"), N_ ("Rod-side oil comes from the head side"),
     "regeneration-arm-ua05.hydrolink"},
    {QUASISTATIC, N_ ("Two arms on one pump, first run"), N_ ("The second arm takes oil from the first"),
     "two-arms-1.hydrolink"},
    {QUASISTATIC, N_ ("Two arms on one pump, second run"), N_ ("The same machine driven the other way"),
     "two-arms-2.hydrolink"},

    {HYBRID, N_ ("Regenerative cylinder"), N_ ("A check valve joins the chambers until the return opens"),
     "hybrid-regeneration.hydrolink"},
    {HYBRID, N_ ("Two cylinders on one pump"), N_ ("Relief valve, dump valve, check valve and end stops"),
     "hybrid-two-cylinders.hydrolink"},
};

int hl_template_count (void) {
  return G_N_ELEMENTS (templates);
}

HlTemplate hl_template_get (int index) {
  const HlTemplate *at = &templates[index];
  return (HlTemplate){_ (at->group), _ (at->title), _ (at->line), at->file};
}

GFile *hl_template_lesson (int index) {
  const char *file = templates[index].file;

  if (file == NULL || !g_str_has_suffix (file, HL_LESSON_SUFFIX))
    return NULL;
  g_autofree char *uri = g_strconcat ("resource://" HL_RESOURCE_BASE "/lessons/", file, NULL);
  return g_file_new_for_uri (uri);
}

/* The model of a lesson stands for it on its card. */
static HlDocument *lesson_document (GFile *file) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  HlDocument *document = NULL;
  g_autoptr (HlLesson) lesson = hl_lesson_file_read (file, &document, problems);

  return lesson != NULL ? document : NULL;
}

HlDocument *hl_template_document (int index, GError **error) {
  const char *file = templates[index].file;

  if (file == NULL)
    return hl_document_new_empty ();
  g_autoptr (GFile) lesson = hl_template_lesson (index);
  if (lesson != NULL)
    return lesson_document (lesson);
  g_autofree char *path = g_strconcat (HL_RESOURCE_BASE "/examples/", file, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  if (bytes == NULL)
    return NULL;
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  return hl_document_parse (text, length, file, error);
}
