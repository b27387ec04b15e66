// The page of fracture modes: each mode in colours, and clicks that break the object along all of them.
"use strict";

const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

function problem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = false;
}

async function targetOf(arrays) {
  const [volumes, faces, values, vertices, share] =
    await Promise.all(["volumes", "faces", "values", "vertices", "share"].map(name => arrays.get(name)));
  return new ImpactTarget({ components: data.components, dimension: data.dimension, energies: data.energies,
    axisStrength: data.axis_strength, volumes, faces, values: values || new Float64Array(0), vertices, share });
}

class Modes {
  constructor(view, target) {
    this.view = view;
    this.target = target;
    this.meshes = view.surface.meshes;
    this.centres = this.meshes.map(mesh => mesh.position.clone());
    this.strikes = [];
    byId("show").append(new Option("pieces", "-1"));
    data.energies.forEach((energy, i) => byId("show").append(new Option(`mode ${i}, energy ${Number(energy.toPrecision(3))}`, i)));
    for (const id of ["show", "sigma", "local", "apart"]) byId(id).oninput = () => this.answer();
    byId("home").onclick = () => view.home();
    byId("whole").onclick = () => { this.strikes = []; this.answer(); };
    window.addEventListener("resize", () => view.resize());
    const canvas = view.renderer.domElement;
    let down = null;
    canvas.addEventListener("pointerdown", event => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", event => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) this.click(event);
    });
    this.answer();
    this.draw();
  }
  /* Where the line of sight meets the object, in its place at rest. */
  click(event) {
    const frame = this.view.renderer.domElement.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.setFromCamera({ x: 2 * (event.clientX - frame.left) / frame.width - 1, y: 1 - 2 * (event.clientY - frame.top) / frame.height }, this.view.camera);
    const [hit] = ray.intersectObjects(this.meshes);
    if (!hit) return;
    const atom = this.meshes.indexOf(hit.object);
    const point = hit.point.clone().sub(hit.object.position).add(this.centres[atom]);
    this.strike({ point: point.toArray(), direction: ray.ray.direction.toArray(), atom: event.shiftKey ? atom : -1 });
  }
  strike(blow) {
    byId("show").value = "-1";
    if (blow.atom < 0) this.strikes = [];
    this.strikes.push(blow);
    this.answer();
  }
  /* All blows again, with the present σ. */
  pieces() {
    let piece = new Int32Array(this.meshes.length), count = 1, last = null;
    for (const blow of this.strikes) {
      const impact = { point: blow.point, direction: blow.direction, strength: 1, threshold: this.sigma, leastSquares: byId("local").checked };
      last = blow.atom < 0 ? this.target.strike(impact) : this.target.strike(impact, piece, piece[blow.atom]);
      const first = blow.atom < 0 ? 0 : count;
      piece = piece.map((p, a) => last.pieceOfAtom[a] < 0 ? p : first + last.pieceOfAtom[a]);
      const known = new Map();
      piece = piece.map(p => { if (!known.has(p)) known.set(p, known.size); return known.get(p); });
      count = known.size;
    }
    return { piece, count, last };
  }
  answer() {
    this.sigma = 10 ** Number(byId("sigma").value);
    byId("clock").textContent = `σ = ${this.sigma.toPrecision(2)}`;
    const mode = Number(byId("show").value);
    mode < 0 ? this.showPieces() : this.showMode(mode);
  }
  showPieces() {
    const { piece, count, last } = this.pieces(), apart = Number(byId("apart").value);
    const middles = Array.from({ length: count }, () => new THREE.Vector3()), volumes = new Float64Array(count);
    piece.forEach((p, a) => {
      middles[p].addScaledVector(this.centres[a], this.target.volumes[a]);
      volumes[p] += this.target.volumes[a];
    });
    middles.forEach((m, p) => m.divideScalar(volumes[p]));
    this.meshes.forEach((mesh, a) => {
      mesh.position.copy(this.centres[a]).addScaledVector(middles[piece[a]].clone().sub(this.view.middle), count > 1 ? apart : 0);
      mesh.material.color.setRGB(...(count > 1 ? pieceColour(piece[a]) : [0.8, 0.75, 0.7]));
    });
    if (last)
      byId("answer").textContent = `${count} pieces of ${this.meshes.length} atoms, the largest ${(100 * Math.max(...volumes) / data.volume_m3).toPrecision(3)} % of the volume; ` +
        `struck at (${this.strikes[this.strikes.length - 1].point.map(x => x.toPrecision(3)).join(", ")}) m.`;
    else byId("answer").textContent = "Click on the object: a blow along the line of sight breaks it. With Shift, a blow on that piece alone.";
    this.numPieces = count;
  }
  showMode(mode) {
    const u = this.target.modes[mode], n = data.components, apart = Number(byId("apart").value);
    const size = Array.from(this.meshes, (_, a) => n === 1 ? u[a] : Math.hypot(...u.subarray(n * a, n * a + n)));
    const low = Math.min(...size), high = Math.max(...size), most = Math.max(Math.abs(low), Math.abs(high), 1e-300);
    this.meshes.forEach((mesh, a) => {
      const move = n === 1 ? [0, 0, u[a]] : [...u.subarray(n * a, n * a + n), 0].slice(0, 3);
      mesh.position.copy(this.centres[a]).add(new THREE.Vector3(...move).multiplyScalar(apart * this.view.size / 2 / most));
      mesh.material.color.setRGB(...shareColour(high > low ? (size[a] - low) / (high - low) : 0.5));
    });
    byId("answer").textContent = `Mode ${mode}: ${new Set(size.map(x => x.toFixed(9))).size} values; ` +
      (n === 1 ? "it stands for three, along x, y and z, and is shown along z." : "a displacement of each atom.");
  }
  draw() {
    this.view.controls.update();
    this.view.draw();
    requestAnimationFrame(() => this.draw());
  }
}

