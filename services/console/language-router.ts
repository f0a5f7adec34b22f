/** Changes the language: for good where a person is signed in, in this browser in any case. */
import { Router } from 'express';
import { setLanguage } from '#libs/people/persons.ts';
import { type ConsoleContext, visitOf } from './console-context.ts';
import { formText } from './form.ts';
import { isLanguage } from './languages.ts';
import { ownPath } from './own-path.ts';
import { setCookie } from './session-cookie.ts';

export function languageRouter(context: ConsoleContext): Router {
  const router = Router();
  router.post('/language', async (request, response) => {
    const { person } = visitOf(response);
    const language = formText(request.body, 'language');
    if (isLanguage(language)) {
      setCookie(response, context, 'language', language);
      if (person !== undefined) await setLanguage(context.database, person.id, language);
    }
    response.redirect(303, ownPath(formText(request.body, 'path')));
  });
  return router;
}
