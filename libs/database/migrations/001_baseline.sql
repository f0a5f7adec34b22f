-- Up Migration

-- The tables of one cell. Moments are whole microseconds since 1970-01-01 UTC, civil days whole days since that day.
-- `npm run db:schema` writes the result to libs/database/schema.sql.

-- The services connect as this role or take it on. It may read and add rows and owns nothing.
DO $$ BEGIN
  CREATE ROLE lending_service NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

-- Write path -----------------------------------------------------------------------------------------------------

-- A commit moves next_offset under the epoch its processor took over with (A2).
CREATE TABLE partitions (
  partition smallint PRIMARY KEY,
  epoch bigint NOT NULL DEFAULT 0,
  next_offset bigint NOT NULL DEFAULT 0,
  -- The next number in the gapless sequence of lending.book-events.
  next_event bigint NOT NULL DEFAULT 1,
  owner text,
  taken_over_at timestamptz
);
COMMENT ON TABLE partitions IS 'Owner and progress of each partition of lending.submissions.';
INSERT INTO partitions (partition) SELECT generate_series(0, 11);

CREATE TABLE books (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  partition smallint NOT NULL,
  sequence bigint NOT NULL,
  version_count bigint NOT NULL,
  version_at bigint,
  recorded_at bigint NOT NULL,
  -- The first day on which something of the book is due and unpaid, as of its last fact.
  due_from integer,
  parked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, book_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE books IS 'One row for each book: how many facts it has and its book version.';

CREATE TABLE facts (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  sequence bigint NOT NULL,
  kind text NOT NULL,
  body json NOT NULL,
  -- Whether the fact counts in the book version.
  counts boolean NOT NULL,
  -- The book version after this fact.
  version_count bigint NOT NULL,
  version_at bigint,
  -- The reference of the submission, on the first of its facts.
  namespace text,
  reference text,
  occurred_on integer,
  loan_id uuid,
  event_id uuid,
  merchant_ref text,
  recorded_at bigint NOT NULL,
  request_id uuid NOT NULL,
  -- The place of the submission within its request.
  item integer NOT NULL,
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  event_number bigint NOT NULL,
  feed_number bigint,
  PRIMARY KEY (tenant_id, book_id, sequence)
);
COMMENT ON TABLE facts IS 'Every fact. Never changed, never deleted.';

CREATE TABLE submission_references (
  tenant_id text NOT NULL,
  namespace text NOT NULL,
  reference text NOT NULL,
  digest bytea NOT NULL,
  book_id text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (tenant_id, namespace, reference)
);
COMMENT ON TABLE submission_references IS 'References of admitted submissions, unique per Tenancy across partitions (A4).';

CREATE TABLE evidence (
  request_id uuid NOT NULL,
  partition smallint NOT NULL,
  tenant_id text NOT NULL,
  method text NOT NULL,
  target text NOT NULL,
  -- ts, fp and signature are the parts of the Authorization header.
  ts bigint,
  fp text,
  signature bytea,
  idempotency_key text,
  body bytea NOT NULL,
  body_encoding text NOT NULL,
  actor text,
  caller_request_id text,
  received_at bigint NOT NULL,
  PRIMARY KEY (request_id, partition)
);
COMMENT ON TABLE evidence IS 'Signed requests as they were sent, once for each partition a request went to.';

CREATE TABLE snapshots (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  sequence bigint NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (tenant_id, book_id)
);
COMMENT ON TABLE snapshots IS 'The latest stored snapshot of each book.';
-- Snapshots are written often and read seldom; Postgres's own compression costs a tenth of a write-heavy load.
-- A server that this one is copied or restored to must support the same compression.
DO $$ BEGIN
  ALTER TABLE snapshots ALTER COLUMN data SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  ALTER TABLE snapshots ALTER COLUMN data SET STORAGE EXTERNAL;
END $$;

-- Taken last in a transaction (A5), so that no reader passes a number that commits later.
CREATE TABLE counters (
  tenant_id text NOT NULL,
  name text NOT NULL,
  next bigint NOT NULL,
  PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 50);
COMMENT ON TABLE counters IS 'The next number of each gapless sequence of a Tenancy: its feed and its listings.';

CREATE TABLE verdicts (
  request_id uuid NOT NULL,
  partition smallint NOT NULL,
  verdict text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (request_id, partition)
);
COMMENT ON TABLE verdicts IS 'Verdicts for an ingress that Redis does not reach. Deleted after a minute.';

CREATE TABLE idempotency_keys (
  tenant_id text NOT NULL,
  key text NOT NULL,
  -- SHA-256 of method, target and canonical body.
  request_digest bytea NOT NULL,
  -- Null while the first attempt is in progress.
  outcome text,
  -- The end of the outcome, or of an attempt's claim on the key.
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key)
);
COMMENT ON TABLE idempotency_keys IS 'The first outcome under each Idempotency-Key, kept for a day.';

