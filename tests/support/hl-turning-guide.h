/* SPDX-License-Identifier: MIT */
/* A guide that turns fully about a pivot, two sledges on springs swinging in it, no gravity. Three
 * degrees of freedom: one sledge has either x or y independent, and neither stays a good coordinate
 * for long, so the partition has to follow the guide around. */
#pragma once

/* clang-format off */
#define HL_TURNING_GUIDE \
  "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, 0]," \
  " \"ground\": {\"points\": {\"O\": [0, 0]}}," \
  " \"bodies\": [" \
  "  {\"id\": \"guide\", \"points\": {\"O\": [0, 0], \"G\": [0.2, 0]}, \"mass\": 4," \
  "   \"inertia\": 0.5, \"pose\": [0, 0, 0.3], \"velocity\": [0, 0, 4]}," \
  "  {\"id\": \"sledge\", \"points\": {\"S\": [0, 0]}, \"mass\": 2, \"inertia\": 0.1," \
  "   \"pose\": [0.5732018935, 0.1773121240, 0.3], \"velocity\": [0, 0, 4]}," \
  "  {\"id\": \"other\", \"points\": {\"S\": [0, 0]}, \"mass\": 3, \"inertia\": 0.1," \
  "   \"pose\": [-0.4776682446, -0.1477601033, 0.3], \"velocity\": [0, 0, 4]}]," \
  " \"joints\": [" \
  "  {\"id\": \"pivot\", \"kind\": \"revolute\", \"a\": \"ground.O\", \"b\": \"guide.O\"}," \
  "  {\"id\": \"rail\", \"kind\": \"prismatic\", \"a\": \"guide.G\", \"b\": \"sledge.S\"," \
  "   \"axis\": 0}," \
  "  {\"id\": \"rail2\", \"kind\": \"prismatic\", \"a\": \"guide.G\", \"b\": \"other.S\"," \
  "   \"axis\": 0}]," \
  " \"loads\": [{\"id\": \"spring\", \"kind\": \"spring\", \"a\": \"guide.O\"," \
  "   \"b\": \"sledge.S\", \"stiffness\": 120, \"free_length\": 0.4}," \
  "  {\"id\": \"spring2\", \"kind\": \"spring\", \"a\": \"guide.O\"," \
  "   \"b\": \"other.S\", \"stiffness\": 200, \"free_length\": 0.4}]," \
  " \"simulation\": {\"start\": \"as-given\"}}"
/* clang-format on */
