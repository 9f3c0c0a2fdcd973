import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf } from "../src/serve.js";

test("options have defaults", () => {
  assert.deepEqual(addressOf({}), { host: "127.0.0.1", port: 8080 });
});

test("a port is a number", () => {
  assert.equal(addressOf({ port: "3000" }).port, 3000);
});
