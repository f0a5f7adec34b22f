/** The AsyncAPI 3 document of the public topics: the kinds of facts, the Avro schemas and the settings. */
import { acts } from '#libs/ledger/acts/manifest.ts';
import type { CreditFactKind } from '#libs/ledger/client/credit-records.ts';
import type { releasedKind } from '#libs/ledger/release.ts';
import type { AvroSchemaOptions } from './avro-codec.ts';
import { bookEventSchema } from './book-event.ts';
import { movementSchema } from './movement.ts';
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
  retracted: describeAct('`event_id` (the retracted fact)'),
  receipt_reported: '`id`, `receipt` (as requested), `quote` (if the Receipt names one).',
  receipt_reversed: '`receipt` (its reference), `reason`, `act`.',
  payoff_quoted:
    '`id`, `loan_id`, `on`, `owed`, `act`. Also `loanId`, the same id; the facts of earlier releases have this name alone.',
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

const description = `Two topics: \`lending.book-events\` has every fact, \`lending.movements\` what each fact changed in the balances.

## lending.book-events

Every fact that was admitted to a book, once, in the order of its book.

A record is Avro behind a five-byte schema registry header: a zero byte and the id of the schema it was written with.
Its key is the book, \`{tenant_id}/{book_id}\`, so all facts of a book are in one partition, in order.
\`sequence\` numbers the events of a partition from 1 without gaps: a consumer drops numbers it has seen and stops at a
missing one. The topic keeps all records and is never compacted, so a consumer that reads from the beginning has every
fact of the lender's books. A fact never changes: another fact takes it back.

The schema evolves under FULL_TRANSITIVE: consumers of any age read records of any age. Ignore an unknown \`kind\` or
union branch instead of failing.

\`body\` is the fact as it is stored: JSON with the names of the API. By \`kind\`, in a Client's book:

${listOf(clientFacts)}

In the Tenancy's own book:

${listOf(tenancyFacts)}

In either book:

${listOf(anyBookFacts)}

Members may be added to a body; existing ones keep their meaning.

## lending.movements

One record for each fact, in the same partition and under the same \`sequence\`. It has, for each Loan, the journal lines that the
fact added and those that it took back. Amounts are minor units, positive where they raise the debt:

- what is owed on a day is the sum of \`amount\` and \`tax\` of the lines with \`day\` up to it. It is the statement's
  on each day on which a line in force has a \`fact\`; on another day penalty and interest may be missing. Some facts have no such line,
  a suspension for example;
- what is overdue is the sum of those of them of which \`due_on\` has come;
- what a Receipt paid is the sum of the lines with its \`fact\` and the \`kind\` \`received\`, with the sign changed.

Lines with days to come are there from the issuance on: the interest of each period on its scheduled day, and the late fee on the day the
period becomes late if it is not paid. Interest between a fact and the scheduled day, and penalty after the last line with a
\`fact\`, grow daily and are in no line before the next one that has a \`fact\`.`;

function listOf(kinds: Readonly<Record<string, string>>): string {
  return Object.entries(kinds)
    .map(([kind, body]) => `- \`${kind}\`: ${body}`)
    .join('\n');
}

export function asyncapiDocument(): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Lending: facts and movements of all books',
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
    channels: {
      bookEvents: channel(topics.bookEvents, 'Facts of all books', 'bookEvent'),
      movements: channel(topics.movements, 'Movements of all books', 'movement'),
    },
    operations: {
      publishBookEvents: {
        action: 'send',
        channel: { $ref: '#/channels/bookEvents' },
        messages: [{ $ref: '#/channels/bookEvents/messages/bookEvent' }],
        summary: 'The service publishes each fact after it is committed.',
      },
      publishMovements: {
        action: 'send',
        channel: { $ref: '#/channels/movements' },
        messages: [{ $ref: '#/channels/movements/messages/movement' }],
        summary: 'The service publishes the movement of each fact, where it has processor time to spare.',
      },
    },
    components: {
      messages: {
        bookEvent: message('BookEvent', 'A fact of a book', bookEventSchema),
        movement: message('Movement', 'What a fact changed in the journal of its book', movementSchema),
      },
    },
  };
}

function message(name: string, title: string, { schema: described }: AvroSchemaOptions): object {
  const { doc, ...schema } = described as { readonly doc: string };
  return {
    name,
    title,
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
  };
}

function channel(topic: string, title: string, messageName: string): object {
  const settings = Object.fromEntries((topicSettings[topic] ?? []).map(({ name, value }) => [name, value]));
  return {
    address: topic,
    title,
    servers: [{ $ref: '#/servers/log' }],
    messages: { [messageName]: { $ref: `#/components/messages/${messageName}` } },
    bindings: {
      kafka: {
        topic,
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
