// The Khronos validator on GLB files. usage: node validate_glb.js FOLDER_WITH_NPM_PACKAGE_gltf-validator FILE...
const validator = require(process.argv[2] + "/node_modules/gltf-validator");
for (const file of process.argv.slice(3))
  validator.validateBytes(new Uint8Array(require("fs").readFileSync(file))).then(report => {
    const { numErrors, numWarnings, messages } = report.issues;
    if (numErrors + numWarnings) { console.log(file, JSON.stringify(messages)); process.exit(1); }
  });
