/** The documentation of every route, by route. */
import type { Operation } from '#libs/api/openapi/operation-definition.ts';
import { clientOperations } from '#libs/api/openapi/operations/clients.ts';
import { creditOperations } from '#libs/api/openapi/operations/credit.ts';
import { loanOperations } from '#libs/api/openapi/operations/loans.ts';
import { productOperations } from '#libs/api/openapi/operations/products.ts';
import { receiptOperations } from '#libs/api/openapi/operations/receipts.ts';
import { serviceOperations } from '#libs/api/openapi/operations/service.ts';
import { tenancyOperations } from '#libs/api/openapi/operations/tenancy.ts';
import type { RouteName } from '#libs/api/routes.ts';

export const operations: { readonly [name in RouteName]: Operation } = {
  ...loanOperations,
  ...clientOperations,
  ...receiptOperations,
  ...productOperations,
  ...creditOperations,
  ...tenancyOperations,
  ...serviceOperations,
};
