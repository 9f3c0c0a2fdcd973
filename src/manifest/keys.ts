import { distance } from "fastest-levenshtein";
import { Features, ManifestArm } from "./arm.ts";
import type { JsonPath } from "./finding.ts";
import { Manifest } from "./schema.ts";
import { ManifestFile } from "./shapes.ts";
import { ManifestTask } from "./task.ts";

/** Every object of a manifest that has fixed keys, by its name in errors. */
const places = {
  "the manifest itself": Object.keys(Manifest.shape),
  "an arm": Object.keys(ManifestArm.shape),
  "an arm's features": Object.keys(Features.shape),
  "a task": Object.keys(ManifestTask.shape),
  "an entry of files": Object.keys(ManifestFile.shape),
};
type Place = keyof typeof places;

/** What to do about an unknown key of the object at a path: the nearest known key, or where the key belongs. */
export function keyHint(key: string, path: JsonPath): string {
  const here = placeAt(path);
  const near = nearest(key, places[here]);
  if (near !== null) return `did you mean ${near}?`;
  const elsewhere = (Object.keys(places) as Place[]).filter((place) => places[place].includes(key));
  if (elsewhere.length > 0) return `it belongs in ${elsewhere.join(" or ")}`;
  return "remove it; docs/manifest.md has the fields";
}

/** The name that differs in the fewest characters; null when none is near. Case and separators do not count. */
export function nearest(text: string, names: readonly string[]): string | null {
  const plain = (name: string) => name.slice(0, 100).toLowerCase().replace(/[-_]/g, "");
  let best: { name: string; far: number } | null = null;
  for (const name of names) {
    const far = distance(plain(text), plain(name));
    if (far <= Math.max(1, Math.floor(name.length / 3)) && (best === null || far < best.far)) best = { name, far };
  }
  return best?.name ?? null;
}

function placeAt(path: JsonPath): Place {
  if (path.length === 0) return "the manifest itself";
  if (path.length > 2) return path[2] === "features" ? "an arm's features" : "an entry of files";
  return path[0] === "arms" ? "an arm" : "a task";
}
