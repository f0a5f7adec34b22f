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
  -- As far as it could be read, for whoever looks at it.
  request_id uuid,
  operation text,
  reference text,
  -- Absent on what only stands behind another.
  fault text,
  key text NOT NULL,
  -- The record of the log as it stands there.
  value bytea,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, book_id, partition, "offset", item)
);
CREATE INDEX books_parked ON books (tenant_id, book_id) WHERE parked;

GRANT SELECT, INSERT, DELETE ON parked TO lending_service;
