/* SPDX-License-Identifier: MIT */
/* The lumped model: compressible oil in every line. It runs whatever compiles. */
#include "core/base/hl-i18n.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-oil-model.h"

const HlOilModel hl_oil_lumped = {
    .kind = HL_MODEL_LUMPED,
    .bit = HL_OIL_LUMPED,
    .name = "lumped",
    .label = NC_ ("choice", "lumped"),
    .idle = N_ ("Not used by the lumped model"),
    .use = N_ ("Use the lumped model"),
    .suits = N_ ("Lumped suits this drawing.\n"),
    .keeps = N_ ("Lumped keeps everything: oscillations of the oil, eigenvalues, rising "
                 "pressures. The smaller and stiffer the volumes, the smaller its "
                 "steps.\n"),
    .n_forms = 2,
    .forms = {{.formulation = HL_FORMULATION_REDUCED, .form = &hl_sim_form_reduced},
              {.formulation = HL_FORMULATION_BAUMGARTE, .form = &hl_sim_form_baumgarte, .has_decay = true}},
    .has_points = true,
    .fills_lines = true,
};
