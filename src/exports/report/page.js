// Controls and charts of the page.
"use strict";

const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const COLOURS = ["#3b6fb6", "#d1602f", "#4a9a52", "#8a58a8", "#b8952a", "#c2428a", "#4aa3a3", "#777", "#222", "#a33"];

function problem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = false;
}

/* A number with three digits that count, and the unit. */
function quantity(value, unit) { return `${Number(value.toPrecision(3))} ${unit}`; }

function describe() {
  const title = /^title = "(.*)"$/m.exec(data.scene);
  byId("title").textContent = title ? title[1] : data.name;
  document.title = `${data.name} – brisance`;
  const last = data.frames[data.frames.length - 1];
  const facts = [`${data.name}`, `${last.pieces} piece${last.pieces === 1 ? "" : "s"}`, `${quantity(last.time_s * 1e3, "ms")}`,
    `${data.num_frames} frame${data.num_frames === 1 ? "" : "s"}`];
  if (data.frames.length < data.num_frames) facts.push(`${data.frames.length} of them here`);
  if (last.crack_area_m2 > 0) facts.push(`cracks over ${quantity(last.crack_area_m2 * 1e4, "cm²")}`);
  if (last.particles > 0) facts.push(`${last.particles} dust particles`);
  byId("facts").textContent = facts.join(" · ");
  byId("scene").textContent = data.scene || "(the run has no scene.toml)";
}

function chart(type, heading, datasets, x, y, more = {}) {
  const figure = document.createElement("figure"), canvas = document.createElement("canvas");
  figure.append(canvas);
  byId("charts").append(figure);
  const axis = (text, kind) => ({ type: kind, title: { display: true, text } });
  return new Chart(canvas, {
    type,
    data: { labels: more.labels, datasets },
    options: {
      animation: false, responsive: true, maintainAspectRatio: true, aspectRatio: 1.5,
      parsing: more.labels ? undefined : false,
      scales: { x: axis(x, more.labels ? "category" : "linear"), y: axis(y, more.logarithmic ? "logarithmic" : "linear") },
      plugins: { title: { display: true, text: heading }, legend: { display: datasets.length > 1, position: datasets.length > 4 ? "right" : "top", labels: { boxWidth: 10, font: { size: 10 } } } },
    },
  });
}

function line(label, points, number) {
  return { label, data: points, borderColor: COLOURS[number % COLOURS.length], borderWidth: 1.5, pointRadius: 0, showLine: true };
}

/* Of monitor.csv: the column as points over milliseconds. */
function column(name) {
  const time = data.monitor.columns.indexOf("time_s"), at = data.monitor.columns.indexOf(name);
  return time < 0 || at < 0 ? null : data.monitor.rows.map(row => ({ x: 1e3 * row[time], y: row[at] }));
}

function columnsChart(heading, names, y, label) {
  const lines = names.map(name => [name, column(name)]).filter(([, points]) => points)
    .map(([name, points], i) => line(label(name), points, i));
  if (lines.length) chart("scatter", heading, lines, "time [ms]", y);
}

function sizesChart() {
  const volumes = data.pieces.map(p => p.volume_m3).filter(v => v > 0);
  if (volumes.length < 2) return;
  const logs = volumes.map(v => Math.log10(v * 1e9)), low = Math.floor(2 * Math.min(...logs)), high = Math.ceil(2 * Math.max(...logs) + 1e-9);
  const bins = new Array(Math.max(1, high - low)).fill(0);
  for (const l of logs) ++bins[Math.min(bins.length - 1, Math.floor(2 * l) - low)];
  const labels = bins.map((_, i) => Number((10 ** ((low + i) / 2)).toPrecision(2)).toString());
  chart("bar", "Sizes of pieces", [{ label: "pieces", data: bins, backgroundColor: COLOURS[0] }], "volume from [mm³]", "pieces", { labels });
}

