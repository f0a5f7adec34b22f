/** Acts on product configurations and on the lookup keys that name their versions. */

import {
  configurationAnswer,
  createConfiguration as decideCreation,
  createVersion as decideVersion,
  previewConfiguration as previewCreation,
} from '#libs/product/configurations.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { decidePointing, decideRemoval, findLookupKey, lookupKeyAnswer } from '#libs/tenant/lookup-keys.ts';
import { homeMarket, type TenancyBook } from '#libs/tenant/tenancy-book.ts';
import type { TenancyAct } from '#libs/tenant/tenancy-facts.ts';

type CreationBody = { readonly archetype: Archetype; readonly values: JsonObject };

const createConfiguration: TenancyAct = (book, { body }, { markets }) => {
  const created = decideCreation(book.configurations, body as CreationBody, homeMarket(book, markets));
  if (isRefusal(created)) return created;
  return {
    facts: [{ kind: 'configuration_created', body: created }],
    status: 201,
    answer: (after) => configurationText(after, created.id, 1, markets),
  };
};

const writeConfigurationVersion: TenancyAct = (book, { body, params }, { markets }) => {
  const id = String(params['configuration_id']);
  const { values } = body as { readonly values: JsonObject };
  const versioned = decideVersion(book.configurations, { id, values }, homeMarket(book, markets));
  if (isRefusal(versioned)) return versioned;
  return {
    facts: [{ kind: 'configuration_version', body: versioned }],
    status: 201,
    answer: (after) => configurationText(after, id, versioned.version, markets),
  };
};

/** Refuses what creation would refuse, and records nothing. */
const previewConfiguration: TenancyAct = (book, { body }, { markets }) => {
  const preview = previewCreation(book.configurations, body as CreationBody, homeMarket(book, markets));
  if (isRefusal(preview)) return preview;
  return { facts: [], status: 200, answer: () => JSON.stringify(preview) };
};

export const configurationActs = { createConfiguration, writeConfigurationVersion, previewConfiguration };

export function configurationText(book: TenancyBook, id: string, version: number, markets: Markets): string {
  const configuration = book.configurations.get(id);
  if (configuration === undefined) throw new Error(`configuration ${id} is not in the book of ${book.tenantId}`);
  return JSON.stringify(
    configurationAnswer({ tenantId: book.tenantId, configuration, version }, homeMarket(book, markets)),
  );
}

type PointingBody = {
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly transfer?: boolean;
};

const pointLookupKey: TenancyAct = (book, { params, ...submission }) => {
  const lookupKey = String(params['lookup_key']);
  const body = submission.body as PointingBody;
  const decision = decidePointing(book.lookupKeys, book.configurations, {
    lookupKey,
    target: { configurationId: body.configuration_id, configurationVersion: body.configuration_version },
    transfer: body.transfer === true,
  });
  if (isRefusal(decision)) return decision;
  const { fact, status } = decision;
  return {
    facts: fact === undefined ? [] : [{ kind: fact.kind, body: fact }],
    status,
    answer: (after) => lookupKeyText(after, lookupKey),
  };
};

/** The answer is the key as it read before its removal. */
const removeLookupKey: TenancyAct = (book, { params }) => {
  const lookupKey = String(params['lookup_key']);
  const fact = decideRemoval(book.lookupKeys, lookupKey);
  if (isRefusal(fact)) return fact;
  return { facts: [{ kind: fact.kind, body: fact }], status: 200, answer: () => lookupKeyText(book, lookupKey) };
};

export const lookupKeyActs = { pointLookupKey, removeLookupKey };

function lookupKeyText(book: TenancyBook, lookupKey: string): string {
  const key = findLookupKey(book.lookupKeys, lookupKey);
  if (key === undefined) throw new Error(`lookup key ${lookupKey} is not in the book of ${book.tenantId}`);
  return JSON.stringify(lookupKeyAnswer(key, book, { withVersion: true }));
}
