/** The console: the web application in which people look at the book and administer Tenancies. */
import { runService } from '#libs/runtime/service.ts';
import { openConsole } from './open-console.ts';

await runService('console', openConsole);
