/* SPDX-License-Identifier: MIT */
/* A bar on three equal parallel cranks, one too many, that hangs and swings: the rows in force have
 * to change on the way. */
#pragma once

/* clang-format off */
#define HL_SWINGING_BAR \
  "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, -9.81]," \
  " \"ground\": {\"points\": {\"O0\": [0, 0], \"O1\": [2, 0], \"O2\": [4, 0]}}," \
  " \"bodies\": [" \
  "  {\"id\": \"c0\", \"points\": {\"A\": [-0.5, 0], \"B\": [0.5, 0]}, \"mass\": 1, \"inertia\": 0.1," \
  "   \"pose\": [0.4387912809451864, -0.2397127693021015, -0.5]}," \
  "  {\"id\": \"c1\", \"points\": {\"A\": [-0.5, 0], \"B\": [0.5, 0]}, \"mass\": 1, \"inertia\": 0.1," \
  "   \"pose\": [2.438791280945186, -0.2397127693021015, -0.5]}," \
  "  {\"id\": \"c2\", \"points\": {\"A\": [-0.5, 0], \"B\": [0.5, 0]}, \"mass\": 1, \"inertia\": 0.1," \
  "   \"pose\": [4.438791280945186, -0.2397127693021015, -0.5]}," \
  "  {\"id\": \"bar\", \"points\": {\"P0\": [-2, 0], \"P1\": [0, 0], \"P2\": [2, 0]}, \"mass\": 2," \
  "   \"inertia\": 0.5, \"pose\": [2.877582561890373, -0.479425538604203, 0]}]," \
  " \"joints\": [" \
  "  {\"id\": \"a0\", \"kind\": \"revolute\", \"a\": \"ground.O0\", \"b\": \"c0.A\"}," \
  "  {\"id\": \"a1\", \"kind\": \"revolute\", \"a\": \"ground.O1\", \"b\": \"c1.A\"}," \
  "  {\"id\": \"a2\", \"kind\": \"revolute\", \"a\": \"ground.O2\", \"b\": \"c2.A\"}," \
  "  {\"id\": \"b0\", \"kind\": \"revolute\", \"a\": \"c0.B\", \"b\": \"bar.P0\"}," \
  "  {\"id\": \"b1\", \"kind\": \"revolute\", \"a\": \"c1.B\", \"b\": \"bar.P1\"}," \
  "  {\"id\": \"b2\", \"kind\": \"revolute\", \"a\": \"c2.B\", \"b\": \"bar.P2\"}]," \
  " \"simulation\": {\"start\": \"as-given\"}}"
/* clang-format on */
