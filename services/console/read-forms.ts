/** Reads posted forms. One with more bytes or fields than its page sends is refused with status 413. */
import { Router, urlencoded } from 'express';
import { maxListedSubmissions } from './health/parked-book-page.ts';

const maxFormBytes = '64kb';
const maxFields = 100;
/** The CSRF token, the basis, the confirmation and the password, beside a box for each submission. */
const maxReleaseFields = maxListedSubmissions + 4;

export function readForms(): Router {
  const router = Router();
  router.use('/health/parked', formReader(maxReleaseFields));
  // Leaves alone what is read already.
  router.use(formReader(maxFields));
  return router;
}

function formReader(parameterLimit: number): ReturnType<typeof urlencoded> {
  return urlencoded({ extended: false, limit: maxFormBytes, parameterLimit });
}
