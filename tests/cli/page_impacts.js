// Blows computed by the script of a modes page. usage: node page_impacts.js PAGE.html > CASES.json
const fs = require("fs"), zlib = require("zlib"), vm = require("vm");
const page = fs.readFileSync(process.argv[2], "utf8");
const element = id => new RegExp(`<script type="[^"]*" id="${id}">([^]*?)</script>`).exec(page)[1];
const data = JSON.parse(element("data")), bytes = Buffer.from(element("arrays"), "base64");
const array = name => {
  const [type, offset, length] = data.arrays[name], raw = zlib.inflateSync(bytes.subarray(offset, offset + length));
  return new globalThis[type](new Uint8Array(raw).buffer);
};
const script = page.split("<script>").map(part => part.split("</script>")[0]).find(part => part.includes("class ImpactTarget"));
const ImpactTarget = vm.runInThisContext(`(() => {${script}\nreturn ImpactTarget;})()`);
const target = new ImpactTarget({ components: data.components, dimension: data.dimension, energies: data.energies,
  axisStrength: data.axis_strength, volumes: array("volumes"), faces: array("faces"), values: array("values"),
  vertices: array("vertices"), share: array("share") });

let seed = 7;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const cases = [];
for (let i = 0; i < 40; ++i) {
  const v = 3 * Math.floor(random() * target.vertices.length / 3);
  const impact = { point: Array.from(target.vertices.subarray(v, v + 3)), direction: [random() - 0.5, random() - 0.5, random() - 0.5],
    strength: 1, threshold: 0, leastSquares: i % 4 === 3 };
  // Just below and above the distance by which a face opens: the library must see the same faces open.
  const jumps = target.strike(impact).jumps, jump = jumps[Math.floor(random() * jumps.length)];
  for (const factor of [1 - 1e-6, 1 + 1e-6]) {
    impact.threshold = jump * factor;
    const whole = target.strike(impact), body = whole.pieceOfAtom[Math.floor(random() * whole.pieceOfAtom.length)];
    const again = target.strike({ ...impact, threshold: impact.threshold / 2 }, whole.pieceOfAtom, body);
    cases.push({ ...impact, piece_of_atom: Array.from(whole.pieceOfAtom), body, again: Array.from(again.pieceOfAtom) });
  }
}
console.log(JSON.stringify(cases));
