/** Bodies about product configurations and lookup keys. The frame of the archetype checks the values. */
import { account } from '#libs/ledger/act.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { object, optional, required } from '#libs/schema/objects.ts';
import { anyProductValues, boolean, civilDay, identifier, integer, oneOf, text } from '#libs/schema/scalars.ts';

export const configurationBody = object({
  archetype: required(oneOf(enumerations.archetype)),
  values: required(anyProductValues),
});

/** A version states all values; its archetype is that of the configuration. */
export const configurationVersionBody = object({ values: required(anyProductValues) });

export const adoptionBody = object({
  policy: required(identifier),
  version: required(integer(1)),
  enforce_bar: required(boolean),
  ...account,
});

export const rehearsalBody = object({
  values: required(anyProductValues),
  on: required(civilDay),
  limit: optional(integer(1, 200)),
  cursor: optional(text()),
});

export const lookupKeyBody = object({
  configuration_id: required(identifier),
  configuration_version: required(integer(1)),
  transfer: optional(boolean),
});
