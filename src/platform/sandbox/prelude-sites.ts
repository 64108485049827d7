/**
 * Part of the guest prelude: where in the program a call stands, and the console.
 *
 * Text in the language of the sandbox. Each call site is told once and named by number from then on. Invariant: what is printed goes to
 * the host with the other messages, and nothing comes back. `post` and `quote` are of `prelude-context.ts`. Used only by `prelude.ts`.
 * No back-ticks inside.
 */
export const sitesSource = `
const siteMark = '(' + config.file + ':';
const sites = new Map();

/** Stacks and their sites: the same few stand again and again, and looking into one costs more than comparing it. */
const siteByStack = new Map();
const mostStacks = 1000;
let lastStack;
let lastSite = 0;

/** Number of the call site in a stack that the method itself took: every frame costs. 0 is none. */
function siteIn(stack) {
  if (stack === lastStack) return lastSite;
  let site = siteByStack.get(stack);
  if (site === undefined) {
    site = siteOfLine(stack);
    if (siteByStack.size < mostStacks) siteByStack.set(stack, site);
  }
  lastStack = stack;
  lastSite = site;
  return site;
}

function siteOfLine(stack) {
  const at = stack.indexOf(siteMark);
  if (at < 0) return 0;
  const line = stack.slice(stack.lastIndexOf('\\n', at) + 1, stack.indexOf(')', at) + 1);
  let site = sites.get(line);
  if (site === undefined) {
    sites.set(line, (site = sites.size + 1));
    post('{"t":"site","at":' + quote(line) + '}');
  }
  return site;
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
        const site = siteIn(new RealError().stack);
        post('{"t":"print","level":"' + level + '","text":' + quote(text) + (site === 0 ? '' : ',"site":' + site) + '}');
      },
    }[level];
    define(target, level, Object.freeze(print));
  }
  define(globalThis, 'console', Object.freeze(target));
}
`;
