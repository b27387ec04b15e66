/* The library as a game written in C would use it. usage: c_program FILE.impact (row_of_cubes(6, 6)) */
#include "brisance/runtime/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ATOMS = 16 };

static int failures = 0;

static void expect(int right, const char* what) {
  if (right) return;
  printf("FAILED: %s (last error: %s)\n", what, brisance_last_error());
  ++failures;
}

static void strike_and_strike_again(const brisance_target* target, const brisance_impact* impact) {
  int32_t piece_of_atom[MAX_ATOMS], again[MAX_ATOMS];
  brisance_solid pieces[MAX_ATOMS];
  double volume = 0;
  int32_t i, num_pieces = brisance_target_strike(target, impact, NULL, 0, piece_of_atom);
  expect(num_pieces > 1 && num_pieces < 6, "some faces break, some hold");
  expect(brisance_target_pieces(target, piece_of_atom, num_pieces, pieces) == 0, "pieces have shapes");
  for (i = 0; i < num_pieces; ++i) volume += pieces[i].volume;
  expect(fabs(volume - 6) < 1e-12, "pieces fill the object");

  expect(brisance_target_strike(target, impact, piece_of_atom, 0, again) >= 1, "a piece can be struck");
  for (i = 0; i < 6; ++i) expect((again[i] >= 0) == (piece_of_atom[i] == 0), "only its atoms are");
}

static void names(const brisance_target* target) {
  char name[16] = "untouched", cut[4];
  expect(brisance_target_atom_name(target, 5, name, sizeof name) == 10 && strcmp(name, "piece_0005") == 0, "atoms have names");
  expect(brisance_target_atom_name(target, 5, cut, sizeof cut) == 10 && strcmp(cut, "pie") == 0, "a name that is cut");
  expect(brisance_target_atom_name(target, 0, NULL, 0) == 10, "the length alone");
  expect(brisance_target_atom_name(target, 6, name, sizeof name) == -1, "no such atom");
  expect(strstr(brisance_last_error(), "no atom 6") != NULL, "the message names it");
}

static void mistakes(const brisance_target* target, brisance_impact impact) {
  int32_t piece_of_atom[MAX_ATOMS] = {7, 7, 7, 7, 7, 7};
  expect(brisance_target_open("/nowhere/cup.impact") == NULL, "a missing file");
  expect(strstr(brisance_last_error(), "/nowhere/cup.impact") != NULL, "the message names the file");
  expect(brisance_target_open_bytes("BRISIMP\n", 8) == NULL, "a truncated file");
  expect(strstr(brisance_last_error(), "truncated") != NULL, "the message says truncated");
  expect(brisance_target_strike(NULL, &impact, NULL, 0, piece_of_atom) == -1, "no target");
  expect(brisance_target_strike(target, &impact, NULL, 0, NULL) == -1, "no array");
  impact.smear = 5;
  expect(brisance_target_strike(target, &impact, NULL, 0, piece_of_atom) == -1, "no such smear");
  expect(strstr(brisance_last_error(), "smear 5") != NULL, "the message names it");
  expect(piece_of_atom[0] == 7, "nothing written on failure");
  brisance_target_close(NULL);
}

int main(int argc, char** argv) {
  brisance_target* target = argc == 2 ? brisance_target_open(argv[1]) : NULL;
  brisance_target_info info;
  brisance_solid atoms[MAX_ATOMS];
  const brisance_impact impact = {{0.5, 0.5, 1}, {0, 0, -1}, 1, 0.5, BRISANCE_SMEAR_ELASTIC, BRISANCE_METHOD_MODES};
  expect(target != NULL, "the file opens");
  if (!target) return 1;
  expect(strcmp(brisance_last_error(), "") == 0, "no error yet");
  expect(brisance_target_describe(target, &info) == 0 && info.num_atoms == 6 && info.num_faces == 5,
         "it has six atoms");
  expect(info.num_modes == 6 && info.has_elastic == 1 && info.has_gaussian == 1 && fabs(info.volume - 6) < 1e-12,
         "modes, smears, volume");
  expect(brisance_target_atoms(target, atoms) == 0 && atoms[5].centre[0] == 5.5, "atoms have shapes");
  strike_and_strike_again(target, &impact);
  names(target);
  mistakes(target, impact);
  brisance_target_close(target);
  return failures != 0;
}
