import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

/** Which folders of src/ a folder may import. Data flows one way, so this table has no cycle. */
const layers = {
  manifest: [],
  plan: ["statistics"],
  process: [],
  fixture: ["process"],
  agent: [],
  oracle: ["process"],
  record: [],
  statistics: [],
  compare: ["record", "statistics"],
  report: ["plan", "compare"],
  attempt: ["manifest", "plan", "fixture", "process", "agent", "oracle", "record", "statistics"],
  cli: ["manifest", "plan", "attempt", "agent", "record", "compare", "report"],
};

/** Folders without input, output, clock or randomness: these come in as arguments. */
const pure = ["plan", "statistics", "compare", "report"];

/** The one folder that may import a package. */
const packageHomes = {
  execa: "process",
  "simple-git": "fixture",
  "tmp-promise": "fixture",
  picomatch: "fixture",
  yargs: "cli",
  "cli-progress": "cli",
};

const folders = Object.keys(layers);

const layerRules = folders.map((folder) => {
  const foreign = folders.filter((other) => other !== folder && !layers[folder].includes(other));
  const packages = Object.entries(packageHomes).filter(([, home]) => home !== folder);
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { group: foreign.map((other) => `**/${other}/**`), message: `src/${folder}/ may not import this folder.` },
            { group: ["**/script/**", "**/test/**"], message: "src/ imports nothing from outside itself." },
            ...packages.map(([name, home]) => ({
              group: [name, `${name}/*`],
              message: `${name} stays in src/${home}/.`,
            })),
            ...(pure.includes(folder) ? [{ group: ["node:*"], message: `src/${folder}/ is pure.` }] : []),
          ],
        },
      ],
      ...(pure.includes(folder)
        ? {
            "no-restricted-properties": [
              "error",
              { object: "Math", property: "random", message: "Randomness comes in as an argument." },
              { object: "Date", property: "now", message: "The clock comes in as an argument." },
            ],
            "no-restricted-globals": ["error", "process", "performance", "setTimeout", "fetch"],
          }
        : {}),
    },
  };
});

export default defineConfig(
  globalIgnores(["dist/", "coverage/", "manifests/", "oracles/", "test/programs/", "test/tasks/"]),
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_" }],
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", { name: "process", message: "Only the entry touches process." }],
    },
  },
  {
    files: ["src/process/**/*.ts", "src/oracle/**/*.ts"],
    rules: { "no-restricted-globals": "off" },
  },
  ...layerRules,
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { globals: { process: "readonly", URL: "readonly", console: "readonly", Buffer: "readonly" } },
  },
  {
    files: ["script/**/*.ts", "test/**/*.ts"],
    rules: { "no-console": "off" },
  },
);
