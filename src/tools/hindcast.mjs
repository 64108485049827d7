#!/usr/bin/env node
/** The `hindcast` command: builds what is missing or stale, quietly, and runs it with the arguments given. */
import { runProgram } from './node-build.mjs';

await runProgram('cli');
