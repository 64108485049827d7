#!/usr/bin/env node
/**
 * The `hindcast` command: builds what is missing or stale, quietly, and runs it with the arguments given.
 *
 * Invariant: a path among the arguments is one of the folder that the command was typed in. npm goes to the root before it runs a script, and
 * keeps in INIT_CWD where it came from; started in any other way, the working folder is already the right one.
 */
import { root } from './install.mjs';
import { runProgram } from './node-build.mjs';

const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env;
if (script === 'hindcast' && typedIn !== undefined && process.cwd() === root) process.chdir(typedIn);

await runProgram('cli');