-- Written and deleted by the transaction that parks or releases the book.
CREATE TABLE parked_submissions (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  -- -1 for a log entry that could not be decoded: only its key is known.
  item integer NOT NULL,
  request_id uuid,
  operation text,
  reference text,
  digest bytea,
  -- Null on a submission that only waits behind one that failed.
  error text,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, book_id, partition, "offset", item)
);
COMMENT ON TABLE parked_submissions IS 'Submissions of parked books, in the order of the log.';

CREATE TABLE parked_log_entries (
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (partition, "offset")
);
COMMENT ON TABLE parked_log_entries IS 'The log entries of parked submissions, each stored once.';

-- Read path ------------------------------------------------------------------------------------------------------

CREATE TABLE feed (
  tenant_id text NOT NULL,
  number bigint NOT NULL,
  event_id uuid NOT NULL,
  loan_id uuid NOT NULL,
  kind text NOT NULL,
  occurred_on integer NOT NULL,
  recorded_at bigint NOT NULL,
  merchant_ref text,
  PRIMARY KEY (tenant_id, number)
);
COMMENT ON TABLE feed IS 'The feed: one gapless sequence of Loan events per Tenancy (A5).';

CREATE TABLE loans (
  tenant_id text NOT NULL,
  loan_id uuid NOT NULL,
  -- The feed number of the issuance.
  number bigint NOT NULL,
  client_id text NOT NULL,
  reference text NOT NULL,
  configuration_id text NOT NULL,
  configuration_version integer NOT NULL,
  merchant_ref text,
  -- As of the last fact of the book.
  state text NOT NULL,
  PRIMARY KEY (tenant_id, loan_id)
);
COMMENT ON TABLE loans IS 'Loans for listings, with what each filter needs.';

-- Together with books.due_from this finds the Clients with dues on any day, past days included, through an index.
CREATE TABLE due_spans (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  from_day integer NOT NULL,
  to_day integer NOT NULL,
  PRIMARY KEY (tenant_id, book_id, from_day)
);
COMMENT ON TABLE due_spans IS 'Past stretches of days on which something of a book was due and unpaid.';

CREATE TABLE listed_records (
  tenant_id text NOT NULL,
  listing text NOT NULL,
  number bigint NOT NULL,
  id text NOT NULL,
  book_id text NOT NULL,
  "row" json NOT NULL,
  -- The fact that recorded it.
  sequence bigint NOT NULL,
  PRIMARY KEY (tenant_id, listing, number)
);
COMMENT ON TABLE listed_records IS 'Clients, Decisions and Facilities, listed per Tenancy and found by identifier.';

CREATE TABLE tenancies (
  tenant_id text PRIMARY KEY,
  name text NOT NULL,
  live boolean NOT NULL,
  jurisdiction text NOT NULL,
  time_zone text NOT NULL,
  bounds json,
  created_at bigint NOT NULL,
  -- Rises with every change of a Tenancy or a key, in commit order. Key rings poll it.
  revision bigint NOT NULL
);
COMMENT ON TABLE tenancies IS 'Tenancies and their bounds.';

CREATE TABLE keys (
  -- The fingerprint of the public key.
  fp text PRIMARY KEY,
  tenant_id text NOT NULL,
  public_key bytea NOT NULL,
  scope text NOT NULL,
  holder text NOT NULL,
  label text NOT NULL,
  created_at bigint NOT NULL,
  revoked_at bigint,
  revision bigint NOT NULL
);
COMMENT ON TABLE keys IS 'Registered public keys, revoked ones included.';

CREATE TABLE configurations (
  tenant_id text NOT NULL,
  configuration_id text NOT NULL,
  version integer NOT NULL,
  archetype text NOT NULL,
  created_at bigint NOT NULL,
  "values" json NOT NULL,
  answer json NOT NULL,
  PRIMARY KEY (tenant_id, configuration_id, version)
);
COMMENT ON TABLE configurations IS 'Versions of product configurations.';

