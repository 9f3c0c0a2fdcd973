"use strict";
/**
 * `process` as the oracle sees it. Its `exit` is the oracle's own end; exit codes and listeners that the oracle sets are kept where the
 * code that it loads finds none of them. That code must never get at this object, so no function of the real `process` is called on it.
 */
const { apply, defineProperty, get, getOwnPropertyDescriptor, set } = Reflect;
const { setPrototypeOf } = Object;
/** As it is before other code runs. */
const { Proxy } = globalThis;

/** The events whose listeners decide about the end. */
const keptEvents = ["exit", "beforeExit", "uncaughtException", "unhandledRejection"];

/**
 * @param real the process object of Node
 * @param end called for `process.exit()`, once the exit code is known
 */
exports.ownProcess = function ownProcess(real, end) {
  const realExit = real.exit;
  /** What the oracle set; the real one can be set by everyone. */
  let ownExitCode;
  /** The oracle's stand-in for `process.exit`, which the code under test then calls as well. */
  let standIn = null;

  const listeners = { __proto__: null };
  // No prototype, so that no setter of Array.prototype sees them.
  for (const event of keptEvents) listeners[event] = setPrototypeOf([], null);

  function exitCode() {
    return +(real.exitCode || ownExitCode || 0);
  }

  function setExitCode(value) {
    real.exitCode = value;
    ownExitCode = value;
  }

  function exit(...code) {
    if (code.length > 0) setExitCode(code[0]);
    end();
  }

  function setExit(value) {
    standIn = value === exit ? null : value;
    return standIn ?? realExit;
  }

  function emit(event, ...values) {
    const list = listeners[event];
    const current = setPrototypeOf([], null);
    for (let index = 0; index < list.length; index++) current[index] = list[index];
    for (let index = 0; index < current.length; index++) {
      if (current[index].once) remove(event, current[index].listener);
      apply(current[index].listener, facade, values);
    }
    return current.length > 0;
  }

  /** Whether the oracle's own listeners took an uncaught error. */
  function handles(error, origin) {
    if (origin === "unhandledRejection" && emit(origin, error, undefined)) return true;
    return emit("uncaughtException", error, origin);
  }

  function add(event, listener, once, first) {
    const list = listeners[event];
    if (first) for (let index = list.length; index > 0; index--) list[index] = list[index - 1];
    list[first ? 0 : list.length] = { listener, once };
  }

  function remove(event, listener) {
    const list = listeners[event];
    let index = list.length - 1;
    while (index >= 0 && list[index].listener !== listener) index--;
    if (index < 0) return;
    for (; index < list.length - 1; index++) list[index] = list[index + 1];
    list.length--;
  }

  const methods = { __proto__: null };
  function override(name, keep) {
    const original = real[name];
    methods[name] = function (event, listener) {
      if (event in listeners && typeof listener === "function") keep(event, listener);
      else apply(original, real, [event, listener]);
      return facade;
    };
  }
  override("on", (event, listener) => add(event, listener, false, false));
  override("addListener", (event, listener) => add(event, listener, false, false));
  override("once", (event, listener) => add(event, listener, true, false));
  override("prependListener", (event, listener) => add(event, listener, false, true));
  override("prependOnceListener", (event, listener) => add(event, listener, true, true));
  override("off", remove);
  override("removeListener", remove);
  const { removeAllListeners } = real;
  methods.removeAllListeners = function (...events) {
    for (let index = 0; index < keptEvents.length; index++) {
      if (events.length === 0 || events[0] === keptEvents[index]) listeners[keptEvents[index]].length = 0;
    }
    // With no event it would remove what watches over the end, and what the code under test relies on.
    if (events.length > 0 && !(events[0] in listeners)) apply(removeAllListeners, real, events);
    return facade;
  };

  /** A function of the real process that never sees the oracle's own as `this`. */
  function disguise(method) {
    return new Proxy(method, {
      __proto__: null,
      apply: (target, self, values) => apply(target, self === facade ? real : self, values),
    });
  }

  const facade = new Proxy(real, {
    __proto__: null,
    get(target, name) {
      if (name === "exit") return standIn ?? exit;
      if (name === "exitCode") return real.exitCode || ownExitCode;
      if (name in methods) return methods[name];
      const value = get(target, name);
      // The bootstrap fixed that one, and a Proxy must return what is fixed as it is.
      return typeof value === "function" && name !== "_fatalException" ? disguise(value) : value;
    },
    set(target, name, value) {
      if (name === "exitCode") setExitCode(value);
      else set(target, name, name === "exit" ? setExit(value) : value);
      return true;
    },
    getOwnPropertyDescriptor(target, name) {
      const descriptor = getOwnPropertyDescriptor(target, name);
      if (name === "exit" && descriptor !== undefined) descriptor.value = standIn ?? exit;
      return descriptor;
    },
    defineProperty(target, name, descriptor) {
      if (name === "exit") return set(target, name, setExit(descriptor.value));
      return defineProperty(target, name, descriptor);
    },
  });

  return {
    process: facade,
    exitCode,
    emit,
    handles,
    /** The oracle's own way to built-in modules. */
    setGetBuiltinModule: (getBuiltinModule) => (methods.getBuiltinModule = getBuiltinModule),
  };
};
