/**
 * Second half of the guest prelude: the `ctx` that control code works with, and the calls the host makes.
 *
 * Text in the language of the sandbox. A `ctx` object is a scope: identity of a command depends on the object it was
 * asked through, never on who happens to be running. Messages to the host are appended as JSON text in the order of the
 * acts and cross at the end of a delivery, or at once, together with all before it, when an answer is needed.
 * Used only by `prelude.ts`. No back-ticks inside.
 */
export const contextSource = `
const quote = JSON.stringify;
let vt = config.startVt;
let turn = 0;
let nextId = 0;
let queue = '';
let finished = false;

/** What is posted crosses at the end of the delivery, or when there is much of it, so that a flood meets its limit. */
function post(text) {
  queue = queue === '' ? text : queue + ',' + text;
  if (queue.length > 65536) bridge(take());
}

function take() {
  const text = queue === '' ? '' : '[' + queue + ']';
  queue = '';
  return text;
}

/** Posts the message, hands everything over and reads the host's answer. */
function ask(text) {
  queue = queue === '' ? text : queue + ',' + text;
  const answer = bridge(take());
  return answer === '' ? undefined : JSON.parse(answer);
}

function toJson(value, whenAbsent) {
  const text = quote(value);
  return text === undefined ? whenAbsent : text;
}

/** Names and labels may not contain what paths are made of. */
function escapeName(name) {
  return String(name).replace(/[%\\/#=]/g, encodeURIComponent);
}

function escapeKey(key) {
  return String(key).replace(/[%\\/]/g, encodeURIComponent);
}

function textList(value) {
  return value === undefined ? undefined : quote(Array.from(value, String));
}

// ---- Scopes -----------------------------------------------------------------------------------------

class Scope {
  constructor(path, parent) {
    this.path = path;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.counts = new Map();
    this.live = true;
    this.random = undefined;
    this.decisions = new Map();
    this.openByName = new Map();
  }
  next(label) {
    const n = this.counts.get(label) ?? 0;
    this.counts.set(label, n + 1);
    return n;
  }
}

const root = new Scope(config.rootPath, undefined);
const scopesByPath = new Map([[root.path, root]]);
/** Scope to which a bare Math.random() or Date.now() counts: that of the command being delivered, or of the function being entered. */
let current = root;

/** A scope that ended and is entered again goes on counting; one that is still live is a twin, whose commands collide and are reported. */
function openScope(parent, path) {
  const known = scopesByPath.get(path);
  if (known !== undefined && !known.live) {
    known.live = true;
    return known;
  }
  if (parent.depth >= config.scopeDepth) {
    ask('{"t":"limit","name":"scope-depth"}');
    throw new RangeError('scopes are nested too deeply');
  }
  const scope = new Scope(path, parent);
  if (known === undefined) scopesByPath.set(path, scope);
  return scope;
}

function enter(scope, fn, a, b) {
  const before = current;
  current = scope;
  let result;
  try {
    result = Promise.resolve(fn(new Context(scope, undefined), a, b));
  } catch (error) {
    result = Promise.reject(error);
  } finally {
    current = before;
  }
  return result.then(
    (value) => { scope.live = false; return value; },
    (error) => { scope.live = false; throw error; },
  );
}

// ---- Draws ------------------------------------------------------------------------------------------

/** sfc32 over a 128-bit hash of (seed, scope path): a draw in one scope cannot shift another. */
function createRandom(text) {
  let a = 1779033703, b = 3144134277, c = 1013904242, d = 2773480762;
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ k, 597399067);
    b = c ^ Math.imul(b ^ k, 2869860233);
    c = d ^ Math.imul(c ^ k, 951274213);
    d = a ^ Math.imul(d ^ k, 2716044179);
  }
  function next() {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  }
  for (let i = 0; i < 16; i++) next();
  return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
}

function draw(scope, kind) {
  if (config.draws === 'ask') {
    const path = scope.path + '/' + kind + '#' + scope.next(kind);
    const answer = ask('{"t":"draw","path":' + quote(path) + ',"scope":' + quote(scope.path) + ',"draw":"' + kind + '"}');
    if (typeof answer === 'number') return answer;
  }
  if (kind === 'clock') return vt;
  scope.random ??= createRandom(config.seed + '\\n' + scope.path);
  return scope.random();
}

// ---- Commands ---------------------------------------------------------------------------------------

const openById = new Map();
const issuedPaths = new Set();
/** Values and promises handed to control code, to the path they came from: what "uses" may name. */
const pathByObject = new WeakMap();
const idByPromise = new WeakMap();

function track(value, path) {
  if (typeof value === 'object' && value !== null) pathByObject.set(value, path);
  return value;
}

function usesOf(opts) {
  if (opts === undefined || opts.uses === undefined) return '[]';
  const uses = Array.isArray(opts.uses) ? opts.uses : [opts.uses];
  const out = [];
  for (const use of uses) {
    const path = typeof use === 'object' && use !== null ? pathByObject.get(use) : typeof use === 'string' ? use : undefined;
    if (path !== undefined && !out.includes(path)) out.push(path);
  }
  return quote(out);
}

function siteOf() {
  const stack = new RealError().stack;
  const at = stack.indexOf('(' + config.file + ':');
  if (at < 0) return '';
  const start = stack.lastIndexOf('\\n', at) + 1;
  return ',"site":' + quote(stack.slice(start, stack.indexOf(')', at) + 1));
}

function identify(scope, kind, name, key) {
  const label = kind + ':' + escapeName(name);
  if (key !== undefined && key !== null) return { path: scope.path + '/' + label + '=' + escapeKey(key), tail: ',"key":' + quote(String(key)) };
  const n = scope.next(label);
  return { path: scope.path + '/' + label + '#' + n, tail: ',"index":' + n };
}

/** "by" names the latest decision of that name in this scope or one around it, or is a path. */
function decisionPath(scope, name) {
  for (let s = scope; s !== undefined; s = s.parent) if (s.decisions.has(name)) return s.decisions.get(name);
  return name;
}

function selectedBy(scope, opts) {
  if (opts === undefined || opts.by === undefined) return '';
  const by = opts.by;
  const path = typeof by === 'object' && by !== null ? pathByObject.get(by) : decisionPath(scope, String(by));
  return path === undefined ? '' : ',"selectedBy":' + quote(path);
}

function common(scope, identity, kind, name, opts, step) {
  const ambiguous = issuedPaths.has(identity.path);
  issuedPaths.add(identity.path);
  return '"path":' + quote(identity.path) + ',"scope":' + quote(scope.path) + ',"kind":"' + kind + '","name":' + quote(String(name)) + identity.tail +
    ',"uses":' + usesOf(opts) + (step === undefined ? '' : ',"step":' + quote(step)) + (ambiguous ? ',"ambiguous":true' : '') + siteOf();
}

function resources(opts) {
  if (opts === undefined) return '';
  const reads = textList(opts.reads);
  const writes = textList(opts.writes);
  return (reads === undefined ? '' : ',"reads":' + reads) + (writes === undefined ? '' : ',"writes":' + writes) +
    (opts.idempotencyKey === undefined ? '' : ',"idempotencyKey":' + quote(String(opts.idempotencyKey)));
}

/** Two open commands of one scope, kind and name from different deliveries: their counts depend on arrival. */
function orderDependence(scope, kind, name, key, id) {
  if (key !== undefined && key !== null) return '';
  const label = kind + ':' + name;
  let open = scope.openByName.get(label);
  if (open === undefined) scope.openByName.set(label, (open = new Map()));
  let dependent = false;
  for (const since of open.values()) if (since !== turn) dependent = true;
  open.set(id, turn);
  return dependent ? ',"orderDependent":true' : '';
}

function issue(scope, kind, name, args, opts, step, message) {
  const key = opts === undefined ? undefined : opts.key;
  const argsText = toJson(args, '{}');
  const id = nextId++;
  const identity = identify(scope, kind, name, key);
  const entry = { path: identity.path, scope, label: kind + ':' + name, resolve: undefined, reject: undefined };
  const promise = new Promise((resolve, reject) => { entry.resolve = resolve; entry.reject = reject; });
  openById.set(id, entry);
  idByPromise.set(promise, id);
  pathByObject.set(promise, identity.path);
  const text = '{"t":"' + message + '","id":' + id + ',' + common(scope, identity, kind, name, opts, step) + resources(opts) + selectedBy(scope, opts) +
    orderDependence(scope, kind, name, key, id) + ',"args":' + argsText + '}';
  return { id, entry, promise, argsText, text };
}

function makeError(spec) {
  const error = new Error(spec.message);
  define(error, 'name', spec.name);
  if (spec.data !== undefined) define(error, 'data', spec.data);
  return hideStack(error);
}

function close(id) {
  const entry = openById.get(id);
  openById.delete(id);
  const open = entry.scope.openByName.get(entry.label);
  if (open !== undefined) open.delete(id);
  return entry;
}

function settle(entry, observation) {
  if (observation.kind === 'ok') entry.resolve(track(observation.value, entry.path));
  else entry.reject(track(makeError(observation.kind === 'err' ? observation.error : { name: 'Cancelled', message: 'the command was cancelled' }), entry.path));
}

function describeError(error) {
  if (typeof error === 'object' && error !== null && typeof error.message === 'string') {
    let data = '';
    try {
      const text = error.data === undefined ? undefined : quote(error.data);
      if (text !== undefined) data = ',"data":' + text;
    } catch { /* data that is not JSON is not part of the outcome */ }
    return '{"name":' + quote(String(error.name)) + ',"message":' + quote(error.message) + data + '}';
  }
  return '{"name":"Thrown","message":' + quote(String(error)) + ',"data":' + toJson(error, 'null') + '}';
}

/** The outcome of a function as JSON text; a value that is not JSON is itself an error. */
function outcomeOk(value) {
  try {
    return '{"kind":"ok","value":' + toJson(value, 'null') + '}';
  } catch (error) {
    return '{"kind":"err","error":' + describeError(error) + '}';
  }
}

function outcomeErr(error) {
  try {
    return '{"kind":"err","error":' + describeError(error) + '}';
  } catch {
    return '{"kind":"err","error":{"name":"Error","message":"an error that cannot be described"}}';
  }
}

function requireFunction(fn, what) {
  if (typeof fn !== 'function') throw new TypeError(what + ' needs a function');
}

// ---- Console ----------------------------------------------------------------------------------------

/** Longer texts are cut, and say so: a line is read by a person. */
const longestPart = 65536;

function toPrinted(value) {
  let text;
  try {
    if (typeof value === 'string') text = value;
    else if (RealError.isError(value)) text = header(value);
    else text = (typeof value === 'object' ? quote(value) : undefined) ?? String(value);
  } catch {
    text = '[a value that cannot be shown]';
  }
  return text.length <= longestPart ? text : text.slice(0, longestPart) + ' [' + (text.length - longestPart) + ' more characters]';
}

/** What is printed goes to the host with the other messages, and nothing comes back. */
function provideConsole() {
  const target = {};
  for (const level of ['debug', 'error', 'info', 'log', 'warn']) {
    const print = {
      [level](...values) {
        const text = values.map(toPrinted).join(' ');
        post('{"t":"print","level":"' + level + '","text":' + quote(text) + siteOf() + '}');
      },
    }[level];
    define(target, level, Object.freeze(print));
  }
  define(globalThis, 'console', Object.freeze(target));
}

const markers = new Map();

class Context {
  #scope;
  #step;
  constructor(scope, step) {
    this.#scope = scope;
    this.#step = step;
    Object.freeze(this);
  }
  #awaited(kind, name, args, opts) {
    const issued = issue(this.#scope, kind, name, args, opts, this.#step, 'issue');
    post(issued.text);
    return issued.promise;
  }
  model(name, args, opts) { return this.#awaited('model', name, args, opts); }
  read(name, args, opts) { return this.#awaited('read', name, args, opts); }
  write(name, args, opts) { return this.#awaited('write', name, args, opts); }
  sleep(ms, opts) { return this.#awaited('timer', opts?.name ?? 'sleep', { ms: Math.max(0, Number(ms) || 0) }, opts); }
  signal(name, opts) { return this.#awaited('signal', name, opts?.match === undefined ? {} : { match: opts.match }, opts); }
  child(name, input, fn, opts) {
    if (typeof fn !== 'function') return this.#awaited('child', name, input, fn ?? opts);
    const { id, entry, promise, argsText, text } = issue(this.#scope, 'child', name, input, opts, this.#step, 'spawn');
    if (ask(text) !== 'run') return promise;
    const join = (outcome) => {
      if (!openById.has(id)) return;
      settle(close(id), ask('{"t":"join","id":' + id + ',"outcome":' + outcome + '}'));
    };
    enter(openScope(this.#scope, entry.path), fn, JSON.parse(argsText)).then((value) => join(outcomeOk(value)), (error) => join(outcomeErr(error)));
    return promise;
  }
  cancel(promise) {
    const id = idByPromise.get(promise);
    if (id !== undefined && openById.has(id)) post('{"t":"cancel","id":' + id + '}');
  }
  decide(name, chosen, opts) {
    const identity = identify(this.#scope, 'decide', name, opts?.key);
    this.#scope.decisions.set(String(name), identity.path);
    const answer = ask('{"t":"decide",' + common(this.#scope, identity, 'decide', name, opts, this.#step) + ',"chosen":' + toJson(chosen, 'null') +
      (opts?.alternatives === undefined ? '' : ',"alternatives":' + quote(opts.alternatives)) +
      (opts?.because === undefined ? '' : ',"because":' + toJson(opts.because, 'null')) + '}');
    const value = answer === undefined ? chosen : answer.value;
    // A value that came from a command keeps the path of that command: it says more than the decision's own.
    if (typeof value === 'object' && value !== null && !pathByObject.has(value)) pathByObject.set(value, identity.path);
    return value;
  }
  state(name, value, opts) {
    const identity = identify(this.#scope, 'state', name, opts?.key);
    const n = ask('{"t":"state",' + common(this.#scope, identity, 'state', name, opts, this.#step) + ',"value":' + toJson(value, 'null') + '}');
    return Promise.resolve(track(Object.freeze({ name: String(name), n }), identity.path));
  }
  patched(id) {
    const name = String(id);
    if (!markers.has(name)) markers.set(name, ask('{"t":"marker","id":' + quote(name) + '}') === true);
    return markers.get(name);
  }
  pure(name, args, fn) {
    requireFunction(fn, 'ctx.pure');
    const identity = identify(this.#scope, 'pure', name, undefined);
    const value = fn(args);
    post('{"t":"pure","path":' + quote(identity.path) + ',"scope":' + quote(this.#scope.path) + ',"name":' + quote(String(name)) + ',"args":' + toJson(args, 'null') + '}');
    return value;
  }
  now() { return draw(this.#scope, 'clock'); }
  random() { return draw(this.#scope, 'random'); }
  record(type, data, opts) {
    post('{"t":"note","scope":' + quote(this.#scope.path) + ',"type":' + quote(String(type)) + ',"uses":' + usesOf(opts) +
      (this.#step === undefined ? '' : ',"step":' + quote(this.#step)) + ',"data":' + toJson(data, '{}') + '}');
  }
  async step(name, fn) {
    requireFunction(fn, 'ctx.step');
    const scope = this.#scope;
    const step = scope.path + '/step:' + escapeName(name) + '#' + scope.next('step:' + escapeName(name));
    const note = (type, extra) =>
      post('{"t":"note","scope":' + quote(scope.path) + ',"type":"step.' + type + '","uses":[],"step":' + quote(step) + ',"data":{"name":' + quote(String(name)) + extra + '}}');
    note('started', '');
    try {
      const value = await fn(new Context(scope, step));
      note('completed', '');
      return value;
    } catch (error) {
      note('completed', ',"error":' + describeError(error));
      throw error;
    }
  }
  scope(key, fn) {
    requireFunction(fn, 'ctx.scope');
    return enter(openScope(this.#scope, this.#scope.path + '/scope:' + escapeKey(key)), fn);
  }
  #parallel(functions, wrap) {
    return Object.keys(functions).map((label) => {
      requireFunction(functions[label], 'every member of ctx.all and ctx.race');
      return enter(openScope(this.#scope, this.#scope.path + '/par:' + escapeKey(label)), functions[label]).then((value) => wrap(label, value));
    });
  }
  async all(functions) {
    const pairs = await Promise.all(this.#parallel(functions, (label, value) => [label, value]));
    return Object.fromEntries(pairs);
  }
  race(functions) {
    if (typeof functions[Symbol.iterator] === 'function') return Promise.race(functions);
    return Promise.race(this.#parallel(functions, (label, value) => ({ label, value })));
  }
  each(items, keyOf, fn) {
    requireFunction(fn, 'ctx.each');
    const list = Array.from(items);
    const keys = list.map((item, n) => String(typeof keyOf === 'function' ? keyOf(item, n) : item[keyOf]));
    return Promise.all(list.map((item, n) => enter(openScope(this.#scope, this.#scope.path + '/each=' + escapeKey(keys[n])), fn, item, n)));
  }
  rollover(carried) {
    if (!finished) {
      finished = true;
      post('{"t":"settled","outcome":{"kind":"rolled-over","carried":' + toJson(carried, 'null') + '}}');
    }
    return new Promise(() => {});
  }
}
Object.freeze(Context.prototype);
Object.freeze(Context);

const api = {
  start(main, inputText) {
    const finish = (outcome) => {
      if (finished) return;
      finished = true;
      post('{"t":"settled","outcome":' + outcome + '}');
    };
    enter(root, main, JSON.parse(inputText)).then((value) => finish(outcomeOk(value)), (error) => finish(outcomeErr(error)));
  },
  deliver(text) {
    const { id, vt: at, observation } = JSON.parse(text);
    if (at > vt) vt = at;
    turn++;
    const entry = close(id);
    current = entry.scope;
    settle(entry, observation);
  },
  take,
};
`;