CREATE TABLE cell_secrets (
  name text PRIMARY KEY,
  secret bytea NOT NULL
);
COMMENT ON TABLE cell_secrets IS 'Secrets that all instances of a cell share and that are not configured.';
INSERT INTO cell_secrets (name, secret)
  VALUES ('cursors', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

-- Indexes --------------------------------------------------------------------------------------------------------

CREATE INDEX books_due ON books (tenant_id, due_from, book_id) WHERE due_from IS NOT NULL;
-- For days on which most Clients have dues: a page walks the Clients in the order of their identifiers.
CREATE INDEX books_by_id ON books (tenant_id, book_id COLLATE "C") INCLUDE (due_from);
CREATE INDEX books_parked ON books (tenant_id, book_id) WHERE parked;

CREATE UNIQUE INDEX facts_by_event_number ON facts (partition, event_number);

-- By hash: most routes accept keys of any length, and an index entry may have at most 2,704 bytes.
CREATE INDEX evidence_by_idempotency_key ON evidence (tenant_id, hashtextextended(idempotency_key, 0))
  WHERE idempotency_key IS NOT NULL;

CREATE INDEX verdicts_by_age ON verdicts (written_at);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
CREATE INDEX parked_submissions_by_reference ON parked_submissions (tenant_id, book_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX parked_submissions_by_log_entry ON parked_submissions (partition, "offset");

-- Listings leave out held and voided Loans unless one of these states is the filter, so both groups have their own
-- indexes and no page reads past rows of the other group. A Client has few Loans: one index holds all of them.
CREATE INDEX loans_by_client ON loans (tenant_id, client_id, number DESC);
CREATE INDEX loans_newest ON loans (tenant_id, number DESC) WHERE state NOT IN ('held', 'voided');
CREATE INDEX loans_by_configuration ON loans (tenant_id, configuration_id, number DESC)
  WHERE state NOT IN ('held', 'voided');
CREATE INDEX loans_by_merchant ON loans (tenant_id, merchant_ref, number DESC)
  WHERE merchant_ref IS NOT NULL AND state NOT IN ('held', 'voided');
CREATE INDEX loans_by_merchant_and_configuration ON loans (tenant_id, merchant_ref, configuration_id, number DESC)
  WHERE merchant_ref IS NOT NULL AND state NOT IN ('held', 'voided');
CREATE INDEX loans_held_or_voided_newest ON loans (tenant_id, number DESC) WHERE state IN ('held', 'voided');
CREATE INDEX loans_held_or_voided_by_configuration ON loans (tenant_id, configuration_id, number DESC)
  WHERE state IN ('held', 'voided');
CREATE INDEX loans_held_or_voided_by_merchant ON loans (tenant_id, merchant_ref, number DESC)
  WHERE merchant_ref IS NOT NULL AND state IN ('held', 'voided');
CREATE INDEX loans_held_or_voided_by_merchant_and_configuration
  ON loans (tenant_id, merchant_ref, configuration_id, number DESC)
  WHERE merchant_ref IS NOT NULL AND state IN ('held', 'voided');

CREATE INDEX due_spans_by_day ON due_spans (tenant_id, to_day, from_day);

CREATE UNIQUE INDEX listed_records_by_id ON listed_records (tenant_id, listing, id);
CREATE UNIQUE INDEX listed_records_by_fact ON listed_records (tenant_id, book_id, sequence);
CREATE INDEX listed_records_by_book ON listed_records (tenant_id, listing, book_id, number);

CREATE INDEX tenancies_by_revision ON tenancies (revision);
CREATE INDEX keys_by_revision ON keys (revision);
CREATE INDEX keys_by_tenancy ON keys (tenant_id, created_at);
-- The number of a product is the end of its identifier.
CREATE INDEX configurations_newest ON configurations (tenant_id, (substr(configuration_id, 5)) DESC) WHERE version = 1;

-- Functions ------------------------------------------------------------------------------------------------------

-- What loading a book takes: its row, its snapshot, and the facts after the snapshot, or all facts with `from_facts`.
CREATE FUNCTION load_books(tenant_ids text[], book_ids text[], from_facts boolean)
RETURNS TABLE (tenant_id text, book_id text, sequence bigint, version_count bigint, version_at bigint, recorded_at bigint,
  due_from integer, parked boolean, snapshot_sequence bigint, snapshot text, later_facts json) LANGUAGE sql STABLE AS $$
  SELECT b.tenant_id, b.book_id, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked,
    s.sequence, s.data,
    (SELECT json_agg(json_build_array(f.sequence, f.kind, f.body::text, f.recorded_at) ORDER BY f.sequence) FROM facts f
      WHERE f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.sequence > coalesce(s.sequence, 0))
  FROM unnest(tenant_ids, book_ids) AS wanted (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id)
  LEFT JOIN snapshots s ON NOT from_facts AND s.tenant_id = b.tenant_id AND s.book_id = b.book_id;
$$;

-- Grants ---------------------------------------------------------------------------------------------------------

GRANT USAGE ON SCHEMA public TO lending_service;
-- Facts, evidence and references are never changed and never deleted.
GRANT SELECT, INSERT ON facts, evidence, submission_references, feed, listed_records, configurations TO lending_service;
GRANT SELECT, INSERT, UPDATE ON books, counters, loans, tenancies, keys TO lending_service;
GRANT SELECT, UPDATE ON partitions TO lending_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON snapshots, verdicts, idempotency_keys TO lending_service;
GRANT SELECT, INSERT, DELETE ON due_spans, parked_submissions, parked_log_entries TO lending_service;
GRANT SELECT ON cell_secrets TO lending_service;
GRANT EXECUTE ON FUNCTION load_books TO lending_service;
