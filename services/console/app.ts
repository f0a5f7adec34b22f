/** The Express application of the console: what every request passes, then the routers of the areas. */
import express, { type Express } from 'express';
import helmet from 'helmet';
import { accountRouter } from './account/router.ts';
import { auditListRouter } from './audit-list/router.ts';
import type { ConsoleContext } from './console-context.ts';
import { CsvDownloads } from './csv-download.ts';
import { DownloadSlots } from './download-slots.ts';
import { duesRouter } from './dues/router.ts';
import { answerError, answerNotFound } from './error-page.ts';
import { explanationRouter } from './explanation/router.ts';
import { explorerRouter } from './explorer/router.ts';
import { checkForms } from './form-check.ts';
import { healthRouter } from './health/router.ts';
import { keysRouter } from './keys/router.ts';
import { languageRouter } from './language-router.ts';
import { peopleRouter } from './people/router.ts';
import { productsRouter } from './products/router.ts';
import { readForms } from './read-forms.ts';
import { refuseControlCharacters } from './refuse-control-characters.ts';
import { requestLogRouter } from './request-log/router.ts';
import { identifyBrowser, requirePerson } from './session-cookie.ts';
import { signInRouter } from './sign-in/router.ts';
import { signatureRouter } from './signature/router.ts';
import { simulationRouter } from './simulation/router.ts';
import { tenanciesRouter } from './tenancies/router.ts';

export function createConsoleApp(context: ConsoleContext): Express {
  const app = express();
  const slots = new DownloadSlots();
  const downloads = new CsvDownloads(slots);
  app.disable('x-powered-by').disable('etag').set('trust proxy', context.proxies).set('query parser', 'simple');
  app.use(helmet(securityHeaders(context.isSecure)));
  app.use(context.assets.router);
  app.use((_request, response, next) => {
    // Pages hold what only this person may see.
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  // Before forms are read, so that a form beyond the limits is answered with a page in the language of the person.
  app.use(identifyBrowser(context));
  app.use(readForms());
  app.use(checkForms(context));
  app.use(refuseControlCharacters);
  app.use(languageRouter(context));
  app.use(signInRouter(context));
  // The routers after this line are for signed-in persons; each checks the role in its Tenancy itself (access.ts).
  app.use(requirePerson);
  app.use(tenanciesRouter(context));
  app.use(keysRouter(context));
  app.use(auditListRouter(context, downloads));
  app.use(explorerRouter(context, downloads));
  app.use(duesRouter(context, downloads));
  app.use(explanationRouter(context, slots));
  app.use(simulationRouter(context));
  app.use(requestLogRouter(context));
  app.use(signatureRouter(context));
  app.use(productsRouter(context));
  app.use(healthRouter(context));
  app.use(peopleRouter(context));
  app.use(accountRouter(context));
  app.use(answerNotFound);
  app.use(answerError(context));
  return app;
}

function securityHeaders(isSecure: boolean): Parameters<typeof helmet>[0] {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Pico draws its icons from data URLs.
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    // Without any referrer browsers send forms with `Origin: null`.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : false,
  };
}
