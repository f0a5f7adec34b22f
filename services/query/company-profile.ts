import type { RouteHandlers } from '#libs/http/handler.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { profileAnswer } from '#libs/tenant/company-profile.ts';
import { type ReadContext, tenancyBook } from './reads.ts';

export function companyProfileReads(reads: ReadContext): RouteHandlers {
  return {
    async readCompanyProfile(asked) {
      const { companyProfile } = await tenancyBook(reads, asked);
      const answer = profileAnswer(companyProfile);
      return isRefusal(answer) ? answer : { status: 200, body: answer };
    },
  };
}
