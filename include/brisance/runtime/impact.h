/*
 * Breaking objects in well under a millisecond, from C: a file written by `brisance runtime` in, pieces out.
 *
 *   brisance_target* cup = brisance_target_open("cup.impact");      once, when the object is loaded
 *   brisance_target_strike(cup, &impact, NULL, 0, piece_of_atom);    when it is hit
 *
 * An *atom* is the smallest part the object can break into (the pieces of `brisance prefracture`, same numbering); a
 * *piece* is what an impact leaves together: one or more atoms. Lengths are metres, angles do not occur.
 *
 * Functions that can fail return 0 on success and -1 (or NULL) on failure; then brisance_last_error() says what, where
 * and what to do. A target never changes after it was opened: any number of threads may use it at once. Nothing is
 * written beyond the arrays the caller gives, and only on success.
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

/* How a blow spreads: like a shock wave through the material, or by distance through space. */
enum brisance_smear { BRISANCE_SMEAR_ELASTIC = 0, BRISANCE_SMEAR_GAUSSIAN = 1 };

/* How it breaks: along whole fracture modes, or only where the blow is. */
enum brisance_method { BRISANCE_METHOD_MODES = 0, BRISANCE_METHOD_LEAST_SQUARES = 1 };

/* What a file holds. */
typedef struct brisance_target_info {
  int32_t dimension;    /* of space: 3 or 2 */
  int32_t num_atoms;
  int32_t num_faces;    /* pairs of atoms that touch */
  int32_t num_modes;
  int32_t num_vertices; /* points at which blows are known */
  int32_t has_elastic, has_gaussian;
  double volume;        /* [m^3] */
} brisance_target_info;

/* Volume [m^3], centre of mass [m], inertia about it for density 1 (xx, yy, zz, xy, yz, zx of the tensor) [m^5]. */
typedef struct brisance_solid {
  double volume;
  double centre[3];
  double inertia[6];
} brisance_solid;

/* A blow. Unbroken, what it strikes would move by `strength` along `direction` on average; faces whose two sides would
 * move apart by `threshold` or more break. Only strength/threshold counts: to link it to a force, take impulse/mass
 * [m/s] as strength and the difference of speed that opens a face [m/s] as threshold. */
typedef struct brisance_impact {
  double point[3];     /* [m], in the object's own rest frame; the nearest vertex is struck */
  double direction[3]; /* of any length but 0 */
  double strength;
  double threshold;
  int32_t smear;       /* enum brisance_smear */
  int32_t method;      /* enum brisance_method */
} brisance_impact;

/* Why the last call of this thread failed; "" if none has. Valid until the thread's next call. Never NULL. */
BRISANCE_API const char* brisance_last_error(void);

/* Reads a runtime file, from disk or from bytes in memory (which may be freed afterwards). NULL on failure. */
BRISANCE_API brisance_target* brisance_target_open(const char* path);
BRISANCE_API brisance_target* brisance_target_open_bytes(const void* bytes, size_t num_bytes);

/* Frees a target; NULL is allowed. */
BRISANCE_API void brisance_target_close(brisance_target* target);

BRISANCE_API int brisance_target_describe(const brisance_target* target, brisance_target_info* info);

/* Shapes of all atoms, into an array of num_atoms. */
BRISANCE_API int brisance_target_atoms(const brisance_target* target, brisance_solid* atoms);

/* Strikes the whole object (body_of_atom NULL), or the piece made of the atoms whose entry in body_of_atom is `body`:
 * give the piece_of_atom of an earlier answer to break a piece further.
 * piece_of_atom: num_atoms entries, the piece of each atom from 0, -1 for atoms not struck.
 * Returns the number of pieces, at least 1 if anything is struck, or -1 on failure. */
BRISANCE_API int32_t brisance_target_strike(const brisance_target* target, const brisance_impact* impact,
                                            const int32_t* body_of_atom, int32_t body, int32_t* piece_of_atom);

/* Shapes of the pieces 0 … num_pieces-1 of an answer, into an array of num_pieces. */
BRISANCE_API int brisance_target_pieces(const brisance_target* target, const int32_t* piece_of_atom,
                                        int32_t num_pieces, brisance_solid* pieces);

#ifdef __cplusplus
}
#endif

#endif
