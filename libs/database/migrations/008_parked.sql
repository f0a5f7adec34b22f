-- Up Migration

-- What a parked book waits with, in the very order of its submissions: written and removed by the transaction that
-- parks and releases the book, so that none of it is decided twice or forgotten.
CREATE TABLE parked (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  -- Which of the request's items; -1 for a record that could not be read, of which only the key is known.
  item integer NOT NULL,
  -- As far as it could be read: for whoever looks at it, and to know it again where it is sent again.
  request_id uuid,
  operation text,
  reference text,
  digest bytea,
  -- Absent on what only stands behind another.
  fault text,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, book_id, partition, "offset", item)
);
CREATE INDEX parked_by_reference ON parked (tenant_id, book_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX parked_by_record ON parked (partition, "offset");
CREATE INDEX books_parked ON books (tenant_id, book_id) WHERE parked;

-- The records of the log they are of, each once, however many of its items wait.
CREATE TABLE parked_records (
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (partition, "offset")
);

GRANT SELECT, INSERT, DELETE ON parked, parked_records TO lending_service;
