/**
 * Second half of the guest prelude: the `ctx` that control code works with, and the calls the host makes.
 *
 * Text in the language of the sandbox. A `ctx` object is a scope: identity of a command depends on the object it was
 * asked through, never on who happens to be running. Messages to the host are appended as JSON text in the order of the
 * acts and cross when the host takes them, or at once, together with all before it, when an answer is needed. What the commands of
 * a group share, and each call site, is told once; `messages.ts` puts commands together again. Observations are fed before they are
 * delivered, one or many; they are kept in this closure, which control code cannot look into. Used only by `prelude.ts`. No back-ticks.
 */
export const contextSource = `
const quote = JSON.stringify;
const parse = JSON.parse;
let vt = config.startVt;
let turn = 0;
let nextId = 0;
let queue = [];
let queued = 0;
let queuedLength = 0;
let finished = false;
let fed = [];
let fedAt = 0;

/** What is posted crosses when the host takes it, or when there is much of it, so that a flood meets its limit. */
function post(text) {
  queue[queued++] = text;
  queuedLength += text.length;
  if (queuedLength > 65536) bridge(take());
}

function take() {
  if (queued === 0) return '';
  const text = '[' + queue.join(',') + ']';
  queue = [];
  queued = 0;
  queuedLength = 0;
  return text;
}

/** Posts the message, hands everything over and reads the host's answer. */
function ask(text) {
  queue[queued++] = text;
  const answer = bridge(take());
  return answer === '' ? undefined : parse(answer);
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

const noGroup = { kind: '', name: undefined };

class Scope {
  constructor(path, parent) {
    this.path = path;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.counts = new Map();
    this.live = true;
    this.random = undefined;
    this.decisions = new Map();
    this.groups = new Map();
    /** Of the command before: most that follow are of the same group. */
    this.latest = noGroup;
  }
  next(label) {
    const n = this.counts.get(label) ?? 0;
    this.counts.set(label, n + 1);
    return n;
  }
  group(kind, name) {
    const key = kind + ':' + name;
    let group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, (group = new Group(this, kind, String(name))));
    this.latest = group;
    return group;
  }
}

/** How often each path was counted and which keys it had, also by a twin of the scope. */
const issuedByPath = new Map();
let nextGroup = 0;

/** What the commands of one scope, kind and name share, and how many of them are open. */
class Group {
  constructor(scope, kind, name) {
    this.id = nextGroup++;
    this.mark = ',' + this.id + ',';
    this.kind = kind;
    this.name = name;
    this.scope = scope;
    this.path = scope.path + '/' + kind + ':' + escapeName(name);
    this.next = 0;
    this.issued = issuedByPath.get(this.path);
    if (this.issued === undefined) issuedByPath.set(this.path, (this.issued = { next: 0, keys: undefined }));
    /** Open commands without a key; those among them that were issued in the turn named. */
    this.open = 0;
    this.turn = 0;
    this.openInTurn = 0;
    post('{"t":"group","path":' + quote(this.path) + ',"scope":' + quote(scope.path) + ',"kind":"' + kind + '","name":' + quote(name) + '}');
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

/** What each command waits with, at its number; undefined once it has its outcome. */
const openById = [];
/** Values and promises handed to control code, to what they came from (its path; the number of a command): what "uses" may name. */
const origins = new WeakMap();

function track(value, origin) {
  if (typeof value === 'object' && value !== null) origins.set(value, origin);
  return value;
}

function pathOf(value) {
  const origin = origins.get(value);
  return origin === undefined ? undefined : pathOfIdentity(origin);
}

function pathOfIdentity({ group, n, key }) {
  return key === undefined ? group.path + '#' + n : group.path + '=' + escapeKey(key);
}

/** Paths as JSON, or nothing. */
function usesOf(opts) {
  if (opts === undefined || opts.uses === undefined) return '';
  const uses = Array.isArray(opts.uses) ? opts.uses : [opts.uses];
  const out = [];
  for (const use of uses) {
    const path = typeof use === 'object' && use !== null ? pathOf(use) : typeof use === 'string' ? use : undefined;
    if (path !== undefined && !out.includes(path)) out.push(path);
  }
  return out.length === 0 ? '' : quote(out);
}

/** "by" names the latest decision of that name in this scope or one around it, or is a path. */
function decisionPath(scope, name) {
  for (let s = scope; s !== undefined; s = s.parent) if (s.decisions.has(name)) return s.decisions.get(name);
  return name;
}

function selectedBy(scope, opts) {
  if (opts === undefined || opts.by === undefined) return '';
  const by = opts.by;
  const path = typeof by === 'object' && by !== null ? pathOf(by) : decisionPath(scope, String(by));
  return path === undefined ? '' : ',"selectedBy":' + quote(path);
}

/** Whether what was counted last had been issued before, by a twin of its scope. */
let isTwin = false;

/** Counts a command and gives its number, -1 with a key. */
function countIn(group, key) {
  const { issued } = group;
  if (key === undefined) {
    const n = group.next++;
    if ((isTwin = n < issued.next) === false) issued.next = n + 1;
    return n;
  }
  issued.keys ??= new Set();
  isTwin = issued.keys.has(key);
  issued.keys.add(key);
  return -1;
}

/** Counts the command and says how the message names it: by count, or by key. */
function identify(group, key) {
  const n = countIn(group, key);
  return { group, n, key, ambiguous: isTwin };
}

function keyOf(opts) {
  const key = opts === undefined ? undefined : opts.key;
  return key === undefined || key === null ? undefined : String(key);
}

/** Members of a message about one act, each with a comma before it; all that control code can run while it is read has run then. */
function extrasOf(opts, step) {
  const uses = usesOf(opts);
  return (uses === '' ? '' : ',"uses":' + uses) + (step === undefined ? '' : ',"step":' + quote(step));
}

function identityText({ group, n, key, ambiguous }, site) {
  return '"g":' + group.id + (key === undefined ? ',"n":' + n : ',"key":' + quote(key)) + (ambiguous ? ',"ambiguous":true' : '') +
    (site === 0 ? '' : ',"site":' + site);
}

function resources(opts) {
  if (opts === undefined) return '';
  const reads = textList(opts.reads);
  const writes = textList(opts.writes);
  return (reads === undefined ? '' : ',"reads":' + reads) + (writes === undefined ? '' : ',"writes":' + writes) +
    (opts.idempotencyKey === undefined ? '' : ',"idempotencyKey":' + quote(String(opts.idempotencyKey)));
}

/** Two open commands of one scope, kind and name from different deliveries: their counts depend on arrival. */
function orderDependence(group) {
  if (group.turn !== turn) {
    group.turn = turn;
    group.openInTurn = 0;
  }
  const dependent = group.open > group.openInTurn;
  group.open++;
  group.openInTurn++;
  return dependent ? ',"orderDependent":true' : '';
}

/** A command: an array, because there are many of them; what is rare stands in an object at its end. */
function issue(scope, kind, name, args, opts, step, spawns, site) {
  const key = opts === undefined ? undefined : keyOf(opts);
  const argsText = quote(args) ?? '{}';
  let extras = opts === undefined && step === undefined ? '' : extrasOf(opts, step) + resources(opts) + selectedBy(scope, opts);
  const { latest } = scope;
  const group = latest.name === name && latest.kind === kind ? latest : scope.group(kind, name);
  const n = countIn(group, key);
  if (key !== undefined) extras += ',"key":' + quote(key);
  if (isTwin) extras += ',"ambiguous":true';
  if (key === undefined) extras += orderDependence(group);
  const entry = Promise.withResolvers();
  const id = nextId++;
  // Few members: each costs as much as the call that waits.
  entry.id = id;
  entry.group = group;
  if (key === undefined) {
    entry.n = n;
    entry.turn = turn;
  } else entry.key = key;
  openById[id] = entry;
  origins.set(entry.promise, entry);
  if (spawns) extras += ',"spawns":true';
  const text = '[' + id + group.mark + n + ',' + site + ',' + argsText + (extras === '' ? ']' : ',{' + extras.slice(1) + '}]');
  if (!spawns) post(text);
  else if (ask(text) === 'run') entry.inputText = argsText;
  return entry;
}

function makeError(spec) {
  const error = new Error(spec.message);
  define(error, 'name', spec.name);
  if (spec.data !== undefined) define(error, 'data', spec.data);
  return hideStack(error);
}

function close(id) {
  const entry = openById[id];
  if (entry === undefined) return undefined;
  openById[id] = undefined;
  const { group } = entry;
  if (entry.key === undefined) {
    group.open--;
    if (entry.turn === group.turn) group.openInTurn--;
  }
  return entry;
}

function resolveEntry(entry, value) {
  entry.resolve(track(value, entry));
}

function rejectEntry(entry, error) {
  entry.reject(track(makeError(error), entry));
}

/** JSON text, undefined where there is none. */
function jsonOrNothing(value) {
  try {
    return quote(value);
  } catch {
    return undefined;
  }
}

/** A thrown value that is no error, in words; the whole of it is the data of the outcome. */
function thrownToWords(value, json) {
  if (typeof value === 'bigint') return String(value) + 'n';
  if (typeof value !== 'object' || value === null) return String(value);
  if (json === undefined) return 'an object that is not JSON, with ' + quote(Object.keys(value));
  // Maps and the like have no members, but a name.
  const text = json === '{}' ? String(value) : json;
  if (text === '[object Object]') return '{}';
  return text.length > 300 ? text.slice(0, 300) + '\u2026' : text;
}

/** An error as JSON text; whatever was thrown, this throws nothing. */
function describeError(error) {
  try {
    const message = typeof error === 'object' && error !== null ? error.message : undefined;
    if (typeof message === 'string') {
      // Data that is not JSON is not part of the outcome.
      const data = jsonOrNothing(error.data);
      return '{"name":' + quote(String(error.name)) + ',"message":' + quote(message) + (data === undefined ? '' : ',"data":' + data) + '}';
    }
    const json = jsonOrNothing(error);
    const data = json ?? (typeof error === 'object' || typeof error === 'bigint' ? undefined : 'null');
    return '{"name":"Thrown","message":' + quote(thrownToWords(error, json)) + (data === undefined ? '' : ',"data":' + data) + '}';
  } catch {
    return '{"name":"Error","message":"an error that cannot be described"}';
  }
}

/** The outcome of a function as JSON text; a value that is not JSON is itself an error. */
function outcomeOk(value) {
  try {
    return '{"kind":"ok","value":' + toJson(value, 'null') + '}';
  } catch (error) {
    return outcomeErr(error);
  }
}

function outcomeErr(error) {
  return '{"kind":"err","error":' + describeError(error) + '}';
}

function requireFunction(fn, what) {
  if (typeof fn !== 'function') throw new TypeError(what + ' needs a function');
}

function requireMembers(functions, what) {
  if (typeof functions !== 'object' || functions === null) throw new TypeError(what);
}

/** What Array.from would take for an empty list is refused. */
function requireList(items) {
  const isList = items !== undefined && items !== null && (typeof items[Symbol.iterator] === 'function' || typeof items.length === 'number');
  if (!isList) throw new TypeError('ctx.each needs a list');
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
  #awaited(kind, name, args, opts, site) {
    return issue(this.#scope, kind, name, args, opts, this.#step, false, site).promise;
  }
  model(name, args, opts) { return issue(this.#scope, 'model', name, args, opts, this.#step, false, siteIn(new RealError().stack)).promise; }
  read(name, args, opts) { return issue(this.#scope, 'read', name, args, opts, this.#step, false, siteIn(new RealError().stack)).promise; }
  write(name, args, opts) { return issue(this.#scope, 'write', name, args, opts, this.#step, false, siteIn(new RealError().stack)).promise; }
  sleep(ms, opts) {
    const site = siteIn(new RealError().stack);
    return this.#awaited('timer', opts?.name ?? 'sleep', { ms: Math.max(0, Number(ms) || 0) }, opts, site);
  }
  signal(name, opts) {
    const site = siteIn(new RealError().stack);
    return this.#awaited('signal', name, opts?.match === undefined ? {} : { match: opts.match }, opts, site);
  }
  child(name, input, fn, opts) {
    const site = siteIn(new RealError().stack);
    if (typeof fn !== 'function') return this.#awaited('child', name, input, fn ?? opts, site);
    const entry = issue(this.#scope, 'child', name, input, opts, this.#step, true, site);
    const { id, promise, inputText } = entry;
    if (inputText === undefined) return promise;
    const join = (outcome) => {
      if (openById[id] === undefined) return;
      const answer = ask('{"t":"join","id":' + id + ',"outcome":' + outcome + '}');
      close(id);
      if (answer.kind === 'ok') resolveEntry(entry, answer.value);
      else rejectEntry(entry, answer.error);
    };
    enter(openScope(this.#scope, pathOfIdentity(entry)), fn, parse(inputText)).then((value) => join(outcomeOk(value)), (error) => join(outcomeErr(error)));
    return promise;
  }
  cancel(promise) {
    const id = origins.get(promise)?.id;
    if (id !== undefined && openById[id] !== undefined) post('{"t":"cancel","id":' + id + '}');
  }
  decide(name, chosen, opts) {
    const site = siteIn(new RealError().stack);
    const key = keyOf(opts);
    const extras = extrasOf(opts, this.#step) + ',"chosen":' + toJson(chosen, 'null') +
      (opts?.alternatives === undefined ? '' : ',"alternatives":' + quote(opts.alternatives)) +
      (opts?.because === undefined ? '' : ',"because":' + toJson(opts.because, 'null'));
    const identity = identify(this.#scope.group('decide', name), key);
    this.#scope.decisions.set(String(name), pathOfIdentity(identity));
    const answer = ask('{"t":"decide",' + identityText(identity, site) + extras + '}');
    const value = answer === undefined ? chosen : answer.value;
    // A value that came from a command keeps the path of that command: it says more than the decision's own.
    if (typeof value === 'object' && value !== null && !origins.has(value)) origins.set(value, identity);
    return value;
  }
  state(name, value, opts) {
    const site = siteIn(new RealError().stack);
    const key = keyOf(opts);
    const extras = extrasOf(opts, this.#step) + ',"value":' + toJson(value, 'null');
    const identity = identify(this.#scope.group('state', name), key);
    const n = ask('{"t":"state",' + identityText(identity, site) + extras + '}');
    return Promise.resolve(track(Object.freeze({ name: String(name), n }), identity));
  }
  patched(id) {
    const name = String(id);
    if (!markers.has(name)) markers.set(name, ask('{"t":"marker","id":' + quote(name) + '}') === true);
    return markers.get(name);
  }
  pure(name, args, fn) {
    requireFunction(fn, 'ctx.pure');
    const argsText = toJson(args, 'null');
    const identity = identify(this.#scope.group('pure', name), undefined);
    const value = fn(args);
    post('{"t":"pure",' + identityText(identity, 0) + ',"args":' + argsText + '}');
    return value;
  }
  now() { return draw(this.#scope, 'clock'); }
  random() { return draw(this.#scope, 'random'); }
  record(type, data, opts) {
    post('{"t":"note","scope":' + quote(this.#scope.path) + ',"type":' + quote(String(type)) + extrasOf(opts, this.#step) +
      ',"data":' + toJson(data, '{}') + '}');
  }
  async step(name, fn) {
    requireFunction(fn, 'ctx.step');
    const scope = this.#scope;
    const step = scope.path + '/step:' + escapeName(name) + '#' + scope.next('step:' + escapeName(name));
    const note = (type, extra) =>
      post('{"t":"note","scope":' + quote(scope.path) + ',"type":"step.' + type + '","step":' + quote(step) + ',"data":{"name":' + quote(String(name)) + extra + '}}');
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
    const labels = Object.keys(functions);
    for (const label of labels) requireFunction(functions[label], 'every member of ctx.all and ctx.race');
    return labels.map((label) => {
      return enter(openScope(this.#scope, this.#scope.path + '/par:' + escapeKey(label)), functions[label]).then((value) => wrap(label, value));
    });
  }
  async all(functions) {
    requireMembers(functions, 'ctx.all needs an object of functions');
    const pairs = await Promise.all(this.#parallel(functions, (label, value) => [label, value]));
    return Object.fromEntries(pairs);
  }
  race(functions) {
    requireMembers(functions, 'ctx.race needs an object of functions, or a list of promises');
    if (typeof functions[Symbol.iterator] === 'function') return Promise.race(functions);
    return Promise.race(this.#parallel(functions, (label, value) => ({ label, value })));
  }
  each(items, keyOf, fn) {
    requireList(items);
    requireFunction(fn, 'ctx.each');
    const list = Array.from(items);
    const keys = list.map((item, n) => String(typeof keyOf === 'function' ? keyOf(item, n) : item[keyOf]));
    return Promise.all(list.map((item, n) => enter(openScope(this.#scope, this.#scope.path + '/each=' + escapeKey(keys[n])), fn, item, n)));
  }
  rollover(carried) {
    // What cannot be JSON is an error of the call: the run goes on. Reading it may itself have ended the run.
    const text = finished ? '' : toJson(carried, 'null');
    if (!finished) {
      finished = true;
      post('{"t":"settled","outcome":{"kind":"rolled-over","carried":' + text + '}}');
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
    enter(root, main, parse(inputText)).then((value) => finish(outcomeOk(value)), (error) => finish(outcomeErr(error)));
  },
  /** What is delivered next, in order; the host runs every job between two deliveries. */
  feed(text) {
    fed = parse(text);
    fedAt = 0;
  },
  /** The host reads the marks: 0 where a delivery begins, -1 where the command it was meant for is not open. */
  next() {
    if (finished || fedAt >= fed.length) return;
    const delivery = fed[fedAt];
    fed[fedAt++] = undefined;
    const entry = close(delivery[0]);
    if (entry === undefined) {
      fed = [];
      post('-1');
      return;
    }
    if (delivery[1] > vt) vt = delivery[1];
    turn++;
    queue[queued++] = '0';
    current = entry.group.scope;
    const value = delivery[2];
    if (delivery.length > 3) {
      const error = delivery[3];
      rejectEntry(entry, error === 0 ? { name: 'Cancelled', message: 'the command was cancelled' } : error);
      return;
    }
    if (typeof value === 'object' && value !== null) origins.set(value, entry);
    entry.resolve(value);
  },
  take,
};
`;
