/** The texts of the console in English: of the layout here, of each area in its folder. `es.ts` has the same keys. */
import { en as account } from '../account/texts.ts';
import { en as auditList } from '../audit-list/texts.ts';
import { en as dues } from '../dues/texts.ts';
import { en as explanation } from '../explanation/texts.ts';
import { en as explorer } from '../explorer/texts.ts';
import { en as health } from '../health/texts.ts';
import { en as keys } from '../keys/texts.ts';
import { en as people } from '../people/texts.ts';
import { en as products } from '../products/texts.ts';
import { en as refusals } from '../refusal-texts.ts';
import { en as requestLog } from '../request-log/texts.ts';
import { en as signIn } from '../sign-in/texts.ts';
import { en as signature } from '../signature/texts.ts';
import { en as simulation } from '../simulation/texts.ts';
import { en as tenancies } from '../tenancies/texts.ts';
export const en = {
  language: 'en',
  locale: 'en',
  languageName: 'English',
  console: 'Lending console',
  skipToContent: 'Skip to content',
  signOut: 'Sign out',
  next: 'Next page',
  first: 'First page',
  differs: 'differs',
  downloadsBusy: 'Other downloads are running. Wait a moment, then try again.',
  downloadCsv: 'Download as CSV',
  errors: {
    title: 'This cannot be shown',
    notFound: 'There is no such page, or you have no role in the Tenancy it belongs to.',
    forbidden: 'Your role does not permit this.',
    form: 'The form is out of date. Open the page again and repeat what you did.',
    tooLarge: 'The form is too large. Shorten what you entered, or choose fewer boxes, and send it again.',
    unreadable: 'The address or the form cannot be read. Open the page again and repeat what you did.',
    controlCharacter: 'This holds a character that is no text, such as NUL. Remove it and try again.',
    busy: 'Many people sign in at this moment. Wait a moment, then try again.',
    unavailable: 'The service cannot answer right now. Try again in a moment.',
    triesAgain:
      'This page asks again by itself, and opens once it is answered. The first look at a Client with very many Loans may take a minute.',
    beingPrepared: 'The page is being prepared',
    bookIsRead: 'This Client has very many records. They are being prepared.',
    booksAreRead: 'The Clients of this page have many records. They are being prepared.',
    opensByItself: 'The page opens by itself when that is done.',
    gaveUp:
      'It was asked for again for a minute without an answer. Try again later; if that does not help, tell the operator.',
    tryAgain: 'Try again',
    reference: 'Reference for the operator:',
    refused: 'The service refused this.',
    accepted: (bound: string): string => `Accepted: ${bound}.`,
    back: 'To the first page',
  },
  navigation: {
    overview: 'Keys and bounds',
    clients: 'Clients',
    loans: 'Loans',
    dues: 'Dues',
    requests: 'Requests',
    signature: 'Check a signature',
    products: 'Products',
    policies: 'Policies',
    people: 'People',
    health: 'Health',
    account: 'Account',
  },
  signIn,
  tenancies,
  keys,
  auditList,
  explorer,
  dues,
  explanation,
  simulation,
  refusals,
  requestLog,
  signature,
  products,
  health,
  people,
  account,
};

export type Texts = typeof en;
