/* SPDX-License-Identifier: MIT */
/* Cards in groups: arrows go from card to card, Tab goes from group to group, Enter or a click
 * opens. A window that still is empty takes the new document, else it gets a window of its own. */
#include "app/window/hl-template-gallery.h"

#include "app/window/hl-application.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-json-text.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/widget/hl-model-thumbnail.h"
#include "ui/widget/hl-widget-template.h"

#include <gio/gio.h>

/* One line of the table is one card of the gallery; tests/ui/test-gallery.c holds it against the
 * files that are there. */

#define START N_ ("Getting started")
#define LINKAGES N_ ("Linkages")
#define VEHICLES N_ ("Vehicles and steering")
#define QUASISTATIC N_ ("Quasistatic actuators")
#define HYBRID N_ ("Incompressible oil")
#define CIRCUITS N_ ("Machine circuits")
#define LESSONS N_ ("Lessons")

static const HlTemplate templates[] = {
    {START, N_ ("Empty model"), N_ ("A blank sheet for circuit and linkage"), NULL},
    {START, N_ ("Hydraulic four-bar"), N_ ("Closed valve, torque pulse, three friction scenarios"),
     "four-bar.hydrolink"},
    {START, N_ ("One-arm crane"), N_ ("Four metering valves hold, then lift a load"),
     "metering-arm.hydrolink"},
    {START, N_ ("Articulated vehicle"), N_ ("Plan view with a rear tyre; unstable between two speeds"),
     "articulated-vehicle-tyre.hydrolink"},
    {START, N_ ("Position servo"), N_ ("Servo valve and PID controller, step of the target"),
     "position-servo.hydrolink"},

    {LESSONS, N_ ("Your first drawing"), N_ ("A tipping trailer from the empty sheet to its first curve"),
     "first-drawing.hllesson"},
    {LESSONS, N_ ("Why it rings"), N_ ("Friction, trapped oil and the 73 Hz pair of a four-bar"),
     "why-it-rings.hllesson"},
    {LESSONS, N_ ("Trapped oil is a spring"), N_ ("The stiffness of a closed chamber, and what reduces it"),
     "trapped-oil-is-a-spring.hllesson"},
    {LESSONS, N_ ("Exact derivatives or differences"),
     N_ ("Spurious zero eigenvalues, and a step size that is never right"),
     "exact-or-by-differences.hllesson"},
    {LESSONS, N_ ("A closed valve"), N_ ("Modes, impacts, and incompressible oil"),
     "a-valve-that-is-shut.hllesson"},
    {LESSONS, N_ ("When is oil stiff enough?"), N_ ("Three models of one circuit"),
     "when-is-oil-stiff-enough.hllesson"},
    {LESSONS, N_ ("Load holding"), N_ ("A counterbalance valve that jerks, and the remedy"),
     "load-holding.hllesson"},
    {LESSONS, N_ ("Closing the loop"), N_ ("Gain, root locus and margin of a position servo"),
     "closing-the-loop.hllesson"},
    {LESSONS, N_ ("Where does the power go?"), N_ ("Pump, valves and load in one balance"),
     "where-does-the-power-go.hllesson"},
    {LESSONS, N_ ("How far does the tangent carry?"), N_ ("Where the linear response is wrong, and why"),
     "how-far-does-the-tangent-carry.hllesson"},
    {LESSONS, N_ ("The force-velocity map"), N_ ("One force for each velocity, or a whole interval"),
     "the-force-velocity-map.hllesson"},

    {LINKAGES, N_ ("Slider-crank"), N_ ("A flywheel; oil brakes the slider"), "slider-crank.hydrolink"},
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
    {LINKAGES, N_ ("Excavator arm"),
     N_ ("Two open-centre valves on one pump, shock valves and suction valves"), "excavator-arm.hydrolink"},

    {CIRCUITS, N_ ("Load-holding crane"),
     N_ ("A counterbalance valve jerks; a smaller pilot ratio removes the jerks"),
     "crane-counterbalance.hydrolink"},
    {CIRCUITS, N_ ("Double pilot-operated check"), N_ ("An outrigger that keeps its position"),
     "double-pilot-check.hydrolink"},
    {CIRCUITS, N_ ("Regenerative extension"), N_ ("Fast with the rod area, slow with the piston area"),
     "regenerative-extension.hydrolink"},
    {CIRCUITS, N_ ("Load-sensing loader"), N_ ("Arm and bucket on one pump, a compensator before each valve"),
     "load-sensing-loader.hydrolink"},
    {CIRCUITS, N_ ("Launch from an accumulator"), N_ ("A sled reaches 8 m/s within half a metre"),
     "accumulator-launch.hydrolink"},
    {CIRCUITS, N_ ("Aerial platform"), N_ ("Master and slave cylinder keep the platform level"),
     "aerial-platform.hydrolink"},
    {CIRCUITS, N_ ("Wave flap"), N_ ("Four check valves rectify the flow of a swinging cylinder"),
     "wave-flap.hydrolink"},
    {CIRCUITS, N_ ("Hydrostatic drive"), N_ ("A closed circuit drives a wheel on a sprung arm"),
     "hydrostatic-wheel.hydrolink"},
    {CIRCUITS, N_ ("Scissor lift with a plunger"), N_ ("A flow control lowers any load at the same speed"),
     "scissor-lift-plunger.hydrolink"},
    {CIRCUITS, N_ ("Press with cushions"), N_ ("Cushions stop the ram at both ends of its stroke"),
     "press-cushions.hydrolink"},
    {CIRCUITS, N_ ("Water hammer"), N_ ("A valve closes, and waves travel through a hose"),
     "water-hammer.hydrolink"},
    {CIRCUITS, N_ ("Stick-slip"), N_ ("LuGre friction, a soft hose and a small pump"),
     "stick-slip.hydrolink"},

    {VEHICLES, N_ ("Ackermann steering"), N_ ("Plan view of a steered axle with one cylinder"),
     "ackermann-steering.hydrolink"},
    {VEHICLES, N_ ("Articulated vehicle, two axles"), N_ ("Knife edges: both axles roll without slip"),
     "articulated-vehicle-rigid.hydrolink"},
    {VEHICLES, N_ ("Articulated vehicle, throttle"), N_ ("A tyre, and a throttle in the steering line"),
     "articulated-vehicle-tyre-throttle.hydrolink"},

    {QUASISTATIC, N_ ("Regeneration, valve closed"), N_ ("The arm is lowered against the meter-out valve"),
     "regeneration-arm-ua0.hydrolink"},
    {QUASISTATIC, N_ ("Regeneration, valve half open"), N_ ("Rod-side oil comes from the head side"),
     "regeneration-arm-ua05.hydrolink"},
    {QUASISTATIC, N_ ("Two arms on one pump, first run"), N_ ("The second arm takes oil from the first"),
     "two-arms-1.hydrolink"},
    {QUASISTATIC, N_ ("Two arms on one pump, second run"),
     N_ ("The same machine, driven in the other direction"), "two-arms-2.hydrolink"},

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

/* Returns the model of a lesson, which its card shows. */
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

#define THUMBNAIL_WIDTH 192
#define THUMBNAIL_HEIGHT 104
#define TEXT_CHARS 19 /* no wider than the picture above */
#define MOST_CARDS 8  /* in a row */
#define BELOW_ROW 10  /* px */

struct _HlGallery {
  GtkWindow parent_instance;
  HlApplication *application; /* outlives its windows */
  GPtrArray *cards;           /* one a template, borrowed */
  GtkWidget *page;
};

G_DEFINE_FINAL_TYPE (HlGallery, hl_gallery, GTK_TYPE_WINDOW)

static void card_activated_cb (GtkFlowBox *box, GtkFlowBoxChild *card, HlGallery *self) {
  guint template;
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));

  if (!g_ptr_array_find (self->cards, card, &template))
    return;
  hl_application_open_template (self->application, (int)template, parent);
  gtk_window_destroy (GTK_WINDOW (self));
}

