/** The one envelope of every refusal. */
import { always, count, object, type Part, sometimes, word } from '#libs/api/answers/part.ts';
import { oneOf } from '#libs/schema/form.ts';
import { catalogue, type DetailValue, type RefusalCode } from '#libs/schema/refusals.ts';

const anything: Part<DetailValue> = { jsonSchema: {} };

export const detailsPart = object(
  {
    field: sometimes(word, 'A JSON pointer into the body, or the bare name of a parameter.'),
    recorded_id: sometimes(word),
    recorded_value: sometimes(anything),
    stated_value: sometimes(anything),
    bound: sometimes(anything, 'What would have been taken.'),
    observed: sometimes(anything, 'What was stated or found.'),
  },
  'Which of them a code carries is in the catalogue; new keys may come.',
);

export const retryPart = oneOf({ open: true, members: ['as_is', 'after_record', 'after_change', 'never'] });

export function refusalOfCodes(codes: readonly RefusalCode[]) {
  return object({
    error: always(word, 'A sentence for a person; reworded without notice.'),
    code: always(oneOf({ open: true, members: codes }), 'Stable: branch on it.'),
    retry: always(retryPart, 'What may be done next.'),
    retry_after: sometimes(count, 'Seconds; equals the `Retry-After` header.'),
    details: sometimes(detailsPart),
    request_id: always(word, "The service's own identifier for the request."),
  });
}

export const codes = Object.keys(catalogue) as readonly RefusalCode[];
