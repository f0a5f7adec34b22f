/** `npm run lending`: the command line as it is, told of the cell of the last `npm start` where nothing else is told. */
import { endSoon } from '#libs/cli/end-soon.ts';
import { lending } from '#libs/cli/lending.ts';
import { readEnvironment } from './dev-files.ts';
import { mustRun } from './must-run.ts';
import { pastProxy } from './past-proxy.ts';
import { whichCell } from './which-cell.ts';

const { taken, mind } = whichCell(process.env, readEnvironment());
Object.assign(process.env, taken);
if (taken['LENDING_URL'] !== undefined) Object.assign(process.env, pastProxy(process.env, taken['LENDING_URL']));
if (mind !== undefined) console.error(mind);
await lending(process.argv.slice(2), (needs) => mustRun(needs, process.env, taken));
endSoon();
