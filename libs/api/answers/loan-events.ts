/** The feed of Loan events, as pages and as a stream. */
import { answerObject, anyString, list, timestamp } from '#libs/api/answers/answer-schema.ts';
import { eventKind } from '#libs/api/answers/loans.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { civilDay, identifier, uuid } from '#libs/schema/scalars.ts';
import type { TypedJsonSchema } from '#libs/schema/schema.ts';

export const feedEvent = answerObject({
  id: required(uuid),
  loan_id: required(uuid),
  kind: required(eventKind, 'Never `settled`, which is computed, and in `events` of the Loan alone.'),
  occurred_on: required(civilDay),
  recorded_at: required(timestamp),
  merchant_ref: optional(identifier, 'Only if the Loan has a merchant.'),
});
export const feed = answerObject({
  events: required(list(feedEvent), 'Oldest first, in the order of recording.'),
  cursor: required(anyString, 'Always present. Unchanged and without events, this is the end of the feed so far.'),
});

const feedEventText: TypedJsonSchema<string> = {
  jsonSchema: { type: 'string', contentMediaType: 'application/json', contentSchema: feedEvent.jsonSchema },
};

/** The fields of one server-sent event. */
export const streamedEvent = answerObject({
  id: required(anyString, 'The cursor after the event.'),
  event: required(eventKind, 'The kind of the row, so never `settled`.'),
  data: required(feedEventText, 'The row of the feed, as JSON.'),
});
