import type { EarlyMoneyTreatment } from '#libs/product/terms.ts';

/** What becomes of money beyond what is due and next, said to the borrower. */
export const TREATMENTS: { readonly [treatment in EarlyMoneyTreatment]: string } = {
  reduces_principal:
    'Anything you pay beyond what is due lowers the principal you owe from that day; your instalments become smaller and their days stay.',
  shortens_term:
    'Anything you pay beyond what is due lowers the principal you owe from that day; your instalments stay as they are and end sooner.',
  settles_next: 'Anything you pay beyond what is due pays your next instalments, one after the other.',
};