function chart(heading, values, x, y) {
  const figure = document.createElement("figure"), canvas = document.createElement("canvas");
  figure.append(canvas);
  byId("charts").append(figure);
  const axis = text => ({ title: { display: true, text } });
  new Chart(canvas, { type: "bar", data: { labels: values.map((_, i) => i), datasets: [{ data: values, backgroundColor: "#3b6fb6" }] },
    options: { animation: false, aspectRatio: 1.5, scales: { x: axis(x), y: axis(y) }, plugins: { title: { display: true, text: heading }, legend: { display: false } } } });
}

/* #mode=3, #strike=x,y,z,dx,dy,dz&sigma=0.2&apart=0.3 open the page in that state. */
function fromAddress(modes) {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("apart")) byId("apart").value = asked.get("apart");
  if (asked.has("sigma")) byId("sigma").value = Math.log10(Number(asked.get("sigma")));
  if (asked.has("mode")) byId("show").value = asked.get("mode");
  if (asked.has("strike")) {
    const numbers = asked.get("strike").split(",").map(Number);
    modes.strike({ point: numbers.slice(0, 3), direction: numbers.slice(3, 6), atom: -1 });
    console.log(`${modes.numPieces} pieces`);
  } else modes.answer();
}

async function start() {
  byId("title").textContent = data.name;
  document.title = `${data.name} – modes`;
  byId("facts").textContent = `${data.energies.length} modes · ${data.pieces.length} atoms · ${data.num_faces} faces between them`;
  chart("Energies", data.energies, "mode", "energy");
  chart("Sizes of atoms", data.pieces.map(p => 100 * p.volume_m3 / data.volume_m3).sort((a, b) => b - a), "atom", "share [%]");
  if (!window.DecompressionStream) return problem("This browser is too old to read the object in this file (DecompressionStream).");
  try {
    const arrays = new Arrays(data.arrays, byId("arrays").textContent), view = new View(byId("view"));
    await view.load(data, arrays);
    fromAddress(new Modes(view, await targetOf(arrays)));
  } catch (error) {
    problem(`The object could not be shown: ${error.message}`);
    console.error(error);
  }
}

start();
