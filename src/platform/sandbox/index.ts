/**
 * The sandbox: the only importer of the interpreter. `node.ts` and `page.ts` load it; the port is `core/replay/sandbox-port.ts`.
 *
 * Glossary
 * - session: one run of one program in a fresh interpreter
 * - tick: one call of the interrupt handler, about 10,000 branches; the unit of the computing limit
 * - prelude: the code that prepares the realm and defines `ctx`
 */
export { createSandbox, engineVersion } from './engine.ts';