function charts() {
  const words = name => name.replace(/_(j|s|m2)$/, "").replace(/_/g, " ");
  columnsChart("Energies", data.monitor.columns.filter(name => /_(energy|loss|work|dissipated)_?j$/.test(name)), "energy [J]", words);
  const areas = data.frames.map(f => ({ x: 1e3 * f.time_s, y: 1e4 * f.crack_area_m2 }));
  if (areas.some(p => p.y > 0)) chart("scatter", "Cracks", [line("area", areas, 1)], "time [ms]", "area [cm²]");
  columnsChart("Pieces", ["pieces", "dust_particles"], "number", words);
  sizesChart();
  columnsChart("Length of a step", ["dt_s", "finest_step_s"], "[s]", words);
  columnsChart("Cost of a step", ["ms_per_step"], "[ms]", words);
  const phases = data.phases.filter(([, seconds]) => seconds > 0);
  if (phases.length)
    chart("bar", "Cost by phase", [{ label: "s", data: phases.map(p => p[1]), backgroundColor: COLOURS[2] }], "", "time [s]", { labels: phases.map(p => p[0]) });
}

/* The controls below the view. */
class Player {
  constructor(view) {
    this.view = view;
    this.times = data.frames.map(f => f.time_s);
    this.first = this.times[0];
    this.span = Math.max(this.times[this.times.length - 1] - this.first, 1e-12);
    this.at = this.first;
    this.playing = false;
    for (const mode of view.surface.modes) byId("colour").append(new Option(mode, mode));
    if (!data.rigid) byId("apart").parentElement.remove();
    byId("play").onclick = () => this.play(!this.playing);
    byId("time").oninput = () => { this.play(false); this.at = this.first + this.span * Number(byId("time").value); };
    byId("home").onclick = () => view.home();
    window.addEventListener("resize", () => view.resize());
    window.addEventListener("keydown", event => { if (event.code === "Space" && event.target === document.body) { event.preventDefault(); this.play(!this.playing); } });
    requestAnimationFrame(now => this.tick(now));
  }
  play(on) {
    this.playing = on;
    if (on && this.at >= this.first + this.span) this.at = this.first;
    byId("play").textContent = on ? "Pause" : "Play";
  }
  legend(mode) {
    const limit = this.view.surface.limits[mode];
    byId("legend").hidden = !limit;
    if (!limit) return;
    byId("low").textContent = "0";
    byId("high").textContent = mode === "speed" ? quantity(limit, "m/s") : quantity(limit / 1e6, "MPa");
  }
  async tick(now) {
    const passed = Math.min(0.1, (now - (this.before ?? now)) / 1e3);
    this.before = now;
    // The whole run takes six seconds at the middle of the slider.
    if (this.playing) this.at += passed * this.span / 6 * 2 ** Number(byId("rate").value);
    if (this.at > this.first + this.span) this.at = this.first;
    const mode = byId("colour").value, apart = data.rigid ? Number(byId("apart").value) : 0;
    let high = this.times.findIndex(t => t >= this.at);
    if (high < 0) high = this.times.length - 1;
    const low = Math.max(0, high - 1), step = this.times[high] - this.times[low];
    await this.view.show(low, high, step > 0 ? (this.at - this.times[low]) / step : 0, mode, apart);
    byId("time").value = (this.at - this.first) / this.span;
    byId("clock").textContent = `${(1e3 * this.at).toFixed(2)} ms`;
    this.legend(mode);
    this.view.controls.update();
    this.view.draw();
    ++this.drawn;
    requestAnimationFrame(later => this.tick(later));
  }
}

/* #time=0.5&colour=speed&apart=0.3&play opens the page in that state; #measure prints frames a second to the console. */
function fromAddress(player) {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("time")) player.at = player.first + player.span * Number(asked.get("time"));
  if (asked.has("colour")) byId("colour").value = asked.get("colour");
  if (asked.has("apart")) byId("apart").value = asked.get("apart");
  if (asked.has("play")) player.play(true);
  if (asked.has("measure")) {
    player.drawn = 0;
    setTimeout(() => console.log(`${player.drawn / 4} frames a second`), 4000);
  }
}

async function start() {
  describe();
  charts();
  if (!window.DecompressionStream) return problem("This browser is too old to read the animation in this file (DecompressionStream). Charts and scene are below.");
  try {
    const view = new View(byId("view"));
    await view.load(data, new Arrays(data.arrays, byId("arrays").textContent));
    fromAddress(new Player(view));
  } catch (error) {
    problem(`The animation could not be shown: ${error.message}`);
    console.error(error);
  }
}

start();
