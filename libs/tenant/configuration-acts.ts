/** Acts on product configurations and on the lookup keys that name their versions. */

import {
  type ConfigurationBody,
  type ConfigurationVersionBody,
  configurationAnswer,
  configurationBody,
  configurationVersionBody,
  createConfiguration as decideCreation,
  createVersion as decideVersion,
  previewConfiguration as previewCreation,
} from '#libs/product/configurations.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { object, optional, required } from '#libs/schema/objects.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { boolean, identifier, integer } from '#libs/schema/scalars.ts';
import type { Infer } from '#libs/schema/schema.ts';
import { decidePointing, decideRemoval, findLookupKey, lookupKeyAnswer } from '#libs/tenant/lookup-keys.ts';
import { homeMarket, type TenancyBook } from '#libs/tenant/tenancy-book.ts';
import type { RoutedTenancyAct, TenancyAct } from '#libs/tenant/tenancy-facts.ts';

const createConfiguration: RoutedTenancyAct<ConfigurationBody> = {
  body: configurationBody,
  decide(book, { body }, { markets }) {
    const created = decideCreation(book.configurations, body, homeMarket(book, markets));
    if (isRefusal(created)) return created;
    return {
      facts: [{ kind: 'configuration_created', body: created }],
      status: 201,
      answer: (after) => configurationText(after, created.id, 1, markets),
    };
  },
};

const writeConfigurationVersion: RoutedTenancyAct<ConfigurationVersionBody> = {
  body: configurationVersionBody,
  decide(book, { body: { values }, params }, { markets }) {
    const id = String(params['configuration_id']);
    const versioned = decideVersion(book.configurations, { id, values }, homeMarket(book, markets));
    if (isRefusal(versioned)) return versioned;
    return {
      facts: [{ kind: 'configuration_version', body: versioned }],
      status: 201,
      answer: (after) => configurationText(after, id, versioned.version, markets),
    };
  },
};

/** Refuses what creation would refuse, and records nothing. */
const previewConfiguration: RoutedTenancyAct<ConfigurationBody> = {
  body: configurationBody,
  decide(book, { body }, { markets }) {
    const preview = previewCreation(book.configurations, body, homeMarket(book, markets));
    if (isRefusal(preview)) return preview;
    return { facts: [], status: 200, answer: () => JSON.stringify(preview) };
  },
};

export const configurationActs = { createConfiguration, writeConfigurationVersion, previewConfiguration };

export function configurationText(book: TenancyBook, id: string, version: number, markets: Markets): string {
  const configuration = book.configurations.get(id);
  if (configuration === undefined) throw new Error(`configuration ${id} is not in the book of ${book.tenantId}`);
  return JSON.stringify(
    configurationAnswer({ tenantId: book.tenantId, configuration, version }, homeMarket(book, markets)),
  );
}

export const lookupKeyBody = object({
  configuration_id: required(identifier),
  configuration_version: required(integer(1)),
  transfer: optional(boolean),
});

const pointLookupKey: RoutedTenancyAct<Infer<typeof lookupKeyBody>> = {
  body: lookupKeyBody,
  decide(book, { params, body }) {
    const lookupKey = String(params['lookup_key']);
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
  },
};

/** The answer is the key as it read before its removal. */
const removeLookupKey: TenancyAct = {
  decide(book, { params }) {
    const lookupKey = String(params['lookup_key']);
    const fact = decideRemoval(book.lookupKeys, lookupKey);
    if (isRefusal(fact)) return fact;
    return { facts: [{ kind: fact.kind, body: fact }], status: 200, answer: () => lookupKeyText(book, lookupKey) };
  },
};

export const lookupKeyActs = { pointLookupKey, removeLookupKey };

function lookupKeyText(book: TenancyBook, lookupKey: string): string {
  const key = findLookupKey(book.lookupKeys, lookupKey);
  if (key === undefined) throw new Error(`lookup key ${lookupKey} is not in the book of ${book.tenantId}`);
  return JSON.stringify(lookupKeyAnswer(key, book, { withVersion: true }));
}
