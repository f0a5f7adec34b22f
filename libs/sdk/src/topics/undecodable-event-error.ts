/** A record of the topic cannot be decoded, whenever it is read. A `SchemaOf` throws it where there is no such schema. */
export class UndecodableEventError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'UndecodableEventError';
  }
}
