/* SPDX-License-Identifier: MIT */
/* hl-runtime-large-islands.c where no island is a large one, and there is little oil. */
#include "core/fmu/hl-runtime-instance.h"

static size_t hl_model_room_of_sparse (const HlIslandWork *iw) {
  (void)iw;
  return 0;
}

static void hl_model_visit_sparse (const HlIsland *island, HlIslandWork *iw, HlVisit *visit) {
  (void)island;
  (void)iw;
  (void)visit;
}

static void hl_model_visit_looks (HlModel *m, HlVisit *visit) {
  (void)m;
  (void)visit;
}

static void hl_model_take_early_sparse (HlIslandWork *iw) {
  (void)iw;
}

static const HlOdeShifted *hl_model_make_shifted (HlModel *m) {
  (void)m;
  return NULL;
}

static void hl_model_free_shifted (HlModel *m) {
  (void)m;
}

static void hl_model_fit_shifted (HlModel *m) {
  (void)m;
}

static void hl_model_visit_shifted (HlModel *m, HlVisit *visit) {
  (void)m;
  (void)visit;
}
