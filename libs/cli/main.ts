#!/usr/bin/env node
/** Entry of the command line where the environment names everything; `npm run lending` adds the last start's addresses. */
import { exitAfterOutput, runCommandLine } from './command-line.ts';

await runCommandLine(process.argv.slice(2));
exitAfterOutput();
