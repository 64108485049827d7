/**
 * The guest prelude as one script: a function of the raw bridge and its configuration that prepares the realm and returns
 * the host's entry points. The bridge lives only in that closure; it never stands on the global.
 */
import { contextSource } from './prelude-context.ts';
import { environmentSource } from './prelude-environment.ts';
import { sitesSource } from './prelude-sites.ts';

/** File name under which the text of a program appears in call sites. */
export const programFile = 'program.js';
/** Short: it is written into every stack that a call site is read from. */
export const preludeFile = 'p';
/** Name of the function that instrumented catch clauses call; not a name a program would use. */
export const scrubName = '__scrubError';

export const preludeSource = `(function (bridge, configText) {
'use strict';
// Control code can put others of these names on the global: the prelude keeps the ones it was made with.
const { Array, JSON, Map, Math, Number, Object, Promise, Reflect, Set, String, Symbol, WeakMap, encodeURIComponent } = globalThis;
const config = JSON.parse(configText);
${environmentSource}
${contextSource}
${sitesSource}
removeGlobals();
closeDynamicCode();
replaceErrors();
replaceDate(() => draw(current, 'clock'));
define(Math, 'random', function random() { return draw(current, 'random'); });
seal();
provideConsole();
Object.defineProperty(globalThis, '${scrubName}', { value: scrub, writable: false, enumerable: false, configurable: false });
return api;
})`;

/** What the prelude is told; crosses as JSON. */
export interface PreludeConfig {
  readonly startVt: number;
  readonly seed: string;
  readonly draws: 'derived' | 'ask';
  readonly rootPath: string;
  readonly scopeDepth: number;
  readonly file: string;
}
