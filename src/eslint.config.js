/**
 * Lint for the whole project, run as `eslint --config src/eslint.config.js --max-warnings 0 .`.
 *
 * Type-aware and strict. Inline disabling is switched off: an exception is made here, with its reason, or not at all.
 * Layering, import cycles and file lengths are measured by `layers.test.ts`, which sees the whole graph at once.
 */
import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

const root = join(import.meta.dirname, '..');

const tests = ['**/*.test.ts', '**/*.test.tsx', '**/testing/**', 'e2e/**'];

/** What the core may not reach for, and where the thing comes from instead. */
const ambient = {
  Date: 'The core has no clock and no time zone: times arrive as values; parse and print them with core/base.',
  performance: 'The core has no clock: durations are computed from recorded times.',
  setTimeout: 'The core has no timers: yield between batches from the caller.',
  setInterval: 'The core has no timers: yield between batches from the caller.',
  setImmediate: 'The core has no timers: yield between batches from the caller.',
  clearTimeout: 'The core has no timers.',
  clearInterval: 'The core has no timers.',
  queueMicrotask: 'The core has no scheduler: return the work as a value or an iterator.',
  requestAnimationFrame: 'The core has no screen.',
  crypto: 'Hashes come from core/base; random bytes and keys come from platform/crypto as arguments.',
  fetch: 'The core reads no network: bytes arrive as arguments from platform/files.',
  XMLHttpRequest: 'The core reads no network: bytes arrive as arguments from platform/files.',
  WebSocket: 'The core reads no network: bytes arrive as arguments from platform/files.',
  localStorage: 'The core stores nothing: platform/storage does.',
  sessionStorage: 'The core stores nothing: platform/storage does.',
  indexedDB: 'The core stores nothing: platform/storage does.',
  Worker: 'The core starts nothing: platform/workers does.',
  window: 'The core has no page.',
  document: 'The core has no page.',
  navigator: 'The core has no page.',
  location: 'The core has no page.',
  process: 'The core runs in a page as well as in Node.',
  Buffer: 'The core runs in a page as well as in Node: use Uint8Array.',
  console: 'The core is silent: return a problem or a Result.',
};

const noDoubleCast = {
  selector: "TSAsExpression > TSAsExpression[typeAnnotation.type='TSUnknownKeyword']",
  message: 'A cast through unknown hides a wrong type: decode the value instead.',
};

/** `Record<string, …>`, bare or within `Readonly` and the like. */
const typeOfVariable = 'id.typeAnnotation.typeAnnotation';

function ofTexts(type) {
  return `[${type}.typeName.name='Record'][${type}.typeArguments.params.0.type='TSStringKeyword']`;
}

const noInheritedRows = {
  selector: `:matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator:matches(${ofTexts(typeOfVariable)}, ${ofTexts(`${typeOfVariable}.typeArguments.params.0`)}) > ObjectExpression.init`,
  message:
    'An object literal answers to `constructor` and `toString` too: make the table with createTable (core/base), or use a Map.',
};

const declarationsAtModuleLevel = [
  'Program > VariableDeclaration > VariableDeclarator > :matches(ArrowFunctionExpression, FunctionExpression).init',
  'Program > ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > :matches(ArrowFunctionExpression, FunctionExpression).init',
].map((selector) => ({
  selector,
  message: 'At module level write a function declaration: it reads top-down and has a name.',
}));

const syntax = [
  noDoubleCast,
  noInheritedRows,
  ...declarationsAtModuleLevel,
  { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
];

export default defineConfig(
  globalIgnores([
    'dist/',
    'build/',
    'coverage/',
    'node_modules/',
    'test-results/',
    'playwright-report/',
    '**/*.generated.*',
    'public/',
    // Recorded control programs are data: they are written in the language of the sandbox, not of this project.
    'fixtures/**/*.js',
  ]),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: ['./tsconfig.json'], tsconfigRootDir: root } },
    plugins: { 'import-x': importX },
    rules: {
      'no-restricted-syntax': ['error', ...syntax],
      'no-console': 'error',
      eqeqeq: 'error',
      // Recorded text is searched for control characters on purpose.
      'no-control-regex': 'off',
      'import-x/no-default-export': 'error',
      'import-x/no-mutable-exports': 'error',
      'import-x/no-self-import': 'error',
      'import-x/no-duplicates': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      // A `default` is a written decision about the rest of a union; without one every variant must be named.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      // Like the compiler: a leading underscore says that a place in a signature is kept on purpose.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true, ignoreUsingDeclarations: true },
      ],
      // There are no enums to be unsafe about, and these two cost a tenth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src/**/*.tsx', 'src/**/use-*.ts', 'src/data/**/*.ts'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      'react-hooks/exhaustive-deps': 'error',
      // Names libraries the React compiler cannot memoise; the compiler is not part of this build.
      'react-hooks/incompatible-library': 'off',
    },
  },
  {
    files: ['src/**/*.tsx'],
    extends: [jsxA11y.flatConfigs.strict],
    rules: {
      // The component library moves focus into a dialog that was opened, and back; only bare elements must not grab it.
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
      // The patterns of ARIA for lists to choose from are built of list elements.
      'jsx-a11y/no-noninteractive-element-to-interactive-role':
        jsxA11y.flatConfigs.recommended.rules['jsx-a11y/no-noninteractive-element-to-interactive-role'],
    },
  },
  {
    files: tests,
    rules: {
      // The matchers of the test runner (`expect.any`, `expect.objectContaining`) are typed `any`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // A test asks its own tables, by names it wrote itself.
      'no-restricted-syntax': ['error', ...syntax.filter((rule) => rule !== noInheritedRows)],
      // Says what was skipped, and why.
      'no-console': ['error', { allow: ['info', 'warn'] }],
    },
  },
  {
    files: ['src/core/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-globals': ['error', ...Object.entries(ambient).map(([name, message]) => ({ name, message }))],
      'no-restricted-properties': [
        'error',
        {
          object: 'Math',
          property: 'random',
          message: 'The core has no randomness: take a seeded generator as an argument.',
        },
      ],
    },
  },
  {
    // One way to start a worker: `start-worker.ts` binds it to the policy of the page.
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: [...tests, 'src/core/**', 'src/platform/workers/start-worker.ts', 'src/cli/**', 'src/tools/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...syntax,
        {
          selector: 'NewExpression[callee.name=/^(?:Shared)?Worker$/]',
          message: 'Start workers with startModuleWorker (platform/workers): others escape the policy of the page.',
        },
      ],
    },
  },
  {
    // Programs whose output is the console.
    files: ['src/cli/**', 'src/tools/**', 'src/recorder/**', 'fixtures/lab/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Where the tool that reads the file asks for a default export.
    files: ['vite.config.ts', 'e2e/playwright.config.ts', 'e2e/build-probe.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    rules: { 'no-restricted-syntax': ['error', ...declarationsAtModuleLevel], eqeqeq: 'error' },
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'URL', 'Buffer', 'setTimeout', 'clearTimeout', 'fetch', 'AbortSignal'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
);
