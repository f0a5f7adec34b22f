/** The public topic as an AsyncAPI 3 document: made from the Avro schema and the topic's own settings. */
import { partitionCount } from './book-key.ts';
import { anyBookFacts, clientFacts, tenancyFacts } from './fact-kinds.ts';
import { bookEventAvro } from './schemas.ts';
import { kept, topics } from './topics.ts';

const description = `Every fact that was admitted to a book, once, in the order of its book.

A record is Avro behind the five bytes of a schema registry: a zero byte and the id of the schema it was written by.
Its key is the book, \`{tenant_id}/{book_id}\`, so a book stays in one partition and its facts in their order.
\`sequence\` counts the events of a partition from 1 without a gap: a reader drops what it has and refuses what does not
follow. The topic keeps everything for ever and is never compacted, so a reader that begins at the beginning ends with
the lender's whole book. A fact is never changed: what withdraws it is another fact.

The schema evolves under FULL_TRANSITIVE: a reader of any age reads records of any age. A \`kind\` and a union's branch
that are not known are to be passed over, not failed on.

\`body\` is the fact as it is kept, JSON in the contract's words; by \`kind\`, in a Client's book:

${listOf(clientFacts)}

and in the Tenancy's own:

${listOf(tenancyFacts)}

and in either:

${listOf(anyBookFacts)}

Members may be added to a body; none changes its meaning.`;

function listOf(kinds: Readonly<Record<string, string>>): string {
  return Object.entries(kinds)
    .map(([kind, body]) => `- \`${kind}\`: ${body}`)
    .join('\n');
}

export function asyncapiDocument(): object {
  const { doc, ...schema } = bookEventAvro.schema as { readonly doc: string };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Lending: the facts of every book',
      version: '1.0.0',
      description,
    },
    defaultContentType: 'application/vnd.apache.avro+binary',
    servers: {
      log: {
        host: '{broker}',
        protocol: 'kafka-secure',
        description: 'The cell’s Kafka cluster; its schema registry speaks the Confluent API.',
        variables: { broker: { description: 'As the operator of the cell names it.', default: 'broker:9093' } },
        bindings: { kafka: { schemaRegistryVendor: 'confluent', bindingVersion: '0.5.0' } },
      },
    },
    channels: { bookEvents: channel() },
    operations: {
      publishBookEvents: {
        action: 'send',
        channel: { $ref: '#/channels/bookEvents' },
        messages: [{ $ref: '#/channels/bookEvents/messages/bookEvent' }],
        summary: 'The service tells each fact after it is committed.',
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
            description: 'The request that caused the fact; in the record itself.',
            location: '$message.payload#/request_id',
          },
          payload: { schemaFormat: 'application/vnd.apache.avro+json;version=1.9.0', schema: { ...schema, doc } },
          bindings: {
            kafka: {
              key: {
                type: 'string',
                description: 'The book: {tenant_id}/{book_id}. Kafka’s own hash of it chooses the partition.',
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
  const settings = Object.fromEntries((kept[topics.bookEvents] ?? []).map(({ name, value }) => [name, value]));
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
