/**
 * The sandbox: the only importer of the interpreter. `node.ts` and `page.ts` load it; the port is `core/replay/sandbox-port.ts`.
 *
 * Glossary
 * - session: one run of one program in a fresh interpreter
 * - tick: 150,000 units of fuel, about 10,000 branches of guest code; the unit of the computing limit
 * - fuel: what an instance may still compute; every entry of a function or loop takes one unit (`meter.ts`)
 * - prelude: the code that prepares the realm and defines `ctx`
 */
export { createSandbox, engineVersion } from './engine.ts';
