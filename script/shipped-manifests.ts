/** Writes the manifests for ax-code, which differ in their flags only. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { shippedManifests } from "./shipped-manifests/manifests.ts";

const root = new URL("../", import.meta.url);
for (const [path, text] of await shippedManifests()) {
  await writeFile(fileURLToPath(new URL(path, root)), text);
}
