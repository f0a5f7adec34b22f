/** Documentation of the routes about the service itself: health, this document, the changelog. */
import { answerObject, anyString, constant, list } from '#libs/api/answers/answer-schema.ts';
import { type Operation, readOperation } from '#libs/api/openapi/operation-definition.ts';
import { required } from '#libs/schema/objects.ts';
import { oneOf } from '#libs/schema/scalars.ts';

const tag = 'Service';

const alive = answerObject({ status: required(constant('alive')) });
const dependencies = list(answerObject({ name: required(anyString), reason: required(anyString) }));
export const readiness = answerObject({
  status: required(oneOf({ open: true, members: ['ready', 'not_ready'] })),
  not_ready: required(dependencies),
  degraded: required(dependencies),
});

export const serviceOperations = {
  readLiveness: readOperation({
    tag,
    summary: 'Check that the process is alive',
    description: '',
    answer: alive,
  }),
  readReadiness: {
    ...readOperation({
      tag,
      summary: 'Check that the process can serve requests',
      description:
        '503 lists what is not ready. `degraded` lists what does not answer and is not needed to serve requests.',
      answer: readiness,
    }),
    statuses: [200, 503],
  },
  readOpenApi: {
    ...readOperation({
      tag,
      summary: 'This document',
      description: '',
      answer: { jsonSchema: { type: 'object' } },
    }),
    statuses: [200, 304],
  },
  readDocs: {
    tag,
    summary: 'The documentation',
    description: 'Guides, the reference and every error. Its pages and what they load have paths below this one.',
    media: 'text/html',
    statuses: [200, 304],
    refuses: [],
  },
  readChangelog: {
    tag,
    summary: 'Changes and deprecations of the contract',
    description: '',
    media: 'text/html',
    statuses: [200, 304],
    refuses: [],
  },
} as const satisfies { readonly [route: string]: Operation };
