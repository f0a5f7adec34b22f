/** The AsyncAPI 3 document of the public topic: the kinds of facts, the Avro schema and the settings. */
import { acts } from '#libs/ledger/acts/manifest.ts';
import type { CreditFactKind } from '#libs/ledger/client/credit-records.ts';
import type { releasedKind } from '#libs/ledger/release.ts';
import { bookEventSchema } from './book-event.ts';
import { partitionCount } from './book-key-partition.ts';
import { topicSettings, topics } from './topics.ts';

/** All acts on a Loan have the same members; what is special to a kind is under `stated`. */
const describeAct = (stated?: string): string =>
  `\`loan_id\`, \`event_id\`, \`on\`, \`act\`${stated === undefined ? '' : `, \`stated\`: ${stated}`}`;

const actKinds: { readonly [kind: string]: string } = Object.fromEntries(
  acts.map(({ kind, statedFields }) => {
    const stated = statedFields.map((name) => `\`${name}\``).join(', ');
    return [kind, describeAct(stated === '' ? undefined : stated)];
  }),
);

const credit: { readonly [Kind in CreditFactKind]: string } = {
  credit_decided: 'The Decision as the API answers it, with reference, actor and basis under `act`.',
  decision_resolved: 'The resolution as the API answers it, with reference, actor and basis under `act`.',
  facility_opened: 'The facility as the API answers it, with reference, actor and basis under `act`.',
};

/** In a Client's book (`c/{client_id}`). */
export const clientFacts = {
  registered: 'The members of the registration.',
  issued:
    '`loan_id`, `event_id`, `reference`, `configuration`, `stated` (the requested terms), and the terms fixed at issuance: `terms`, `plan`, `disclosure`.',
  ...actKinds,
  retracted: describeAct('`event_id` (the withdrawn fact)'),
  receipt_reported: '`id`, `receipt` (as requested), `quote` (if the Receipt names one).',
  receipt_reversed: '`receipt` (its reference), `reason`, `act`.',
  payoff_quoted: '`id`, `loanId`, `on`, `owed`, `act`.',
  ...credit,
};

/** In the Tenancy's own book (`t`). */
export const tenancyFacts = {
  tenancy_opened:
    '`name`, `live`, `jurisdiction`, `time_zone`, `bounds`, `actor` (the operator), `origin` (where it was done: `channel`, `address`).',
  tenancy_closed: '`basis`, `keys` (the fingerprints of the keys it revoked: all that were valid), `actor`, `origin`.',
  tenancy_reopened: '`actor`, `origin`. The keys stay revoked.',
  bounds_set: '`bounds` (null for the default), `before`, `actor`, `origin`.',
  key_minted: '`fp`, `public_key`, `scope`, `holder`, `label`, `actor`, `origin`.',
  key_revoked: '`fp`, `actor`, `origin`.',
  person_act:
    '`act_id`, `action`, `subject`, `before`, `after`, `actor`, `origin`. What was done to a person of the console; it changes no figures.',
  configuration_created: '`id`, `archetype`, `values`.',
  configuration_version: '`id`, `version`, `values`.',
  lookup_key_pointed: '`lookup_key`, `configuration_id`, `configuration_version`.',
  lookup_key_removed: '`lookup_key`.',
  policy_drafted: '`policy`, `version`, `digest`, `content`, `drafted_by`, `act`.',
  policy_published: '`policy`, `version`, `published_by`, `self_confirmed`, `act`.',
  policy_adopted: '`configuration_id`, `policy`, `version`, `enforce_bar`, `adopted_by`, `act`.',
  company_profile_put: '`profile` (all of it).',
};

/** In a book of either kind. */
export const anyBookFacts: { readonly [Kind in typeof releasedKind]: string } = {
  released:
    '`basis`, `drop` (the submissions that were dropped), `actor`. It releases a parked book and changes no figures.',
};