static GtkWidget *text_new (const char *text, const char *class_name) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_CHARS);
  gtk_widget_add_css_class (label, class_name);
  return label;
}

GtkWidget *hl_template_card_new (int index, int width, int height) {
  HlTemplate template = hl_template_get (index);
  g_autoptr (HlDocument) document = hl_template_document (index, NULL);
  GtkWidget *card = gtk_flow_box_child_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  if (document == NULL)
    document = hl_document_new_empty ();
  GtkWidget *thumbnail = hl_thumbnail_new (document, width, height);
  gtk_widget_add_css_class (thumbnail, "thumbnail");
  gtk_widget_set_halign (thumbnail, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), thumbnail);
  gtk_box_append (GTK_BOX (box), text_new (template.title, "heading"));
  gtk_box_append (GTK_BOX (box), text_new (template.line, "dim-label"));
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (card), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_LABEL, template.title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, template.line, -1);
  return card;
}

/* Moves the focus by Up and Down from one group to the next, over the title between two groups. */
static gboolean keynav_failed_cb (GtkWidget *box, GtkDirectionType direction, HlGallery *self) {
  GtkWidget *title = direction == GTK_DIR_DOWN ? gtk_widget_get_next_sibling (box)
                     : direction == GTK_DIR_UP ? gtk_widget_get_prev_sibling (box)
                                               : NULL;
  if (title == NULL)
    return FALSE;
  GtkWidget *next =
      direction == GTK_DIR_DOWN ? gtk_widget_get_next_sibling (title) : gtk_widget_get_prev_sibling (title);
  return next != NULL && gtk_widget_child_focus (next, GTK_DIR_TAB_FORWARD);
}

