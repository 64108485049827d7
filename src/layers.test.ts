/**
 * The architecture as an executable test.
 *
 * Owns the import table: which folder may import which. Every file under `src`, `e2e` and `fixtures` is read, with no
 * entry point to start from, and type-only imports count like any other. Also measured here, because they need the
 * same walk over the sources: import cycles, file lengths, file names, and paths of somebody's machine.
 *
 * To change the architecture, change the table and say why in `src/decisions/`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createTable } from './core/base/table.ts';

const core = ['core/*'];
const page = ['react', 'react-dom', 'react-aria-components'];

interface Row {
  /** Folders this one may import, besides itself. `core/*` stands for every folder of the core. */
  readonly imports: readonly string[];
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[];
  /** Packages this folder may import; `node:` stands for Node's own modules. */
  readonly packages: readonly string[];
}

/** The import table. A folder without a row is an error. */
const table = createTable<Row>({
  core: { imports: [], packages: [] },
  'core/base': { imports: [], packages: ['@noble/hashes'] },
  'core/model': { imports: ['core/base'], packages: ['zod'] },
  'core/formats': { imports: ['core/model', 'core/base'], packages: ['zod', 'fflate', 'fzstd'] },
  'core/causal': { imports: ['core/model', 'core/base'], packages: [] },
  'core/redaction': { imports: ['core/model', 'core/base'], packages: ['zod'] },
  'core/replay': { imports: ['core/causal', 'core/model', 'core/base'], packages: ['zod'] },
  'core/projections': { imports: ['core/causal', 'core/model', 'core/base'], packages: [] },
  'core/audit': { imports: ['core/projections', 'core/causal', 'core/model', 'core/base'], packages: [] },
  // Of formats, the names that streams of trials give their records; of simulate, what stands beside a measured cell.
  'core/recovery': {
    imports: [
      ...['core/formats', 'core/simulate', 'core/replay', 'core/projections'],
      ...['core/causal', 'core/model', 'core/base'],
    ],
    packages: ['zod'],
  },
  'core/share': {
    imports: ['core/redaction', 'core/replay', 'core/causal', 'core/model', 'core/base'],
    packages: ['zod', 'fflate', '@noble/hashes'],
  },
  'core/export': { imports: ['core/model', 'core/base'], packages: [] },
  'core/query': { imports: ['core/causal', 'core/model', 'core/base'], packages: [] },
  'core/simulate': { imports: ['core/replay', 'core/model', 'core/base'], packages: [] },
  'core/compare': {
    imports: ['core/replay', 'core/projections', 'core/causal', 'core/model', 'core/base'],
    packages: [],
  },
  // Requests and answers of model interfaces, as data.
  'core/live': { imports: ['core/model', 'core/base'], packages: [] },
  'core/golden': { imports: ['core/replay', 'core/projections', 'core/model', 'core/base'], packages: ['zod'] },
  'platform/storage': { imports: core, packages: ['dexie', 'fflate', 'zod'] },
  'platform/sandbox': {
    imports: core,
    packages: ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', 'sucrase', 'node:'],
  },
  'platform/crypto': { imports: core, packages: ['@noble/hashes'] },
  'platform/files': { imports: core, packages: ['fflate', 'fzstd', 'node:'] },
  // Both sides of foreign requests: the frame and the port in the page, the one request in the document of `net.html`.
  'platform/net': { imports: core, packages: [] },
  'platform/workers': { imports: ['core/*', 'platform/*'], packages: ['zod'] },
  data: { imports: core, types: ['platform/*'], packages: ['react', '@tanstack/react-query'] },
  state: { imports: ['core/model', 'core/base'], packages: ['react', 'zustand'] },
  ui: { imports: ['core/base'], packages: [...page, '@tanstack/react-virtual', '@codemirror/*'] },
  ...Object.fromEntries(
    ['library', 'explorer', 'replay', 'recovery', 'share', 'goldens'].map((view): [string, Row] => [
      `views/${view}`,
      {
        imports: ['data', 'state', 'ui', 'core/*'],
        packages: [...page, '@tanstack/react-virtual', '@tanstack/react-query', '@xyflow/react', '@codemirror/*'],
      },
    ]),
  ),
  app: { imports: ['*'], packages: ['*'] },
  'main.tsx': { imports: ['*'], packages: ['*'] },
  // The document that makes confirmed foreign requests: small, with a policy of its own.
  'net.ts': { imports: ['platform/net'], packages: [] },
  cli: { imports: ['core/*', 'platform/*'], packages: ['node:'] },
  recorder: { imports: ['core/model', 'core/base'], packages: ['node:'] },
  tools: { imports: core, packages: ['node:', 'vite', 'prettier'] },
  decisions: { imports: [], packages: [] },
  'layers.test.ts': { imports: ['core/base'], packages: [] },
  'eslint.config.js': { imports: [], packages: ['*'] },
  'fixtures/lab': {
    imports: ['core/*', 'platform/sandbox', 'platform/files', 'recorder'],
    packages: ['node:', 'prettier'],
  },
  // Drives the built site from outside and runs the core beside it.
  'fixtures/bench': { imports: ['core/*', 'platform/*'], packages: ['*'] },
  // Settings of the mutation tests.
  'fixtures/programs': { imports: ['core/*', 'platform/*'], packages: ['vitest', 'node:'] },
  'fixtures/mutation': { imports: [], packages: ['vitest', 'node:'] },
  'vite.config.ts': { imports: ['tools'], packages: ['*'] },
  e2e: { imports: ['core/*', 'state', 'tools'], packages: ['*'] },
});