const description = `Every fact that was admitted to a book, once, in the order of its book.

A record is Avro behind a five-byte schema registry header: a zero byte and the id of the schema it was written with.
Its key is the book, \`{tenant_id}/{book_id}\`, so all facts of a book are in one partition, in order.
\`sequence\` numbers the events of a partition from 1 without gaps: a consumer drops numbers it has seen and stops at a
missing one. The topic keeps all records and is never compacted, so a consumer that reads from the beginning has every
fact of the lender's books. A fact never changes: another fact withdraws it.

The schema evolves under FULL_TRANSITIVE: consumers of any age read records of any age. Ignore an unknown \`kind\` or
union branch instead of failing.

\`body\` is the fact as it is stored: JSON with the names of the API. By \`kind\`, in a Client's book:

${listOf(clientFacts)}

In the Tenancy's own book:

${listOf(tenancyFacts)}

In either book:

${listOf(anyBookFacts)}

Members may be added to a body; existing ones keep their meaning.`;

function listOf(kinds: Readonly<Record<string, string>>): string {
  return Object.entries(kinds)
    .map(([kind, body]) => `- \`${kind}\`: ${body}`)
    .join('\n');
}

export function asyncapiDocument(): object {
  const { doc, ...schema } = bookEventSchema.schema as { readonly doc: string };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Lending: facts of all books',
      version: '1.0.0',
      description,
    },
    defaultContentType: 'application/vnd.apache.avro+binary',
    servers: {
      log: {
        host: '{broker}',
        protocol: 'kafka-secure',
        description: 'The Kafka cluster of the cell. Its schema registry has the Confluent API.',
        variables: {
          broker: { description: 'The address given by the operator of the cell.', default: 'broker:9093' },
        },
        bindings: { kafka: { schemaRegistryVendor: 'confluent', bindingVersion: '0.5.0' } },
      },
    },
    channels: { bookEvents: channel() },
    operations: {
      publishBookEvents: {
        action: 'send',
        channel: { $ref: '#/channels/bookEvents' },
        messages: [{ $ref: '#/channels/bookEvents/messages/bookEvent' }],
        summary: 'The service publishes each fact after it is committed.',
      },
    },
    components: {
      messages: {
        bookEvent: {
          name: 'BookEvent',
          title: 'A fact of a book',
          summary: doc,
          contentType: 'application/vnd.apache.avro+binary',
          correlationId: {
            description: 'The id of the request that caused the fact, a field of the record.',
            location: '$message.payload#/request_id',
          },
          payload: { schemaFormat: 'application/vnd.apache.avro+json;version=1.9.0', schema: { ...schema, doc } },
          bindings: {
            kafka: {
              key: {
                type: 'string',
                description: 'The book: {tenant_id}/{book_id}. Kafka’s default partitioner assigns the partition.',
              },
              schemaIdLocation: 'payload',
              schemaIdPayloadEncoding: 'confluent',
              schemaLookupStrategy: 'TopicNameStrategy',
              bindingVersion: '0.5.0',
            },
          },
        },
      },
    },
  };
}

function channel(): object {
  const settings = Object.fromEntries((topicSettings[topics.bookEvents] ?? []).map(({ name, value }) => [name, value]));
  return {
    address: topics.bookEvents,
    title: 'Facts of all books',
    servers: [{ $ref: '#/servers/log' }],
    messages: { bookEvent: { $ref: '#/components/messages/bookEvent' } },
    bindings: {
      kafka: {
        topic: topics.bookEvents,
        partitions: partitionCount,
        topicConfiguration: {
          'cleanup.policy': [settings['cleanup.policy']],
          'retention.ms': Number(settings['retention.ms']),
          'retention.bytes': Number(settings['retention.bytes']),
          'max.message.bytes': Number(settings['max.message.bytes']),
        },
        bindingVersion: '0.5.0',
      },
    },
  };
}

export function asyncapiText(): string {
  return `${JSON.stringify(asyncapiDocument(), null, 2)}\n`;
}
