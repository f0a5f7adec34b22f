/** What the document says of every route. A route that is missing here does not compile. */
import type { Operation } from '#libs/contract/openapi/operation.ts';
import { clientOperations } from '#libs/contract/openapi/operations/clients.ts';
import { creditOperations } from '#libs/contract/openapi/operations/credit.ts';
import { loanOperations } from '#libs/contract/openapi/operations/loans.ts';
import { productOperations } from '#libs/contract/openapi/operations/products.ts';
import { receiptOperations } from '#libs/contract/openapi/operations/receipts.ts';
import { serviceOperations, tenancyOperations } from '#libs/contract/openapi/operations/tenancy.ts';
import type { RouteName } from '#libs/contract/routes.ts';

export const operations: { readonly [name in RouteName]: Operation } = {
  ...loanOperations,
  ...clientOperations,
  ...receiptOperations,
  ...productOperations,
  ...creditOperations,
  ...tenancyOperations,
  ...serviceOperations,
};
