// The moving pieces: three.js (r111) with what src/exports/report/moving_surface.cpp has written.
"use strict";

/* Arrays of the page by name, inflated when first asked for. */
class Arrays {
  constructor(table, text) {
    this.table = table;
    const binary = atob(text.trim());
    this.bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) this.bytes[i] = binary.charCodeAt(i);
    this.known = new Map();
  }
  has(name) { return name in this.table; }
  async get(name) {
    if (!this.has(name)) return null;
    if (!this.known.has(name)) {
      const [type, offset, length] = this.table[name];
      const stream = new Blob([this.bytes.subarray(offset, offset + length)]).stream()
        .pipeThrough(new DecompressionStream("deflate"));
      this.known.set(name, new window[type](await new Response(stream).arrayBuffer()));
    }
    return this.known.get(name);
  }
}

const OUTSIDE = [0.62, 0.33, 0.22], CRACK = [0.93, 0.86, 0.72], PLAIN = [0.85, 0.85, 0.85];

/* The colours of the legend (turbo), as red, green, blue of a share from 0 to 1. */
function shareColour(share) {
  const stops = [[48, 18, 59], [71, 119, 239], [27, 208, 213], [98, 252, 107], [210, 233, 53], [254, 155, 45], [219, 58, 7], [122, 4, 3]];
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1), low = Math.min(Math.floor(place), stops.length - 2);
  return [0, 1, 2].map(k => (stops[low][k] + (stops[low + 1][k] - stops[low][k]) * (place - low)) / 255);
}

/* A hue for each number, far from that of the next. */
function pieceColour(number) {
  const colour = new THREE.Color().setHSL((number * 0.6180339887498949) % 1, 0.55, 0.6);
  return [colour.r, colour.g, colour.b];
}

function surfaceMaterial() {
  return new THREE.MeshStandardMaterial({ vertexColors: THREE.VertexColors, roughness: 0.75, metalness: 0, side: THREE.DoubleSide });
}

function largest(values) {
  let result = 0;
  for (const v of values) if (v > result) result = v;
  return result;
}

/* Rigid pieces: shapes that do not change, with a position and a rotation in each frame. */
class RigidPieces {
  async load(data, arrays) {
    const [points, corners, kind, counts, motions] =
      await Promise.all(["points", "corners", "kind", "counts", "motions"].map(name => arrays.get(name)));
    this.values = { speed: await arrays.get("speed"), stress: await arrays.get("stress") };
    this.motions = motions;
    this.number = data.pieces.length;
    this.object = new THREE.Group();
    this.meshes = [];
    const scale = data.reach_m / 32767;
    for (let p = 0, v = 0, t = 0; p < this.number; v += counts[2 * p], t += counts[2 * p + 1], ++p) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(points.subarray(3 * v, 3 * (v + counts[2 * p])), x => x * scale), 3));
      geometry.setIndex(new THREE.BufferAttribute(corners.slice(3 * t, 3 * (t + counts[2 * p + 1])), 1));
      geometry.computeVertexNormals();
      geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * counts[2 * p]), 3));
      geometry.computeBoundingSphere();
      const mesh = new THREE.Mesh(geometry, surfaceMaterial());
      mesh.kind = kind.subarray(v, v + counts[2 * p]);
      this.meshes.push(mesh);
      this.object.add(mesh);
    }
    this.modes = ["material", "piece"].concat(Object.keys(this.values).filter(name => this.values[name]));
    this.limits = {};
    for (const name of this.modes.slice(2)) this.limits[name] = largest(this.values[name]);
    return this;
  }
  motion(piece, frame) {
    const at = 7 * (frame * this.number + piece), m = this.motions;
    return { place: new THREE.Vector3(m[at], m[at + 1], m[at + 2]), turn: new THREE.Quaternion(m[at + 3], m[at + 4], m[at + 5], m[at + 6]) };
  }
  async show(low, high, share, mode, apart) {
    const middle = new THREE.Vector3();
    this.meshes.forEach((mesh, p) => {
      const a = this.motion(p, low), b = this.motion(p, high);
      mesh.position.copy(a.place).lerp(b.place, share);
      mesh.quaternion.copy(a.turn).slerp(b.turn, share);
      middle.add(mesh.position);
    });
    middle.divideScalar(Math.max(1, this.number));
    for (const mesh of this.meshes) mesh.position.addScaledVector(mesh.position.clone().sub(middle), apart);
    this.paint(mode, share < 0.5 ? low : high);
  }
  paint(mode, frame) {
    if (mode !== this.mode) {
      for (const mesh of this.meshes) {
        const colours = mesh.geometry.attributes.color;
        const [outside, crack] = mode === "material" ? [OUTSIDE, CRACK] : [PLAIN, [1, 1, 1]];
        mesh.kind.forEach((k, v) => colours.setXYZ(v, ...(k ? crack : outside)));
        colours.needsUpdate = true;
      }
      this.mode = mode;
    }
    this.meshes.forEach((mesh, p) => {
      if (mode === "material") mesh.material.color.setRGB(1, 1, 1);
      else if (mode === "piece") mesh.material.color.setRGB(...pieceColour(p));
      else mesh.material.color.setRGB(...shareColour(this.values[mode][frame * this.number + p] / this.limits[mode]));
    });
  }
}