/** Nothing imports these: they are where programs start. */
const entries = new Set([
  'app',
  'main.tsx',
  'net.ts',
  'cli',
  'e2e',
  'fixtures/lab',
  'fixtures/bench',
  'vite.config.ts',
]);

const lengthLimit = 600;
/** Files longer than the limit, each with the reason why splitting it would read worse. */
const longFiles = createTable<string>({});

/** An absolute path into a place where checkouts live. Relative paths work on every machine. */
const machinePath = /(?:^|["'`\s(=:])\/(?:work|workspace|builds|home\/runner)\/[\w.-]/m;

/** A file's text and what it imports, by the file's path from the project's root. */
type Sources = ReadonlyMap<string, Source>;

interface Source {
  readonly text: string;
  readonly imports: readonly Import[];
}

interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly typeOnly: boolean;
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || isTesting(file) || file.startsWith('e2e/');
}

/** Builders and drawings for tests: a `testing` folder or file. */
function isTesting(file: string): boolean {
  return /\/testing(\/|\.tsx?$)/.test(file);
}

/** The row a file belongs to: two levels in the layered folders, one elsewhere, the file's own name at the top. */
function fileToLayer(file: string): string {
  const parts = file.split('/');
  const [top = '', second = '', third = ''] = parts;
  if (top === 'fixtures') return parts.length > 2 ? `fixtures/${second}` : 'fixtures';
  if (top !== 'src') return top;
  if (['core', 'platform', 'views'].includes(second)) return parts.length > 3 ? `${second}/${third}` : second;
  return second;
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern === '*' || pattern === name
      ? true
      : pattern.endsWith('/*') || pattern.endsWith(':')
        ? name.startsWith(pattern.replace(/\*$/, ''))
        : name.startsWith(`${pattern}/`),
  );
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function textToImports(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const typeOnly = new Map<string, boolean>();
  for (const node of source.statements) {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) continue;
    if (node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier)) continue;
    const specifier = node.moduleSpecifier.text;
    typeOnly.set(specifier, (typeOnly.get(specifier) ?? true) && isTypeOnly(node));
  }
  // The scanner also sees `import('…')` and `import type` in type positions, wherever they stand.
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: source.getLineAndCharacterOfPosition(pos).line + 1,
    typeOnly: typeOnly.get(fileName) ?? false,
  }));
}

/** Where a relative import leads, as a path from the project's root; a query such as `?worker&url` is not part of it. */
function resolveImport(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''));
}

function checkPackage(file: string, row: Row, layer: string, { specifier, line }: Import): string[] {
  if (isTest(file) || matches(specifier, row.packages)) return [];
  return [`${file}:${line} imports package ${specifier}: add it to packages of row '${layer}' in src/layers.test.ts`];
}

function checkEdge(file: string, row: Row, layer: string, target: string, edge: Import): string[] {
  const to = fileToLayer(target);
  const place = `${file}:${edge.line} (${layer}) imports ${target} (${to})`;
  if (/\.test\.tsx?$/.test(target)) return [`${place}: nothing may import a test`];
  if (isTesting(target) && !isTest(file)) return [`${place}: only tests may import testing code`];
  if (to === layer) return [];
  if (isTest(file) && matches(to, ['core/*', 'platform/*'])) return []; // Nothing imports a test: no arrow comes back.
  if (entries.has(to) && !matches(layer, ['main.tsx'])) return [`${place}: nothing may import ${to}`];
  if (matches(to, row.imports)) return [];
  if (matches(to, row.types ?? [])) {
    return edge.typeOnly ? [] : [`${place}: only types may cross here; write \`import type\``];
  }
  return [`${place}: not in row '${layer}' of the table in src/layers.test.ts, which allows ${row.imports.join(', ')}`];
}

