// Impacts on an object that breaks along its modes: the formulas of src/runtime/impact_answer.cpp, in their order.
"use strict";

const NEW_IN_BODY = 1e-9;  // a mode is dropped if less than this share of its norm is new in a body

/* Sum over atoms of weight u v. */
function product(u, v, weight, components) {
  let sum = 0;
  for (let a = 0; a < weight.length; ++a)
    for (let k = 0; k < components; ++k) sum += weight[a] * u[components * a + k] * v[components * a + k];
  return sum;
}

function addTo(u, factor, v) {
  for (let i = 0; i < u.length; ++i) u[i] += factor * v[i];
}

/* The modes made orthonormal, each against those before it, twice; those that are not new are dropped. */
function orthonormalised(modes, weight, components) {
  const kept = [];
  for (const mode of modes) {
    const u = Float64Array.from(mode);
    for (let pass = 0; pass < 2; ++pass)
      for (const v of kept) addTo(u, -product(u, v, weight, components), v);
    const norm = Math.sqrt(product(u, u, weight, components));
    if (norm < NEW_IN_BODY || norm === 0) continue;
    kept.push(u.map(x => x / norm));
  }
  return kept;
}

/* The closest displacement in the span of orthonormal modes, [S22] eq. (20). */
function projected(modes, weight, components, displacement) {
  const sum = new Float64Array(displacement.length);
  for (const u of modes) addTo(sum, product(u, displacement, weight, components), u);
  return sum;
}

class ImpactTarget {
  /* set: components, volumes, faces (pairs of atoms), energies, values (mode by mode), axisStrength, dimension,
     vertices (x y z), share (vertex by vertex, of each atom) */
  constructor(set) {
    Object.assign(this, set);
    const size = this.volumes.length * this.components;
    this.modes = Array.from(this.energies, (_, i) => this.values.subarray(i * size, (i + 1) * size));
  }
  nearestVertex(point) {
    let best = 0, nearest = Infinity;
    for (let v = 0; v < this.vertices.length / 3; ++v) {
      const d = point.reduce((sum, x, k) => sum + (x - this.vertices[3 * v + k]) ** 2, 0);
      if (d < nearest) [best, nearest] = [v, d];
    }
    return best;
  }
  /* Mean displacement of each atom along the blow for unit strength. */
  meanDisplacement(vertex, weight) {
    const count = weight.length, share = this.share.subarray(vertex * count, (vertex + 1) * count);
    let received = 0, volume = 0;
    for (let a = 0; a < count; ++a) {
      volume += weight[a];
      if (weight[a] > 0) received += share[a];
    }
    return Float64Array.from(weight, (w, a) => received > 0 && w > 0 ? volume / received * share[a] / w : 0);
  }
  /* The fields that count along an axis: up to the energy for which the set is complete. */
  modesAlong(axis) {
    const weakest = Math.min(...this.axisStrength.slice(0, this.dimension)), most = Math.max(...this.energies);
    return this.modes.filter((_, i) => this.energies[i] <= most * (weakest / this.axisStrength[axis]));
  }
  /* A blow on the whole, or on the atoms whose entry in bodyOfAtom is `body`.
     impact: point, direction, strength, threshold, leastSquares. Returns vertex, displacement (x y z of each atom),
     components, pieceOfAtom (-1 where not struck) and numPieces. */
  strike(impact, bodyOfAtom = null, body = 0) {
    const count = this.volumes.length, length = Math.hypot(...impact.direction);
    const direction = impact.direction.map(x => x / length);
    const weight = Float64Array.from(this.volumes, (v, a) => bodyOfAtom && bodyOfAtom[a] !== body ? 0 : v);
    const vertex = this.nearestVertex(impact.point);
    const amount = this.meanDisplacement(vertex, weight).map(x => x * impact.strength);
    const byModes = !impact.leastSquares, [x, y, z] = this.axisStrength;
    const byAxis = byModes && this.components === 1 && this.energies.length > 0 && !(x === y && y === z);
    const basis = (modes, components) => bodyOfAtom ? orthonormalised(modes, weight, components) : modes;
    let components = byAxis ? 3 : this.components, w;
    if (byAxis) {
      w = new Float64Array(3 * count);
      for (let axis = 0; axis < 3; ++axis)
        projected(basis(this.modesAlong(axis), 1), weight, 1, amount)
          .forEach((value, a) => { w[3 * a + axis] = value * direction[axis]; });
    } else {
      w = new Float64Array(components * count);
      for (let a = 0; a < count; ++a)
        for (let k = 0; k < components; ++k) w[components * a + k] = components === 1 ? amount[a] : amount[a] * direction[k];
      if (byModes) w = projected(basis(this.modes, components), weight, components, w);
    }
    for (let i = 0; i < w.length; ++i) if (weight[Math.floor(i / components)] === 0) w[i] = 0;
    const pieces = this.pieces(weight, w, components, impact.threshold);
    const displacement = components === 1
      ? Float64Array.from({ length: 3 * count }, (_, i) => w[Math.floor(i / 3)] * direction[i % 3]) : w;
    return { vertex, displacement, components: components === 1 ? 3 : components, jumps: this.jumps(w, components), ...pieces };
  }
  /* Distance by which the sides of each face move apart. */
  jumps(w, components) {
    return Float64Array.from({ length: this.faces.length / 2 }, (_, f) => {
      let squared = 0;
      for (let k = 0; k < components; ++k)
        squared += (w[components * this.faces[2 * f] + k] - w[components * this.faces[2 * f + 1] + k]) ** 2;
      return Math.sqrt(squared);
    });
  }
  /* Joins atoms across faces that stay closed. */
  pieces(weight, w, components, threshold) {
    const root = Int32Array.from(weight, (_, a) => a), jumps = this.jumps(w, components);
    const rootOf = a => {
      while (root[a] !== a) a = root[a] = root[root[a]];
      return a;
    };
    jumps.forEach((jump, f) => {
      const [i, j] = [this.faces[2 * f], this.faces[2 * f + 1]];
      if (weight[i] === 0 || weight[j] === 0 || jump >= threshold) return;
      const [a, b] = [rootOf(i), rootOf(j)];
      root[Math.max(a, b)] = Math.min(a, b);
    });
    const pieceOfAtom = new Int32Array(weight.length).fill(-1);
    let numPieces = 0;
    for (let a = 0; a < weight.length; ++a)
      if (weight[a] > 0) pieceOfAtom[a] = root[a] === a ? numPieces++ : pieceOfAtom[rootOf(a)];
    return { pieceOfAtom, numPieces };
  }
}
