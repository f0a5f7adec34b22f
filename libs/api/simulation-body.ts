/** The body of a simulation: the day to look at, and the supposed facts. */
import { acts } from '#libs/ledger/acts/manifest.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { array, object, optional, required } from '#libs/schema/objects.ts';
import { civilDay, jsonObject, oneOf, reference, uuid } from '#libs/schema/scalars.ts';
import type { Schema } from '#libs/schema/schema.ts';

/** The last segment of the path that records such a fact, but for the first three. */
const simulatedAct = oneOf({
  open: true,
  members: ['issue', 'receipt', 'reversal', ...acts.map(({ route }) => route.segment), 'retraction'],
});

const maxSimulatedFacts = 1000;

/** Parsed afterwards by the schema of the route it would be sent to. */
const simulatedBody: Schema<JsonObject> = { ...jsonObject, inexactNumberPaths: [['context']] };

export const simulationBody = object({
  on: required(civilDay),
  facts: required(
    array(
      object({
        act: required(simulatedAct),
        loan_id: optional(uuid),
        // Of a Loan issued earlier in the simulation, where an id would be stated: in the path, or by a Receipt's body.
        loan_reference: optional(reference),
        designated_loan_reference: optional(reference),
        // In the path of a reversal.
        reference: optional(reference),
        body: required(simulatedBody),
      }),
      { maxItems: maxSimulatedFacts },
    ),
  ),
});