function checkImports(sources: Sources, exists: (file: string) => boolean): string[] {
  const problems: string[] = [];
  for (const [file, { imports }] of sources) {
    const layer = fileToLayer(file);
    const row = table[layer];
    if (row === undefined) {
      problems.push(`${file}: folder '${layer}' has no row; add one to the table in src/layers.test.ts`);
      continue;
    }
    for (const edge of imports) {
      if (!edge.specifier.startsWith('.')) {
        problems.push(...checkPackage(file, row, layer, edge));
        continue;
      }
      const target = resolveImport(file, edge.specifier);
      if (exists(target)) problems.push(...checkEdge(file, row, layer, target, edge));
      else
        problems.push(`${file}:${edge.line} imports ${edge.specifier}: no such file; write the extension (.ts, .tsx)`);
    }
  }
  return problems;
}

/** Cycles between files, by value imports. Depth first with an own stack: `path` is the chain from a root to the top. */
function checkCycles(sources: Sources): string[] {
  const targets = new Map(
    [...sources].map(([file, { imports }]) => [
      file,
      imports
        .filter((edge) => edge.specifier.startsWith('.') && !edge.typeOnly && !edge.specifier.includes('?'))
        .map((edge) => resolveImport(file, edge.specifier)),
    ]),
  );
  const problems: string[] = [];
  const finished = new Set<string>();
  for (const root of sources.keys()) {
    const path: { readonly file: string; next: number }[] = finished.has(root) ? [] : [{ file: root, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = targets.get(top.file)?.[top.next];
      top.next += 1;
      if (target === undefined) {
        finished.add(top.file);
        path.pop();
        continue;
      }
      const start = path.findIndex(({ file }) => file === target);
      if (start >= 0) {
        const cycle = [...path.slice(start).map(({ file }) => file), target];
        problems.push(`import cycle: ${cycle.join(' -> ')}: move what both need into a file of its own`);
      } else if (!finished.has(target)) path.push({ file: target, next: 0 });
    }
  }
  return problems;
}

function checkLengths(sources: Sources): string[] {
  return [...sources].flatMap(([file, { text }]) => {
    const lines = text.split('\n').length - 1;
    const excepted = longFiles[file] !== undefined;
    if (lines > lengthLimit && !excepted) return [`${file} has ${lines} lines, over ${lengthLimit}: split it`];
    if (lines <= lengthLimit && excepted) return [`${file} is short again: remove it from longFiles`];
    return [];
  });
}

function checkNames(sources: Sources): string[] {
  return [...sources.keys()].flatMap((file) => {
    const name = posix.basename(file);
    const isComponent = name.endsWith('.tsx') && name !== 'main.tsx';
    const shape = isComponent
      ? /^(?:[A-Z][A-Za-z0-9]*|use-[a-z0-9-]+)(?:\.[a-z0-9-]+)*\.tsx$/
      : /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
    return shape.test(name) ? [] : [`${file}: write ${isComponent ? 'PascalCase.tsx' : 'kebab-case'} for the name`];
  });
}

function checkPaths(sources: Sources, root: string): string[] {
  return [...sources].flatMap(([file, { text }]) =>
    machinePath.test(text) || text.includes(`${root}/`)
      ? [`${file} holds a path of one machine: make it relative`]
      : [],
  );
}

const root = join(import.meta.dirname, '..');

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.includes('/node_modules/'));
}

function toSources(entries: readonly (readonly [file: string, text: string])[]): Sources {
  return new Map(entries.map(([file, text]) => [file, { text, imports: textToImports(file, text) }]));
}

/** Recorded control programs (`fixtures` with the ending .js) are data, in the language of the sandbox. */
function isCode(file: string): boolean {
  return /\.(?:tsx?|mjs|js)$/.test(file) && !/^fixtures\/.*\.js$/.test(file);
}

function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

const files = [...listFiles('src'), ...listFiles('e2e'), ...listFiles('fixtures'), 'vite.config.ts'];
const known = new Set(files);
const sources = toSources(files.filter(isCode).map((file) => [file, readText(file)]));
const texts = toSources(files.filter((file) => /\.(?:css|md)$/.test(file)).map((file) => [file, readText(file)]));

/** One planted file in an otherwise empty project, so that each check is seen to fail. */
function plant(file: string, text: string, ...others: readonly string[]): string[] {
  const planted = toSources([[file, text], ...others.map((other): [string, string] => [other, ''])]);
  return checkImports(planted, (target) => planted.has(target));
}

