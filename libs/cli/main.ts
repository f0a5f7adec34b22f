#!/usr/bin/env node
/** `npm run -s lending -- COMMAND`: what a caller asks of the service, and a person does to a cell, by hand. */
import { endSoon } from './end-soon.ts';
import { lending } from './lending.ts';

await lending(process.argv.slice(2));
endSoon();
