/** The schema into which records of the topic are decoded. Generated from schemas/openapi.json: npm run schemas:sdk. */
export const bookEventSchema = {
  type: 'record',
  name: 'BookEvent',
  namespace: 'lending',
  fields: [
    { name: 'partition', type: 'int' },
    { name: 'sequence', type: 'long' },
    { name: 'tenant_id', type: 'string' },
    { name: 'book_id', type: 'string' },
    { name: 'client_id', type: ['null', 'string'], default: null },
    { name: 'fact', type: 'long' },
    { name: 'version_facts', type: 'long', default: 0 },
    { name: 'version_at', type: ['null', { type: 'long', logicalType: 'timestamp-micros' }], default: null },
    { name: 'counts', type: 'boolean', default: false },
    { name: 'kind', type: 'string' },
    { name: 'occurred_on', type: ['null', { type: 'int', logicalType: 'date' }], default: null },
    { name: 'recorded_at', type: { type: 'long', logicalType: 'timestamp-micros' } },
    { name: 'loan_id', type: ['null', 'string'], default: null },
    { name: 'event_id', type: ['null', 'string'], default: null },
    { name: 'merchant_ref', type: ['null', 'string'], default: null },
    { name: 'feed_number', type: ['null', 'long'], default: null },
    {
      name: 'act',
      type: [
        'null',
        {
          type: 'record',
          name: 'ActAccount',
          fields: [
            { name: 'reference', type: 'string' },
            { name: 'actor', type: 'string' },
            { name: 'basis', type: 'string' },
            { name: 'context', type: ['null', 'string'], default: null },
          ],
        },
      ],
      default: null,
    },
    { name: 'body', type: 'string' },
    {
      name: 'reference',
      type: [
        'null',
        {
          type: 'record',
          name: 'RecordedReference',
          fields: [
            { name: 'namespace', type: 'string' },
            { name: 'reference', type: 'string' },
            { name: 'digest', type: 'bytes' },
            { name: 'subject', type: 'string' },
          ],
        },
      ],
      default: null,
    },
    {
      name: 'issued',
      type: [
        'null',
        {
          type: 'record',
          name: 'IssuedUnder',
          fields: [{ name: 'configuration_id', type: 'string' }, { name: 'configuration_version', type: 'int' }],
        },
      ],
      default: null,
    },
    {
      name: 'listed',
      type: [
        'null',
        {
          type: 'record',
          name: 'ListedAs',
          fields: [
            { name: 'listing', type: 'string' },
            { name: 'number', type: 'long' },
            { name: 'id', type: 'string' },
            { name: 'row', type: 'string' },
          ],
        },
      ],
      default: null,
    },
    { name: 'request_id', type: 'string' },
    { name: 'item', type: 'int', default: 0 },
    { name: 'offset', type: 'long', default: -1 },
    {
      name: 'evidence',
      type: [
        'null',
        {
          type: 'record',
          name: 'Evidence',
          fields: [
            { name: 'method', type: 'string' },
            { name: 'target', type: 'string' },
            { name: 'ts', type: ['null', 'long'], default: null },
            { name: 'fp', type: ['null', 'string'], default: null },
            { name: 'signature', type: ['null', 'bytes'], default: null },
            { name: 'idempotency_key', type: ['null', 'string'], default: null },
            { name: 'body', type: 'bytes' },
            { name: 'body_encoding', type: 'string', default: 'identity' },
            { name: 'actor', type: ['null', 'string'], default: null },
            { name: 'caller_request_id', type: ['null', 'string'], default: null },
            { name: 'taken_in_at', type: { type: 'long', logicalType: 'timestamp-micros' } },
          ],
        },
        { type: 'record', name: 'EvidenceAt', fields: [{ name: 'sequence', type: 'long' }] },
      ],
      default: null,
    },
  ],
};
