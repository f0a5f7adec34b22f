/** The company profile in the Tenancy's book. */
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import { type CompanyProfilePut, putProfile } from '#libs/tenant/company-profile.ts';
import { type Effects, type TenancyAct, tenancyFact, withFacts } from '#libs/tenant/tenancy-book-state.ts';

/** Put again as it stands, nothing is recorded. */
const putCompanyProfile: TenancyAct = (book, { body }, { at }) => {
  const fact = putProfile(body);
  const stands =
    book.companyProfile !== undefined && canonicalJson(book.companyProfile) === canonicalJson(fact.profile);
  const facts = stands ? [] : [tenancyFact(fact.kind, fact)];
  const after = withFacts(profileEffects, book, facts, at);
  return { facts, book: after, answer: () => ({ status: 200, body: JSON.stringify(after.companyProfile) }) };
};

export const profileActs = { putCompanyProfile };

export const profileEffects: Effects = {
  company_profile_put: (book, { profile }: CompanyProfilePut) => ({ ...book, companyProfile: profile }),
};
