-- Up Migration

-- The services log in as, or take on, this role: they may read and add, and own nothing.
DO $$ BEGIN
  CREATE ROLE lending_service NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

-- The offset lives with the data (A2): who commits a batch moves next_offset under the epoch it took over with.
CREATE TABLE partitions (
  partition smallint PRIMARY KEY,
  epoch bigint NOT NULL DEFAULT 0,
  next_offset bigint NOT NULL DEFAULT 0,
  -- Every fact of a partition takes the next number: the gapless sequence of lending.book-events.
  next_event bigint NOT NULL DEFAULT 1,
  owner text,
  taken_at timestamptz
);
INSERT INTO partitions (partition) SELECT generate_series(0, 11);

-- Moments are whole microseconds since 1970-01-01, civil days whole days since then: as the code carries them.
CREATE TABLE books (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  partition smallint NOT NULL,
  sequence bigint NOT NULL,
  version_count bigint NOT NULL,
  version_at bigint,
  recorded_at bigint NOT NULL,
  due_from integer,
  parked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, book_id)
) WITH (fillfactor = 70);
CREATE INDEX books_due ON books (tenant_id, due_from, book_id) WHERE due_from IS NOT NULL;

CREATE TABLE facts (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  sequence bigint NOT NULL,
  kind text NOT NULL,
  body json NOT NULL,
  counts boolean NOT NULL,
  -- The book version after this fact.
  version_count bigint NOT NULL,
  version_at bigint,
  -- The reference it was recorded under, where it is the first fact of its submission.
  namespace text,
  reference text,
  occurred_on integer,
  loan_id uuid,
  event_id uuid,
  merchant_ref text,
  recorded_at bigint NOT NULL,
  request_id uuid NOT NULL,
  item integer NOT NULL,
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  event_no bigint NOT NULL,
  feed_no bigint,
  PRIMARY KEY (tenant_id, book_id, sequence)
);
CREATE UNIQUE INDEX facts_in_topic ON facts (partition, event_no);

-- The submission as it was sent. One request of many books has one row for each partition it went to.
CREATE TABLE evidence (
  request_id uuid NOT NULL,
  partition smallint NOT NULL,
  tenant_id text NOT NULL,
  method text NOT NULL,
  target text NOT NULL,
  ts bigint,
  fp text,
  signature bytea,
  idempotency_key text,
  body bytea NOT NULL,
  body_encoding text NOT NULL,
  actor text,
  caller_request_id text,
  taken_in_at bigint NOT NULL,
  PRIMARY KEY (request_id, partition)
);

-- References are unique in the whole Tenancy though its Clients live in many partitions (A4).
CREATE TABLE refs (
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

CREATE TABLE snapshots (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  sequence bigint NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (tenant_id, book_id)
);

-- Numbers that a whole Tenancy shares, taken as the last thing before a commit (A5), so that no reader passes a
-- number that commits later.
CREATE TABLE counters (
  tenant_id text NOT NULL,
  name text NOT NULL,
  next bigint NOT NULL,
  PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 50);

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

CREATE TABLE loans (
  tenant_id text NOT NULL,
  loan_id uuid NOT NULL,
  number bigint NOT NULL,
  client_id text NOT NULL,
  reference text NOT NULL,
  configuration_id text NOT NULL,
  configuration_version integer NOT NULL,
  merchant_ref text,
  state text NOT NULL,
  PRIMARY KEY (tenant_id, loan_id)
);
CREATE INDEX loans_newest ON loans (tenant_id, number DESC);
CREATE INDEX loans_of_client ON loans (tenant_id, client_id, number DESC);
CREATE INDEX loans_of_configuration ON loans (tenant_id, configuration_id, number DESC);
CREATE INDEX loans_of_merchant ON loans (tenant_id, merchant_ref, number DESC) WHERE merchant_ref IS NOT NULL;

-- What is listed in the whole Tenancy and found by its identifier: Clients, Decisions, Facilities, policies.
CREATE TABLE listed (
  tenant_id text NOT NULL,
  listing text NOT NULL,
  number bigint NOT NULL,
  id text NOT NULL,
  book_id text NOT NULL,
  "row" json NOT NULL,
  PRIMARY KEY (tenant_id, listing, number)
);
CREATE UNIQUE INDEX listed_by_id ON listed (tenant_id, listing, id);

CREATE TABLE tenancies (
  tenant_id text PRIMARY KEY,
  name text NOT NULL,
  live boolean NOT NULL,
  jurisdiction text NOT NULL,
  time_zone text NOT NULL,
  bounds json,
  created_at bigint NOT NULL,
  -- Rises with every change of a Tenancy or a key, in the order of commit: what key rings poll.
  revision bigint NOT NULL
);
CREATE TABLE keys (
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
CREATE INDEX keys_of_tenancy ON keys (tenant_id, created_at);
CREATE INDEX keys_by_revision ON keys (revision);
CREATE INDEX tenancies_by_revision ON tenancies (revision);

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

-- What came of a submission, for an ingress that Redis does not reach. Short-lived; no record of any book.
CREATE TABLE verdicts (
  request_id uuid NOT NULL,
  partition smallint NOT NULL,
  verdict text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (request_id, partition)
);
CREATE INDEX verdicts_by_age ON verdicts (written_at);

GRANT USAGE ON SCHEMA public TO lending_service;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO lending_service;
GRANT UPDATE ON partitions TO lending_service;
-- Facts, evidence and references are never changed and never removed.
GRANT INSERT ON facts, evidence, refs, feed, listed, configurations TO lending_service;
GRANT INSERT, UPDATE ON books, snapshots, counters, loans, tenancies, keys TO lending_service;
GRANT DELETE ON snapshots TO lending_service;
GRANT INSERT, UPDATE, DELETE ON verdicts TO lending_service;
