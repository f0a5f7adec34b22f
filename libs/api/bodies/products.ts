import { account } from '#libs/api/bodies/acts.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { anyValues, boolean, civilDay, identifier, integer, oneOf, text } from '#libs/schema/form.ts';
import { optional, required, shape } from '#libs/schema/shape.ts';

/** The values are read by the frame of the archetype, not here. */
export const configurationBody = shape({
  archetype: required(oneOf(enumerations.archetype)),
  values: required(anyValues),
});

/** A version states the values whole; its archetype was fixed at creation and is no member. */
export const configurationVersionBody = shape({ values: required(anyValues) });

export const adoptionBody = shape({
  policy: required(identifier),
  version: required(integer(1)),
  enforce_bar: required(boolean),
  ...account,
});

export const rehearsalBody = shape({
  values: required(anyValues),
  on: required(civilDay),
  limit: optional(integer(1, 200)),
  cursor: optional(text()),
});

export const lookupKeyBody = shape({
  configuration_id: required(identifier),
  configuration_version: required(integer(1)),
  transfer: optional(boolean),
});