static GtkWidget *group_new (HlGallery *self, GtkBox *page, const char *title) {
  GtkWidget *box = gtk_flow_box_new ();

  gtk_box_append (page, text_new (title, "group-title"));
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (box), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (box), TRUE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (box), MOST_CARDS);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (box), 8);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (box), 8);
  gtk_widget_set_halign (box, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (box), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect_object (box, "keynav-failed", G_CALLBACK (keynav_failed_cb), self, 0);
  g_signal_connect_object (box, "child-activated", G_CALLBACK (card_activated_cb), self, 0);
  gtk_box_append (page, box);
  return box;
}

static void fill_page (HlGallery *self, GtkBox *page) {
  g_autofree char *group = NULL;
  GtkWidget *box = NULL;

  for (int i = 0; i < hl_template_count (); i++) {
    HlTemplate template = hl_template_get (i);
    if (g_strcmp0 (template.group, group) != 0) {
      g_free (group);
      group = g_strdup (template.group);
      box = group_new (self, page, group);
    }
    GtkWidget *card = hl_template_card_new (i, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT);
    g_ptr_array_add (self->cards, card);
    gtk_flow_box_append (GTK_FLOW_BOX (box), card);
  }
}

static void hl_gallery_finalize (GObject *object) {
  g_ptr_array_unref (HL_GALLERY (object)->cards);
  G_OBJECT_CLASS (hl_gallery_parent_class)->finalize (object);
}

/* Returns the height of the page [px] at which the window ends below a whole row of cards; 0 = no row has an
 * allocation yet. */
static int whole_rows (HlGallery *self, int height) {
  float best = 0;

  for (guint i = 0; i < self->cards->len; i++) {
    graphene_rect_t box;
    if (!gtk_widget_compute_bounds (self->cards->pdata[i], GTK_WIDGET (self->page), &box))
      continue;
    float bottom = box.origin.y + box.size.height;
    if (bottom <= (float)height)
      best = MAX (best, bottom);
  }
  return (int)best;
}

static gboolean fit_rows_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlGallery *self = HL_GALLERY (widget);
  GtkWidget *sight = gtk_window_get_child (GTK_WINDOW (self));
  int height = gtk_widget_get_height (sight), width = gtk_widget_get_width (sight), window_width,
      window_height;

  if (width == 0)
    return G_SOURCE_CONTINUE;
  int whole = whole_rows (self, height);
  gtk_window_get_default_size (GTK_WINDOW (self), &window_width, &window_height);
  if (whole > 0 && !gtk_window_is_maximized (GTK_WINDOW (self)))
    gtk_window_set_default_size (GTK_WINDOW (self), window_width,
                                 window_height - (height - whole) + BELOW_ROW);
  return G_SOURCE_REMOVE;
}

/* Gives the focus by the box's own function, which also sets the cursor that the arrows move. */
static void map_cb (HlGallery *self) {
  gtk_widget_child_focus (gtk_widget_get_parent (self->cards->pdata[0]), GTK_DIR_TAB_FORWARD);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), fit_rows_cb, NULL, NULL);
}

static void hl_gallery_class_init (HlGalleryClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_gallery_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-template-gallery");
  HL_TREE_CHILD (klass, HlGallery, page);
  HL_TREE_CALLBACK (klass, map_cb);
}

static void hl_gallery_init (HlGallery *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->cards = g_ptr_array_new ();
  fill_page (self, GTK_BOX (self->page));
}

HlGallery *hl_gallery_present (HlApplication *application, GtkWindow *parent) {
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));

  for (GList *at = windows; at != NULL; at = at->next)
    if (HL_IS_GALLERY (at->data)) {
      gtk_window_present (at->data);
      return at->data;
    }
  HlGallery *self = g_object_new (HL_TYPE_GALLERY, "application", application, "transient-for", parent,
                                  "destroy-with-parent", TRUE, NULL);
  self->application = application;
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