describe('the project', () => {
  it('reads every source file', () => {
    expect(sources.has('src/core/base/result.ts')).toBe(true);
    expect(dirname(join(root, 'src/layers.test.ts'))).toBe(import.meta.dirname);
  });

  it('imports only what the table allows', () => {
    expect(checkImports(sources, (file) => known.has(file))).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(checkCycles(sources)).toEqual([]);
  });

  it('has no file over the length limit', () => {
    expect(checkLengths(sources)).toEqual([]);
  });

  it('names files alike', () => {
    expect(checkNames(sources)).toEqual([]);
  });

  it('holds no path of one machine', () => {
    expect([...checkPaths(sources, root), ...checkPaths(texts, root)]).toEqual([]);
  });
});

describe('each check can fail', () => {
  const base = 'src/core/base/a.ts';
  const model = 'src/core/model/a.ts';

  it('an arrow upwards, even of a type alone', () => {
    expect(plant(base, `import type { A } from '../model/a.ts';`, model)).toEqual([
      expect.stringContaining(`${base}:1 (core/base) imports ${model} (core/model): not in row 'core/base'`),
    ]);
    expect(plant(model, `import type { A } from '../base/a.ts';`, base)).toEqual([]);
  });

  it('a dynamic import and an import in a type', () => {
    expect(plant(base, `export const a = import('../model/a.ts');`, model)).toHaveLength(1);
    expect(plant(base, `export type A = import('../model/a.ts').A;`, model)).toHaveLength(1);
  });

  it('a folder without a row', () => {
    expect(plant('src/helpers/a.ts', '')).toEqual([expect.stringContaining(`folder 'helpers' has no row`)]);
  });

  it('one view from another, and the platform from a view', () => {
    const view = 'src/views/library/A.tsx';
    expect(plant(view, `import '../replay/B.tsx';`, 'src/views/replay/B.tsx')).toHaveLength(1);
    expect(plant(view, `import '../../platform/storage/a.ts';`, 'src/platform/storage/a.ts')).toHaveLength(1);
  });

  it('a value where only types may cross', () => {
    const storage = 'src/platform/storage/index.ts';
    const from = '../platform/storage/index.ts';
    expect(plant('src/data/a.ts', `import { a } from '${from}';`, storage)).toEqual([
      expect.stringContaining('write `import type`'),
    ]);
    expect(plant('src/data/a.ts', `import type { A } from '${from}';`, storage)).toEqual([]);
  });

  it('a test or testing code imported by the product', () => {
    expect(plant(base, `import './a.test.ts';`, 'src/core/base/a.test.ts')).toHaveLength(1);
    expect(plant(model, `import './testing/draw.ts';`, 'src/core/model/testing/draw.ts')).toHaveLength(1);
    expect(plant('src/core/model/a.test.ts', `import './testing/draw.ts';`, 'src/core/model/testing/draw.ts')).toEqual(
      [],
    );
  });

  it('an entry point imported by anything', () => {
    expect(plant('src/tools/a.ts', `import '../cli/main.ts';`, 'src/cli/main.ts')).toHaveLength(1);
  });

  it('an import without its extension, and a package that is not in the row', () => {
    expect(plant(model, `import '../base/a';`, base)).toEqual([expect.stringContaining('no such file')]);
    expect(plant(model, `import 'react';`)).toEqual([expect.stringContaining('imports package react')]);
    expect(plant(model, `import 'node:fs';`)).toHaveLength(1);
    expect(plant(model, `import 'zod';`)).toEqual([]);
  });

  it('a cycle of values, not of types', () => {
    const cycle = (second: string) =>
      checkCycles(
        toSources([
          [base, `import { b } from './b.ts';`],
          ['src/core/base/b.ts', second],
        ]),
      );
    expect(cycle(`import { a } from './a.ts';`)).toEqual([expect.stringContaining(`${base} -> src/core/base/b.ts`)]);
    expect(cycle(`import type { a } from './a.ts';`)).toEqual([]);
  });

  it('a long file, a wrong name and a path of one machine', () => {
    expect(checkLengths(toSources([[base, '\n'.repeat(lengthLimit + 1)]]))).toHaveLength(1);
    expect(checkNames(toSources([['src/core/base/myFile.ts', '']]))).toHaveLength(1);
    expect(checkNames(toSources([['src/ui/button.tsx', '']]))).toHaveLength(1);
    expect(checkPaths(toSources([[base, `open('${['', 'work', 'x'].join('/')}')`]]), root)).toHaveLength(1);
    expect(checkPaths(toSources([[base, `open('${root}/x')`]]), root)).toHaveLength(1);
  });
});