/* A surface of its own in each frame. */
class DeformingSurface {
  async load(data, arrays) {
    this.data = data;
    this.arrays = arrays;
    this.object = new THREE.Group();
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), surfaceMaterial());
    this.mesh.frustumCulled = false;
    this.object.add(this.mesh);
    this.limits = {};
    for (const name of ["speed", "stress"]) this.limits[name] = Math.max(0, ...data.frames.map(f => f.ranges[name]));
    this.modes = ["material", "piece"].concat(["speed", "stress"].filter(name => this.limits[name] > 0));
    return this;
  }
  async show(low, high, share, mode, apart) {
    const number = share < 0.5 ? low : high, key = [number, mode].join();
    if (this.shown === key) return;
    this.shown = key;
    const frame = this.data.frames[number];
    const [points, corners, kind, piece, values] = await Promise.all(
      [`points/${number}`, `corners/${frame.topology}`, `kind/${frame.topology}`, `piece/${frame.topology}`, `${mode}/${number}`]
        .map(name => this.arrays.get(name)));
    if (this.shown !== key) return;
    const scale = frame.reach_m / 32767, positions = new Float32Array(points.length), colours = new Float32Array(points.length);
    for (let i = 0; i < points.length; ++i) positions[i] = points[i] * scale + frame.centre_m[i % 3];
    const scaled = this.limits[mode] > 0 ? frame.ranges[mode] / this.limits[mode] / 255 : 0;
    for (let v = 0; v < kind.length; ++v) {
      const tone = kind[v] ? 1 : 0.85;
      const colour = mode === "material" ? (kind[v] ? CRACK : OUTSIDE)
        : mode === "piece" ? pieceColour(piece[v]).map(c => c * tone)
        : shareColour(values ? values[v] * scaled : 0).map(c => c * tone);
      colours.set(colour, 3 * v);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    geometry.setIndex(new THREE.BufferAttribute(corners, 1));
    geometry.computeVertexNormals();
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }
}

/* Balls, boxes, meshes and planes that stand in the way. */
class Colliders {
  async load(data, arrays, size, middle) {
    this.object = new THREE.Group();
    this.list = data.colliders;
    this.poses = await Promise.all(data.frames.map((_, f) => arrays.get(`colliders/${f}`)));
    const look = new THREE.MeshStandardMaterial({ color: 0x8a939c, roughness: 0.9, side: THREE.DoubleSide });
    this.meshes = await Promise.all(this.list.map(async (c, i) => {
      if (c.kind === "plane") return this.plane(c, size, middle);
      let geometry;
      if (c.kind === "sphere") geometry = new THREE.SphereBufferGeometry(c.size[0], 48, 24);
      else if (c.kind === "box") geometry = new THREE.BoxBufferGeometry(...c.size);
      else {
        geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(await arrays.get(`collider_points/${i}`), 3));
        geometry.setIndex(new THREE.BufferAttribute(await arrays.get(`collider_corners/${i}`), 1));
        geometry.computeVertexNormals();
      }
      return new THREE.Mesh(geometry, look);
    }));
    for (const mesh of this.meshes) this.object.add(mesh);
    return this;
  }
  plane(c, size, middle) {
    const mesh = new THREE.Mesh(new THREE.CircleBufferGeometry(3 * size, 64),
      new THREE.MeshStandardMaterial({ color: 0xb9c0c6, roughness: 1, side: THREE.FrontSide }));
    mesh.normal = new THREE.Vector3(...c.size).normalize();
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), mesh.normal);
    mesh.middle = middle;
    return mesh;
  }
  show(frame) {
    const poses = this.poses[frame];
    if (!poses) return;
    this.meshes.forEach((mesh, i) => {
      const at = 7 * i, place = new THREE.Vector3(poses[at], poses[at + 1], poses[at + 2]);
      if (mesh.normal) // the foot of the middle on the plane
        mesh.position.copy(mesh.middle).addScaledVector(mesh.normal, mesh.normal.dot(place) - mesh.normal.dot(mesh.middle));
      else {
        mesh.position.copy(place);
        mesh.quaternion.set(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
      }
    });
  }
}

