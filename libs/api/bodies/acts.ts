import { schedule } from '#libs/product/schedule-schema.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { civilDay, context, identifier, integer, oneOf, rate, reference, text, uuid } from '#libs/schema/form.ts';
import { money, optional, required, shape } from '#libs/schema/shape.ts';

/** Who did it, why, and the word by which it is done once. */
export const account = {
  reference: required(reference),
  actor: required(identifier),
  basis: required(text()),
  context: optional(context),
};

/** confirm, void, cancel, rescind, withdraw, rollover, write-off, cession and the payoff quote state a day and nothing else. */
export const dayBody = shape({ on: required(civilDay), ...account });
export const suspensionBody = shape({ on: required(civilDay), to: required(civilDay), ...account });
export const suspensionEndBody = shape({ on: required(civilDay), suspension_id: required(uuid), ...account });
export const waiverBody = shape({
  on: required(civilDay),
  period: required(integer(0)),
  charge: required(oneOf(enumerations.charge)),
  amount: required(money),
  ...account,
});
export const returnBody = shape({ on: required(civilDay), amount: required(money), ...account });
export const restructureBody = shape({
  on: required(civilDay),
  term_periods: required(integer(1)),
  rate: required(rate),
  schedule: optional(schedule),
  penalty_rate: optional(rate),
  ...account,
});
export const accelerationBody = shape({ on: required(civilDay), notified_on: required(civilDay), ...account });
export const settlementBody = shape({
  on: required(civilDay),
  agreed: required(money),
  until: optional(civilDay),
  ...account,
});
export const retractionBody = shape({ on: required(civilDay), event_id: required(uuid), ...account });
