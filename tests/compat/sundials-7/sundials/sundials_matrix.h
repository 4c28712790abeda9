/* SPDX-License-Identifier: MIT */
#pragma once

#include <sunmatrix/sunmatrix_dense.h>