/* Small pieces that have become balls. */
class Particles {
  async load(data, arrays) {
    this.rows = await Promise.all(data.frames.map((_, f) => arrays.get(`particles/${f}`)));
    const most = Math.max(1, ...this.rows.map(r => r ? r.length / 4 : 0));
    this.object = new THREE.InstancedMesh(new THREE.IcosahedronBufferGeometry(1, 0),
      new THREE.MeshStandardMaterial({ color: 0xcdbb9c, roughness: 0.9 }), most);
    this.object.frustumCulled = false;
    this.object.count = 0;
    return this;
  }
  show(frame) {
    const rows = this.rows[frame] || [], matrix = new THREE.Matrix4();
    this.object.count = rows.length / 4;
    for (let i = 0; i < this.object.count; ++i) {
      matrix.makeScale(rows[4 * i + 3], rows[4 * i + 3], rows[4 * i + 3]);
      matrix.setPosition(rows[4 * i], rows[4 * i + 1], rows[4 * i + 2]);
      this.object.setMatrixAt(i, matrix);
    }
    this.object.instanceMatrix.needsUpdate = true;
  }
}

/* Scene, camera and lights; z is up. */
class View {
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(window.devicePixelRatio);
    this.renderer.gammaOutput = true;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8378, 0.75));
    for (const [x, y, z, strength] of [[1, -0.6, 1.4, 0.75], [-1, 0.5, 0.6, 0.25]]) {
      const light = new THREE.DirectionalLight(0xffffff, strength);
      light.position.set(x, y, z);
      this.camera.add(light);
      light.position.set(x, z, 1);
    }
    this.scene.add(this.camera);
    this.resize();
  }
  async load(data, arrays) {
    this.surface = await (data.rigid ? new RigidPieces() : new DeformingSurface()).load(data, arrays);
    this.scene.add(this.surface.object);
    this.particles = await new Particles().load(data, arrays);
    this.scene.add(this.particles.object);
    await this.surface.show(0, 0, 0, "material", 0);
    const box = new THREE.Box3().setFromObject(this.surface.object);
    await this.surface.show(data.frames.length - 1, data.frames.length - 1, 0, "material", 0);
    const last = new THREE.Box3().setFromObject(this.surface.object);
    this.size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
    // Pieces that fly far do not make the rest small; an object that falls as a whole is followed.
    const near = last.clone().intersect(box.clone().expandByScalar(0.6 * this.size));
    box.union(near.isEmpty() ? last : near);
    this.middle = box.getCenter(new THREE.Vector3());
    this.reach = box.getSize(new THREE.Vector3()).length() / 2;
    this.colliders = await new Colliders().load(data, arrays, Math.max(this.size, this.reach), this.middle);
    this.scene.add(this.colliders.object);
    this.home();
  }
  home() {
    const distance = 0.9 * this.reach / Math.sin(this.camera.fov * Math.PI / 360);
    this.camera.near = distance / 500;
    this.camera.far = distance * 50;
    this.controls.target.copy(this.middle);
    this.camera.position.copy(this.middle).add(new THREE.Vector3(0.55, -0.75, 0.42).normalize().multiplyScalar(distance));
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }
  resize() {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }
  async show(low, high, share, mode, apart) {
    await this.surface.show(low, high, share, mode, apart);
    const nearest = share < 0.5 ? low : high;
    this.colliders.show(nearest);
    this.particles.show(nearest);
  }
  draw() { this.renderer.render(this.scene, this.camera); }
}
