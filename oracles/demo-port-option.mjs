// A port is a whole number from 1 to 65535; anything else is a RangeError.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { addressOf } = await import(pathToFileURL(join(process.argv[1], "src/serve.js")).href);

assert.deepEqual(addressOf({}), { host: "127.0.0.1", port: 8080 });
for (const port of ["1", "3000", "65535"]) assert.equal(addressOf({ port }).port, Number(port));
for (const port of ["abc", "", "0", "-1", "65536", "80.5", "Infinity"]) {
  assert.throws(() => addressOf({ port }), RangeError, `port "${port}" is accepted`);
}
