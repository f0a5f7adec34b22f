/** Product configurations in the Tenancy's book: what `configurations.ts` decides, as facts and answers. */

import {
  type ConfigurationFact,
  type CreationBody,
  configurationAnswer,
  createConfiguration as decideCreation,
  writeVersion as decideVersion,
  previewConfiguration as previewCreation,
  withConfigurationFact,
} from '#libs/product/configurations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import {
  type ActAt,
  type Apply,
  type Effects,
  homeMarket,
  type TenancyAct,
  type TenancyBook,
  tenancyFact,
  withFacts,
} from '#libs/tenant/tenancy-book-state.ts';

const createConfiguration: TenancyAct = (book, { body }, at) => {
  const created = decideCreation(book.configurations, body as unknown as CreationBody, homeMarket(book, at.markets));
  return isRefusal(created) ? created : recorded(book, created, 1, at);
};

const writeConfigurationVersion: TenancyAct = (book, { body, params }, at) => {
  const id = String(params['configuration_id']);
  const values = body['values'] as JsonObject;
  const written = decideVersion(book.configurations, { id, values }, homeMarket(book, at.markets));
  return isRefusal(written) ? written : recorded(book, written, written.version, at);
};

/** Decides as creation would and records nothing. */
const previewConfiguration: TenancyAct = (book, { body }, { markets }) => {
  const preview = previewCreation(book.configurations, body as unknown as CreationBody, homeMarket(book, markets));
  if (isRefusal(preview)) return preview;
  return { facts: [], book, answer: () => ({ status: 200, body: JSON.stringify(preview) }) };
};

export const configurationActs = { createConfiguration, writeConfigurationVersion, previewConfiguration };

const apply: Apply = (book, fact: ConfigurationFact, recordedAt) => ({
  ...book,
  configurations: withConfigurationFact(book.configurations, fact, recordedAt),
});

export const configurationEffects: Effects = {
  configuration_created: apply,
  configuration_version: apply,
};

function recorded(book: TenancyBook, fact: ConfigurationFact, version: number, { at, markets }: ActAt) {
  const facts = [tenancyFact(fact.kind, fact)];
  const after = withFacts(configurationEffects, book, facts, at);
  const answer = () => ({ status: 201, body: configurationText(after, fact.id, version, markets) });
  return { facts, book: after, answer };
}

export function configurationText(book: TenancyBook, id: string, version: number, markets: ActAt['markets']): string {
  const configuration = book.configurations.get(id);
  if (configuration === undefined) throw new Error(`${id} is not in the book it was created in`);
  return JSON.stringify(
    configurationAnswer({ tenantId: book.tenantId, configuration, version }, homeMarket(book, markets)),
  );
}
