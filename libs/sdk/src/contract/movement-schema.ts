/** The schema into which records of the topic are decoded. Generated from schemas/openapi.json: npm run schemas:sdk. */
export const movementSchema = {
  type: 'record',
  name: 'Movement',
  namespace: 'lending',
  fields: [
    { name: 'partition', type: 'int' },
    { name: 'sequence', type: 'long' },
    { name: 'tenant_id', type: 'string' },
    { name: 'book_id', type: 'string' },
    { name: 'client_id', type: ['null', 'string'], default: null },
    { name: 'fact', type: 'long' },
    { name: 'kind', type: 'string' },
    { name: 'recorded_at', type: { type: 'long', logicalType: 'timestamp-micros' } },
    { name: 'request_id', type: 'string' },
    { name: 'item', type: 'int', default: 0 },
    {
      name: 'loans',
      type: {
        type: 'array',
        items: {
          type: 'record',
          name: 'LoanMovement',
          fields: [
            { name: 'loan_id', type: 'string' },
            { name: 'currency', type: 'string' },
            {
              name: 'added',
              type: {
                type: 'array',
                items: {
                  type: 'record',
                  name: 'MovementLine',
                  fields: [
                    { name: 'period', type: 'int' },
                    { name: 'charge', type: 'string' },
                    { name: 'kind', type: 'string' },
                    { name: 'day', type: { type: 'int', logicalType: 'date' } },
                    { name: 'due_on', type: { type: 'int', logicalType: 'date' } },
                    { name: 'amount', type: 'long' },
                    { name: 'tax', type: 'long' },
                    { name: 'fact', type: ['null', 'long'], default: null },
                  ],
                },
              },
            },
            { name: 'taken_back', type: { type: 'array', items: 'MovementLine' } },
          ],
        },
      },
    },
  ],
};
