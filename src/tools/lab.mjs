/** `npm run lab`: builds what is missing or stale, quietly, and runs the recording runtime of `fixtures/lab`. */
import { runProgram } from './node-build.mjs';

await runProgram('lab');
