/**
 * First half of the guest prelude: the environment control code sees.
 *
 * Text in the language of the sandbox (strict script, no host types). It removes what could carry the host's clock, time
 * zone, heap or dynamic code into a run, replaces `Date`, `Math.random` and the error constructors, and later freezes the
 * intrinsics. Invariant: after `seal()` no value reachable from the global differs between two hosts.
 * `draw(kind)` is provided by the second half. Used only by `prelude.ts`. No back-ticks inside.
 */
export const environmentSource = `
const allowedGlobals = [
  'Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'InternalError',
  'AggregateError', 'Array', 'Object', 'Function', 'Iterator', 'parseInt', 'parseFloat', 'isNaN', 'isFinite',
  'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape', 'Infinity', 'NaN',
  'undefined', 'Number', 'Boolean', 'String', 'Math', 'Reflect', 'Symbol', 'globalThis', 'BigInt', 'Date', 'RegExp',
  'JSON', 'Proxy', 'Map', 'Set', 'WeakMap', 'WeakSet', 'ArrayBuffer', 'Uint8ClampedArray', 'Int8Array', 'Uint8Array',
  'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array',
  'Float32Array', 'Float64Array', 'DataView', 'Promise',
];
const RealError = Error;
const RealDate = Date;
const closedPrototypes = [function () {}, async function () {}, function* () {}, async function* () {}].map(Object.getPrototypeOf);

function define(target, key, value) {
  Object.defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });
}

function removeGlobals() {
  for (const key of Reflect.ownKeys(globalThis)) {
    if (typeof key === 'string' && !allowedGlobals.includes(key)) delete globalThis[key];
  }
}

function closeDynamicCode() {
  const closed = function Function() {
    throw new EvalError('code from text is not available in the sandbox');
  };
  Object.defineProperty(closed, 'prototype', { value: closedPrototypes[0], writable: false });
  define(globalThis, 'Function', closed);
  for (const proto of closedPrototypes) Object.defineProperty(proto, 'constructor', { value: closed, writable: false, configurable: false });
}

// ---- Errors: the stack is the header, so that neither the engine nor the place of a line can be seen ----

function header(error) {
  const name = String(error.name);
  const message = String(error.message);
  return message === '' ? name : name + ': ' + message;
}

function hideStack(error) {
  define(error, 'stack', header(error));
  return error;
}

function scrub(error) {
  if (typeof error === 'object' && error !== null && RealError.isError(error)) {
    const own = Object.getOwnPropertyDescriptor(error, 'stack');
    if (own !== undefined && typeof own.value === 'string' && own.configurable && own.value.startsWith('    at ')) hideStack(error);
  }
}

function replaceErrors() {
  const names = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'InternalError', 'AggregateError'];
  let base;
  for (const name of names) {
    const Real = globalThis[name];
    if (Real === undefined) continue;
    const Safe = {
      [name]: function (...args) {
        return hideStack(Reflect.construct(Real, args, new.target === undefined ? Safe : new.target));
      },
    }[name];
    Object.defineProperty(Safe, 'length', { value: Real.length });
    Object.defineProperty(Safe, 'prototype', { value: Real.prototype, writable: false });
    if (name === 'Error') {
      base = Safe;
      if (Real.isError !== undefined) define(Safe, 'isError', Real.isError);
    } else Object.setPrototypeOf(Safe, base);
    define(Real.prototype, 'constructor', Safe);
    define(globalThis, name, Safe);
  }
}

// ---- Date: virtual time, offset 0 -----------------------------------------------------------------

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function pad(value, width) {
  return String(value).padStart(width, '0');
}

function parseDate(text) {
  const s = text.trim();
  const zoned = /\\d:\\d\\d.*(?:Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)\\s*(?:\\([^)]*\\))?$/i.test(s);
  if (zoned || /^[+-]?\\d{4,6}(?:-\\d\\d){0,2}$/.test(s)) return RealDate.parse(s);
  return RealDate.parse(/^[+-]?\\d{4,6}-\\d\\d(?:-\\d\\d)?[T ]/.test(s) ? s + 'Z' : s + ' GMT');
}

function dateToDay(d) {
  return days[d.getUTCDay()] + ' ' + months[d.getUTCMonth()] + ' ' + pad(d.getUTCDate(), 2) + ' ' + pad(d.getUTCFullYear(), 4);
}

function dateToTime(d) {
  return pad(d.getUTCHours(), 2) + ':' + pad(d.getUTCMinutes(), 2) + ':' + pad(d.getUTCSeconds(), 2) + ' GMT+0000';
}

function toNumberOrDate(value) {
  if (value instanceof RealDate) return value.getTime();
  const primitive = typeof value === 'object' && value !== null ? value[Symbol.toPrimitive]?.('default') ?? value.valueOf() : value;
  if (typeof primitive === 'object' && primitive !== null) return parseDate(String(primitive));
  return typeof primitive === 'string' ? parseDate(primitive) : Number(primitive);
}

function replaceDate(now) {
  const proto = RealDate.prototype;
  const SafeDate = function Date(...args) {
    if (new.target === undefined) {
      const d = new RealDate(now());
      return dateToDay(d) + ' ' + dateToTime(d);
    }
    const t = args.length === 0 ? now() : args.length === 1 ? toNumberOrDate(args[0]) : RealDate.UTC(...args);
    return Reflect.construct(RealDate, [t], new.target);
  };
  Object.defineProperty(SafeDate, 'length', { value: 7 });
  Object.defineProperty(SafeDate, 'prototype', { value: proto, writable: false });
  define(SafeDate, 'now', function () { return now(); });
  define(SafeDate, 'parse', function (text) { return parseDate(String(text)); });
  define(SafeDate, 'UTC', RealDate.UTC);
  define(proto, 'constructor', SafeDate);
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    define(proto, 'get' + part, proto['getUTC' + part]);
    if (part !== 'Day') define(proto, 'set' + part, proto['setUTC' + part]);
  }
  define(proto, 'getYear', function getYear() { return this.getUTCFullYear() - 1900; });
  define(proto, 'setYear', function setYear(y) { const n = Number(y); return this.setUTCFullYear(n >= 0 && n <= 99 ? 1900 + Math.trunc(n) : n); });
  define(proto, 'getTimezoneOffset', function getTimezoneOffset() { return Number.isNaN(this.getTime()) ? NaN : 0; });
  const texts = {
    toString: (d) => dateToDay(d) + ' ' + dateToTime(d),
    toDateString: dateToDay,
    toTimeString: dateToTime,
    toLocaleString: (d) => dateToDay(d) + ' ' + dateToTime(d),
    toLocaleDateString: dateToDay,
    toLocaleTimeString: dateToTime,
  };
  for (const key of Object.keys(texts)) {
    const write = texts[key];
    define(proto, key, { [key]: function () { return Number.isNaN(this.getTime()) ? 'Invalid Date' : write(this); } }[key]);
  }
  define(globalThis, 'Date', SafeDate);
}

// ---- Freezing ---------------------------------------------------------------------------------------

/** Data members of these prototypes become accessors, so that plain assignment on an instance still makes an own member. */
function allowOverrides(proto) {
  for (const key of Reflect.ownKeys(proto)) {
    const own = Object.getOwnPropertyDescriptor(proto, key);
    if (own === undefined || !('value' in own) || !own.configurable) continue;
    const value = own.value;
    Object.defineProperty(proto, key, {
      get: function () { return value; },
      set: function (next) {
        if (this === proto) throw new TypeError('built-in objects are read-only in the sandbox');
        Object.defineProperty(this, key, { value: next, writable: true, enumerable: true, configurable: true });
      },
      enumerable: false,
      configurable: false,
    });
  }
}

function freezeIntrinsics() {
  const seen = new Set();
  const todo = closedPrototypes.slice();
  for (const sample of [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'x'.matchAll(/x/g),
    (function* () {})(), (async function* () {})(), Iterator.from({ next() {} }), [].values().map((x) => x)]) {
    for (let o = Object.getPrototypeOf(sample); o !== null; o = Object.getPrototypeOf(o)) todo.push(o);
  }
  for (const key of Reflect.ownKeys(globalThis)) {
    const own = Object.getOwnPropertyDescriptor(globalThis, key);
    if (own !== undefined && 'value' in own && own.value !== globalThis) todo.push(own.value);
  }
  while (todo.length > 0) {
    const o = todo.pop();
    if ((typeof o !== 'object' && typeof o !== 'function') || o === null || o === globalThis || seen.has(o)) continue;
    seen.add(o);
    const keys = Reflect.ownKeys(o);
    // Most built-ins are functions with a length and a name, which lead nowhere.
    if (typeof o !== 'function' || keys.length !== 2 || keys[0] !== 'length' || keys[1] !== 'name') {
      for (const key of keys) {
        const own = Object.getOwnPropertyDescriptor(o, key);
        todo.push(own.value, own.get, own.set);
      }
    }
    todo.push(Object.getPrototypeOf(o));
    Object.freeze(o);
  }
  for (const key of Reflect.ownKeys(globalThis)) {
    const own = Object.getOwnPropertyDescriptor(globalThis, key);
    if (own !== undefined && own.configurable && 'value' in own) Object.defineProperty(globalThis, key, { writable: false });
  }
}

function seal() {
  const errorPrototypes = allowedGlobals.filter((name) => name.endsWith('Error') && globalThis[name] !== undefined).map((name) => globalThis[name].prototype);
  for (const proto of [...errorPrototypes, Object.prototype]) allowOverrides(proto);
  freezeIntrinsics();
}
`;
