/* SPDX-License-Identifier: MIT */
/*
 * Breaking objects in well under a millisecond, from C: a file written by `brisance runtime` in, pieces out.
 *
 *   brisance_target* cup = brisance_target_open("cup.impact");      once, when the object is loaded
 *   brisance_target_strike(cup, &impact, NULL, 0, piece_of_atom);    when it is hit
 *
 * An *atom* is the smallest part into which the object can break (the pieces of `brisance prefracture`, with their
 * numbers); a *piece* consists of the atoms that stay connected after an impact. Lengths are in metres.
 * A file may have several generations of modes: a piece that the object's modes do not divide further has modes of its
 * own, by which it breaks when it is struck alone. Atoms are then the smallest parts of all generations.
 *
 * Functions that can fail return 0 on success and -1 (or NULL) on failure; then brisance_last_error() says what, where
 * and what to do. A target never changes after it was opened: any number of threads may use it at once. Only the
 * caller's arrays are written, and only on success.
 */
#ifndef BRISANCE_RUNTIME_IMPACT_H
#define BRISANCE_RUNTIME_IMPACT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BRISANCE_API __attribute__((visibility("default")))
#else
#define BRISANCE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An object that can be struck. */
typedef struct brisance_target brisance_target;

/* Distribution of a blow: like a shock wave through the material, or by distance. */
enum brisance_smear { BRISANCE_SMEAR_ELASTIC = 0, BRISANCE_SMEAR_GAUSSIAN = 1 };

/* Breaking along whole fracture modes, or only at the blow. */
enum brisance_method { BRISANCE_METHOD_MODES = 0, BRISANCE_METHOD_LEAST_SQUARES = 1 };

/* Properties of a target. */
typedef struct brisance_target_info {
  int32_t dimension; /* of space: 3 or 2 */
  int32_t num_atoms;
  int32_t num_faces;    /* pairs of atoms that touch; with several generations, of atoms of one of them */
  int32_t num_modes;    /* of the object */
  int32_t num_vertices; /* points at which blows on the object are tabulated */
  int32_t has_elastic, has_gaussian;
  double volume; /* [m^3] */
} brisance_target_info;

/* Volume [m^3], centre of mass [m], inertia about it for density 1 (xx, yy, zz, xy, yz, zx of the tensor) [m^5]. */
typedef struct brisance_solid {
  double volume;
  double centre[3];
  double inertia[6];
} brisance_solid;

/* A blow. The struck object, if it did not break, would move by `strength` along `direction` on average; faces whose
 * two sides would move apart by `threshold` or more break. Only strength/threshold counts: to relate it to a force, use
 * impulse/mass [m/s] as strength and the difference of speed that opens a face [m/s] as threshold. */
typedef struct brisance_impact {
  double point[3];     /* [m], in the object's own rest frame; the nearest vertex is struck */
  double direction[3]; /* of any nonzero length */
  double strength;
  double threshold;
  int32_t smear;  /* enum brisance_smear */
  int32_t method; /* enum brisance_method */
} brisance_impact;

/* Error text of this thread's last failed call; "" if none has failed. Valid until its next call. Never NULL. */
BRISANCE_API const char* brisance_last_error(void);

/* Reads a runtime file, from disk or from bytes in memory (which may be freed afterwards). NULL on failure. */
BRISANCE_API brisance_target* brisance_target_open(const char* path);
BRISANCE_API brisance_target* brisance_target_open_bytes(const void* bytes, size_t num_bytes);

/* Frees a target; NULL is allowed. */
BRISANCE_API void brisance_target_close(brisance_target* target);

BRISANCE_API int brisance_target_describe(const brisance_target* target, brisance_target_info* info);

/* Generations of modes in the file, 1 or more, or -1 on failure. */
BRISANCE_API int32_t brisance_target_generations(const brisance_target* target);

/* Shapes of all atoms, into an array of num_atoms. */
BRISANCE_API int brisance_target_atoms(const brisance_target* target, brisance_solid* atoms);

/* Name of an atom's node in the GLB of `brisance assets`: "piece_0007" for atom 7. Writes at most size - 1 characters
 * and a zero. Returns the name's length without the zero, or -1 on failure; if it is not less than `size`, the name was
 * cut. */
BRISANCE_API int32_t brisance_target_atom_name(const brisance_target* target, int32_t atom, char* name, size_t size);

/* Strikes the whole object (body_of_atom NULL), or the piece made of the atoms whose entry in body_of_atom is `body`:
 * give the piece_of_atom of an earlier answer to break a piece further.
 * piece_of_atom: num_atoms entries, the piece of each atom from 0, -1 for atoms not struck.
 * Returns the number of pieces, at least 1 if anything is struck, or -1 on failure. */
BRISANCE_API int32_t brisance_target_strike(const brisance_target* target, const brisance_impact* impact,
                                            const int32_t* body_of_atom, int32_t body, int32_t* piece_of_atom);

/* Shapes of the pieces 0 … num_pieces-1 of an answer, into an array of num_pieces. */
BRISANCE_API int brisance_target_pieces(const brisance_target* target, const int32_t* piece_of_atom, int32_t num_pieces,
                                        brisance_solid* pieces);

#ifdef __cplusplus
}
#endif

#endif
