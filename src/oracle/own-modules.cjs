"use strict";
/**
 * What the oracle's imports lead to. Built-in modules come straight from Node, past a loader that the code under test may
 * have hooked; everything else is loaded as for any module.
 */
const Module = require("node:module");
const { dirname } = require("node:path");
const { getBuiltinModule } = require("node:process");
const { URL, fileURLToPath } = require("node:url");
const vm = require("node:vm");

const { apply, get } = Reflect;
/** As they are before other code runs. */
const { Object, Proxy } = globalThis;
const { createRequire, isBuiltin } = Module;
const { canParse } = URL;

/**
 * Built-in modules whose answers an oracle judges by. Only those that it names are frozen, so that code may patch the rest; not
 * http, timers and their like, which honest code replaces to test itself.
 */
const judging = ["assert", "fs", "child_process", "path", "url", "util", "vm", "crypto", "os", "zlib"];
const parts = ["strict", "promises", "posix", "win32", "types"];

exports.protectBuiltins = function protectBuiltins(source) {
  for (const name of judging.filter((word) => source.includes(word))) {
    const module = getBuiltinModule(`node:${name}`);
    fix(module, source);
    for (const part of parts) if (source.includes(part) && Object.hasOwn(module, part)) fix(module[part], source);
  }
  for (const { prototype } of [vm.Module, vm.SourceTextModule, vm.SyntheticModule]) Object.freeze(prototype);
};

/**
 * Makes the properties of an object irreplaceable, but for getters that the oracle does not name: at their first reading some
 * replace themselves by a value, and load much of Node for it.
 */
function fix(object, source) {
  for (const key of Reflect.ownKeys(object)) {
    if (Object.getOwnPropertyDescriptor(object, key).get !== undefined) {
      if (!source.includes(String(key))) continue;
      void object[key];
    }
    const { get } = Object.getOwnPropertyDescriptor(object, key);
    Object.defineProperty(
      object,
      key,
      get === undefined ? { writable: false, configurable: false } : { configurable: false },
    );
  }
}

/**
 * @param source the oracle's
 * @param identifier URL of the oracle
 * @param own `process` as the oracle sees it
 * @param onEnd called by the oracle's last statement
 */
exports.ownModules = function ownModules({ source, identifier, own, onEnd }) {
  const ready = { __proto__: null };

  /** A `require` that takes built-in modules from here. */
  function ownCreateRequire(filename) {
    return new Proxy(createRequire(filename), {
      __proto__: null,
      apply: (target, self, values) => (isBuiltin(values[0]) ? builtin(values[0]) : apply(target, self, values)),
    });
  }

  const ownModule = new Proxy(Module, {
    __proto__: null,
    get: (target, name) => (name === "createRequire" ? ownCreateRequire : get(target, name)),
  });

  const filename = fileURLToPath(identifier);
  const given = {
    process: own,
    require: ownCreateRequire(identifier),
    __filename: filename,
    __dirname: dirname(filename),
  };

  function builtin(name) {
    switch (name) {
      case "process":
      case "node:process":
        return own;
      case "module":
      case "node:module":
        return ownModule;
      default:
        return getBuiltinModule(name);
    }
  }

  /** Getters start parts of Node that take long, as `process.stdin` does: they are exported where the oracle names them. */
  function exportsOf(name) {
    const module = builtin(name);
    const named = Object.entries(Object.getOwnPropertyDescriptors(module))
      .filter(([key, { enumerable, get }]) => enumerable && (get === undefined || source.includes(key)))
      .map(([key]) => [key, module[key]]);
    return { ...Object.fromEntries(named), default: module };
  }

  /** The same module for the same name, linked and evaluated. */
  function moduleOf(name) {
    return (ready[name] ??= evaluated(exportsOf(name)));
  }

  async function evaluated(values) {
    const names = Object.keys(values);
    const module = new vm.SyntheticModule(names, () => {
      for (const name of names) module.setExport(name, values[name]);
    });
    await module.link(() => undefined);
    await module.evaluate();
    return module;
  }

  function resolve(specifier) {
    if (isBuiltin(specifier) || apply(canParse, URL, [specifier])) return specifier;
    return new URL(specifier, identifier).href;
  }

  async function load(specifier, _module, attributes) {
    if (isBuiltin(specifier)) return (await moduleOf(specifier)).namespace;
    return import(resolve(specifier), { with: attributes });
  }

  async function link(specifier, _module, { attributes }) {
    if (specifier === "harness-eval:oracle") return evaluated({ ...given, end: onEnd });
    if (isBuiltin(specifier)) return moduleOf(specifier);
    return evaluated({ ...(await load(specifier, null, attributes)) });
  }

  return { link, load, resolve, builtin };
};
