/* SPDX-License-Identifier: MIT */
#pragma once

#include <sunlinsol/sunlinsol_dense.h>
