CREATE TYPE commit_rows AS (
  fence_partition smallint[],
  fence_epoch bigint[],
  fence_from_offset bigint[],
  fence_next_offset bigint[],
  fence_next_event bigint[],
  reference_tenant_id text[],
  reference_namespace text[],
  reference_reference text[],
  reference_digest bytea[],
  reference_book_id text[],
  reference_kind text[],
  reference_subject text[],
  reference_sequence bigint[],
  fact_tenant_id text[],
  fact_book_id text[],
  fact_sequence bigint[],
  fact_kind text[],
  fact_body text[],
  fact_counts smallint[],
  fact_version_count bigint[],
  fact_version_at bigint[],
  fact_namespace text[],
  fact_reference text[],
  fact_occurred_on integer[],
  fact_loan_id uuid[],
  fact_event_id uuid[],
  fact_merchant_ref text[],
  fact_recorded_at bigint[],
  fact_request_id uuid[],
  fact_item integer[],
  fact_partition smallint[],
  fact_log_offset bigint[],
  fact_event_number bigint[],
  fact_feed_ordinal integer[],
  evidence_request_id uuid[],
  evidence_partition smallint[],
  evidence_tenant_id text[],
  evidence_method text[],
  evidence_target text[],
  evidence_ts bigint[],
  evidence_fp text[],
  evidence_signature bytea[],
  evidence_idempotency_key text[],
  evidence_body bytea[],
  evidence_body_encoding text[],
  evidence_actor text[],
  evidence_caller_request_id text[],
  evidence_received_at bigint[],
  book_tenant_id text[],
  book_book_id text[],
  book_partition smallint[],
  book_sequence bigint[],
  book_version_count bigint[],
  book_version_at bigint[],
  book_recorded_at bigint[],
  book_due_from integer[],
  book_parked smallint[],
  snapshot_tenant_id text[],
  snapshot_book_id text[],
  snapshot_sequence bigint[],
  snapshot_data text[],
  rare json
);

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
  fact_bytes bigint,
  CONSTRAINT books_pkey PRIMARY KEY (tenant_id, book_id)
) WITH (fillfactor=70);
COMMENT ON TABLE books IS 'One row for each book: how many facts it has and its book version.';
COMMENT ON COLUMN books.fact_bytes IS 'About the memory that the bodies of all facts take: the sum of bytes_of_fact. Null where they were not counted.';
CREATE INDEX books_by_id ON books USING btree (tenant_id, book_id COLLATE "C") INCLUDE (due_from);
CREATE INDEX books_due ON books USING btree (tenant_id, due_from, book_id) WHERE (due_from IS NOT NULL);
CREATE INDEX books_parked ON books USING btree (tenant_id, book_id) WHERE parked;

CREATE TABLE cell_databases (
  name text NOT NULL,
  number smallint NOT NULL,
  CONSTRAINT cell_databases_number_key UNIQUE (number),
  CONSTRAINT cell_databases_pkey PRIMARY KEY (name),
  CONSTRAINT cell_databases_number_check CHECK (((number >= 1) AND (number <= 99)))
);
COMMENT ON TABLE cell_databases IS 'The databases of the cell beside the home database. Rows in the home database only.';

CREATE TABLE cell_secrets (
  name text NOT NULL,
  secret bytea NOT NULL,
  CONSTRAINT cell_secrets_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE cell_secrets IS 'Secrets that all instances of a cell share and that are not configured.';

CREATE TABLE configurations (
  tenant_id text NOT NULL,
  configuration_id text NOT NULL,
  version integer NOT NULL,
  archetype text NOT NULL,
  created_at bigint NOT NULL,
  "values" json NOT NULL,
  answer json NOT NULL,
  CONSTRAINT configurations_pkey PRIMARY KEY (tenant_id, configuration_id, version)
);
COMMENT ON TABLE configurations IS 'Versions of product configurations.';
CREATE INDEX configurations_newest ON configurations USING btree (tenant_id, substr(configuration_id, 5) DESC) WHERE (version = 1);

CREATE TABLE database_identity (
  cell uuid NOT NULL,
  number smallint NOT NULL,
  must_reserve boolean NOT NULL DEFAULT false,
  references_reserved boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE database_identity IS 'One row: the cell of this database, and its number there.';
COMMENT ON COLUMN database_identity.must_reserve IS 'Only an owner that reserves references may take over a partition.';
COMMENT ON COLUMN database_identity.references_reserved IS 'All references of the cell are in reserved_references.';

CREATE TABLE due_spans (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  from_day integer NOT NULL,
  to_day integer NOT NULL,
  CONSTRAINT due_spans_pkey PRIMARY KEY (tenant_id, book_id, from_day)
);
COMMENT ON TABLE due_spans IS 'Past stretches of days on which something of a book was due and unpaid.';
CREATE INDEX due_spans_by_day ON due_spans USING btree (tenant_id, to_day, from_day);

CREATE TABLE facts (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  sequence bigint NOT NULL,
  kind text NOT NULL,
  body json NOT NULL,
  counts boolean NOT NULL,
  version_count bigint NOT NULL,
  version_at bigint,
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
  event_number bigint NOT NULL,
  feed_number bigint,
  CONSTRAINT facts_pkey PRIMARY KEY (tenant_id, book_id, sequence)
);
COMMENT ON TABLE facts IS 'Every fact. Never changed. Deleted only where its partition was moved to another database.';
CREATE UNIQUE INDEX facts_by_event_number ON facts USING btree (partition, event_number);

CREATE TABLE feed (
  tenant_id text NOT NULL,
  number bigint NOT NULL,
  event_id uuid NOT NULL,
  loan_id uuid NOT NULL,
  kind text NOT NULL,
  occurred_on integer NOT NULL,
  recorded_at bigint NOT NULL,
  merchant_ref text,
  CONSTRAINT feed_pkey PRIMARY KEY (tenant_id, number)
);
COMMENT ON TABLE feed IS 'The feed: one gapless sequence of Loan events per Tenancy (A5).';

CREATE TABLE idempotency_keys (
  tenant_id text NOT NULL,
  key text NOT NULL,
  request_digest bytea NOT NULL,
  outcome text,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, key)
);
COMMENT ON TABLE idempotency_keys IS 'The first outcome under each Idempotency-Key, kept for a day.';
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys USING btree (expires_at);

CREATE TABLE keys (
  fp text NOT NULL,
  tenant_id text NOT NULL,
  public_key bytea NOT NULL,
  scope text NOT NULL,
  holder text NOT NULL,
  label text NOT NULL,
  created_at bigint NOT NULL,
  revoked_at bigint,
  revision bigint NOT NULL,
  CONSTRAINT keys_pkey PRIMARY KEY (fp)
);
COMMENT ON TABLE keys IS 'Registered public keys, revoked ones included.';
CREATE INDEX keys_by_revision ON keys USING btree (revision);
CREATE INDEX keys_by_tenancy ON keys USING btree (tenant_id, created_at);

CREATE TABLE listed_records (
  tenant_id text NOT NULL,
  listing text NOT NULL,
  number bigint NOT NULL,
  id text NOT NULL,
  book_id text NOT NULL,
  "row" json NOT NULL,
  sequence bigint NOT NULL,
  CONSTRAINT listed_records_pkey PRIMARY KEY (tenant_id, listing, number)
);
COMMENT ON TABLE listed_records IS 'Clients, Decisions and Facilities, listed per Tenancy and found by identifier.';
CREATE INDEX listed_records_by_book ON listed_records USING btree (tenant_id, listing, book_id, number);
CREATE UNIQUE INDEX listed_records_by_fact ON listed_records USING btree (tenant_id, book_id, sequence);
CREATE UNIQUE INDEX listed_records_by_id ON listed_records USING btree (tenant_id, listing, id);

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
  CONSTRAINT loans_pkey PRIMARY KEY (tenant_id, loan_id)
);
COMMENT ON TABLE loans IS 'Loans for listings, with what each filter needs.';
CREATE INDEX loans_by_client ON loans USING btree (tenant_id, client_id, number DESC);
CREATE INDEX loans_by_configuration ON loans USING btree (tenant_id, configuration_id, number DESC) WHERE (state <> ALL (ARRAY['held'::text, 'voided'::text]));
CREATE INDEX loans_by_merchant ON loans USING btree (tenant_id, merchant_ref, number DESC) WHERE ((merchant_ref IS NOT NULL) AND (state <> ALL (ARRAY['held'::text, 'voided'::text])));
CREATE INDEX loans_by_merchant_and_configuration ON loans USING btree (tenant_id, merchant_ref, configuration_id, number DESC) WHERE ((merchant_ref IS NOT NULL) AND (state <> ALL (ARRAY['held'::text, 'voided'::text])));
CREATE INDEX loans_held_or_voided_by_configuration ON loans USING btree (tenant_id, configuration_id, number DESC) WHERE (state = ANY (ARRAY['held'::text, 'voided'::text]));
CREATE INDEX loans_held_or_voided_by_merchant ON loans USING btree (tenant_id, merchant_ref, number DESC) WHERE ((merchant_ref IS NOT NULL) AND (state = ANY (ARRAY['held'::text, 'voided'::text])));
CREATE INDEX loans_held_or_voided_by_merchant_and_configuration ON loans USING btree (tenant_id, merchant_ref, configuration_id, number DESC) WHERE ((merchant_ref IS NOT NULL) AND (state = ANY (ARRAY['held'::text, 'voided'::text])));
CREATE INDEX loans_held_or_voided_newest ON loans USING btree (tenant_id, number DESC) WHERE (state = ANY (ARRAY['held'::text, 'voided'::text]));
CREATE INDEX loans_newest ON loans USING btree (tenant_id, number DESC) WHERE (state <> ALL (ARRAY['held'::text, 'voided'::text]));

CREATE TABLE parked_log_entries (
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  value bytea NOT NULL,
  CONSTRAINT parked_log_entries_pkey PRIMARY KEY (partition, "offset")
);
COMMENT ON TABLE parked_log_entries IS 'The log entries of parked submissions, each stored once.';

CREATE TABLE parked_submissions (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  partition smallint NOT NULL,
  "offset" bigint NOT NULL,
  item integer NOT NULL,
  request_id uuid,
  operation text,
  reference text,
  digest bytea,
  error text,
  parked_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT parked_submissions_pkey PRIMARY KEY (tenant_id, book_id, partition, "offset", item)
);
COMMENT ON TABLE parked_submissions IS 'Submissions of parked books, in the order of the log.';
CREATE INDEX parked_submissions_by_log_entry ON parked_submissions USING btree (partition, "offset");
CREATE INDEX parked_submissions_by_reference ON parked_submissions USING btree (tenant_id, book_id, reference) WHERE (reference IS NOT NULL);

CREATE TABLE partition_number_ranges (
  partition smallint NOT NULL,
  number smallint NOT NULL,
  CONSTRAINT partition_number_ranges_pkey PRIMARY KEY (partition, number)
);
COMMENT ON TABLE partition_number_ranges IS 'Where moved partitions were before. All rows are in the home database; another one has those of the partitions that came or left.';

CREATE TABLE partition_placement (
  partition smallint NOT NULL,
  database text NOT NULL,
  CONSTRAINT partition_placement_pkey PRIMARY KEY (partition)
);
COMMENT ON TABLE partition_placement IS 'In the home database: where the partitions are that are not there. In another one: the partitions that have left it.';

CREATE TABLE partitions (
  partition smallint NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,
  next_offset bigint NOT NULL DEFAULT 0,
  next_event bigint NOT NULL DEFAULT 1,
  owner text,
  taken_over_at timestamp with time zone,
  log_start bigint NOT NULL DEFAULT 0,
  reserving_epoch bigint,
  CONSTRAINT partitions_pkey PRIMARY KEY (partition, next_offset)
);
COMMENT ON TABLE partitions IS 'Owner and progress of each partition of lending.submissions.';
COMMENT ON COLUMN partitions.reserving_epoch IS 'Equal to the epoch where the present owner reserves references in the home database.';

CREATE TABLE reference_hashes (
  name_hash uuid NOT NULL,
  event_number bigint NOT NULL,
  partition smallint NOT NULL,
  digest bytea NOT NULL,
  subject text,
  CONSTRAINT reference_hashes_pkey PRIMARY KEY (name_hash)
);
COMMENT ON TABLE reference_hashes IS 'References of admitted submissions by a hash of their name, unique per Tenancy across partitions (A4), in a database whose tables are divided.';

CREATE TABLE removed_numbers (
  tenant_id text NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL,
  CONSTRAINT removed_numbers_pkey PRIMARY KEY (tenant_id, name)
);
COMMENT ON TABLE removed_numbers IS 'The highest number that this database gave to a row that was moved away or lost: it is not given again.';

CREATE TABLE request_bodies (
  request_id uuid NOT NULL,
  body bytea NOT NULL,
  CONSTRAINT request_bodies_pkey PRIMARY KEY (request_id)
);
COMMENT ON TABLE request_bodies IS 'The bodies of requests that are longer than 2,000 bytes as stored, once for each request.';

CREATE TABLE request_evidence (
  request_id uuid NOT NULL,
  partition smallint NOT NULL,
  tenant_id text NOT NULL,
  method text,
  target text NOT NULL,
  ts bigint,
  fp text,
  signature bytea,
  idempotency_key text,
  body bytea,
  body_encoding text,
  actor text,
  caller_request_id text,
  received_at bigint NOT NULL,
  fp_bytes bytea,
  CONSTRAINT evidence_pkey PRIMARY KEY (request_id, partition)
);
COMMENT ON TABLE request_evidence IS 'Signed requests, once for each partition a request went to. A null body is in request_bodies, a null method is POST, a null body_encoding is identity, and fp_bytes has the bytes of a null fp.';
CREATE INDEX evidence_by_idempotency_key ON request_evidence USING btree (tenant_id, hashtextextended(idempotency_key, (0)::bigint)) WHERE (idempotency_key IS NOT NULL);

CREATE TABLE reserved_references (
  tenant_id text NOT NULL,
  name_hash bytea NOT NULL,
  book_id text NOT NULL,
  partition smallint NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT reserved_references_pkey PRIMARY KEY (tenant_id, name_hash)
);
COMMENT ON TABLE reserved_references IS 'References that a book of any database has recorded or is about to record. Rows in the home database only.';

CREATE TABLE snapshots (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  sequence bigint NOT NULL,
  data text NOT NULL,
  CONSTRAINT snapshots_pkey PRIMARY KEY (tenant_id, book_id)
);
COMMENT ON TABLE snapshots IS 'The latest stored snapshot of each book.';

CREATE TABLE submission_references (
  tenant_id text NOT NULL,
  namespace text NOT NULL,
  reference text NOT NULL,
  digest bytea NOT NULL,
  book_id text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  sequence bigint NOT NULL,
  CONSTRAINT submission_references_pkey PRIMARY KEY (tenant_id, namespace, reference)
);
COMMENT ON TABLE submission_references IS 'References of admitted submissions by name, unique per Tenancy across partitions (A4), in a database whose tables are not divided.';

CREATE TABLE tenancies (
  tenant_id text NOT NULL,
  name text NOT NULL,
  live boolean NOT NULL,
  jurisdiction text NOT NULL,
  time_zone text NOT NULL,
  bounds json,
  created_at bigint NOT NULL,
  revision bigint NOT NULL,
  CONSTRAINT tenancies_pkey PRIMARY KEY (tenant_id)
);
COMMENT ON TABLE tenancies IS 'Tenancies and their bounds.';
CREATE INDEX tenancies_by_revision ON tenancies USING btree (revision);

CREATE TABLE verdicts (
  request_id uuid NOT NULL,
  partition smallint NOT NULL,
  verdict text NOT NULL,
  written_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT verdicts_pkey PRIMARY KEY (request_id, partition)
);
COMMENT ON TABLE verdicts IS 'Verdicts for an ingress that Redis does not reach. Deleted after a minute.';
CREATE INDEX verdicts_by_age ON verdicts USING btree (written_at);

CREATE VIEW counters AS
 SELECT tenant_id,
    'feed'::text AS name,
    1 + COALESCE(( SELECT max(f.number) AS max
           FROM feed f
          WHERE f.tenant_id = t.tenant_id), 0::bigint) AS next
   FROM tenancies t;
COMMENT ON VIEW counters IS 'For the previous release, which reads the end of the feed here. To be dropped after it.';

CREATE VIEW evidence AS
 SELECT e.request_id,
    e.partition,
    e.tenant_id,
    COALESCE(e.method, 'POST'::text) AS method,
    e.target,
    e.ts,
    COALESCE(e.fp, encode(e.fp_bytes, 'hex'::text)) AS fp,
    e.signature,
    e.idempotency_key,
    COALESCE(e.body, b.body) AS body,
    COALESCE(e.body_encoding, 'identity'::text) AS body_encoding,
    e.actor,
    e.caller_request_id,
    e.received_at
   FROM request_evidence e
     LEFT JOIN request_bodies b ON e.body IS NULL AND b.request_id = e.request_id;
COMMENT ON VIEW evidence IS 'Signed requests as they were sent, once for each partition a request went to.';

CREATE VIEW recorded_references AS
 SELECT submission_references.tenant_id,
    submission_references.namespace,
    submission_references.reference,
    submission_references.digest,
    submission_references.book_id,
    submission_references.kind,
    submission_references.subject,
    submission_references.sequence
   FROM submission_references
UNION ALL
 SELECT f.tenant_id,
    f.namespace,
    f.reference,
    r.digest,
    f.book_id,
    f.kind,
    COALESCE(r.subject, subject_of_fact(f.body::text, f.event_id)) AS subject,
    f.sequence
   FROM reference_hashes r
     LEFT JOIN facts f USING (partition, event_number);
COMMENT ON VIEW recorded_references IS 'All references with their names. Without an index: services look up a single one by its key.';

CREATE OR REPLACE FUNCTION bytes_of_fact(kind text, body text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT octet_length(body)::bigint * CASE WHEN kind IN ('receipt_reported', 'receipt_reversed') THEN 1 ELSE 4 END;
$function$;

CREATE OR REPLACE FUNCTION bytes_of_fp(fp text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN fp ~ '^([0-9a-f]{2})+$' THEN decode(fp, 'hex') END;
$function$;

CREATE OR REPLACE FUNCTION check_takeover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.owner = 'lending partition move'
    OR EXISTS (SELECT FROM partition_placement l WHERE l.partition = NEW.partition) THEN
    RAISE EXCEPTION 'partition % is in another database, or is being moved', NEW.partition;
  END IF;
  IF NEW.reserving_epoch IS DISTINCT FROM NEW.epoch AND (SELECT must_reserve FROM database_identity) THEN
    RAISE EXCEPTION 'the owner of partition % must reserve references: the cell has several databases', NEW.partition;
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION commit_batch(batch commit_rows)
 RETURNS json
 LANGUAGE plpgsql
AS $function$
DECLARE
  row_count bigint;
  rare json := batch.rare;
  next_numbers jsonb := '{}';
  new_revision bigint;
  first_number bigint;
  last_number bigint;
  fence record;
BEGIN
  -- Fences (A2). By the exact old position: the index leads to one row, however many old versions of it there are.
  FOR fence IN
    SELECT * FROM unnest(batch.fence_partition, batch.fence_epoch, batch.fence_from_offset, batch.fence_next_offset,
        batch.fence_next_event)
      AS f (partition, epoch, from_offset, next_offset, next_event)
    ORDER BY partition
  LOOP
    UPDATE partitions SET next_offset = fence.next_offset, next_event = fence.next_event
      WHERE partition = fence.partition AND next_offset = fence.from_offset AND epoch = fence.epoch;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a partition of this batch has another owner or another next offset' USING ERRCODE = 'LX001';
    END IF;
  END LOOP;

  -- References (A4): by their hash where the tables are divided. Names may remain from before this migration; they are refused, too.
  IF cardinality(batch.reference_tenant_id) > 0 THEN
    IF pg_partition_root('facts') IS NULL THEN
      INSERT INTO submission_references (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)
        SELECT * FROM unnest(batch.reference_tenant_id, batch.reference_namespace, batch.reference_reference,
            batch.reference_digest, batch.reference_book_id, batch.reference_kind, batch.reference_subject,
            batch.reference_sequence)
          AS r (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)
        ORDER BY tenant_id, namespace, reference
        ON CONFLICT DO NOTHING;
    ELSE
      INSERT INTO reference_hashes (name_hash, event_number, partition, digest, subject)
        SELECT reference_hash(tenant_id, namespace, reference), event_number, partition, digest,
          nullif(subject, subject_of_fact(body, event_id))
        FROM unnest(batch.reference_tenant_id, batch.reference_namespace, batch.reference_reference,
            batch.reference_digest, batch.reference_book_id, batch.reference_subject, batch.reference_sequence)
          AS r (tenant_id, namespace, reference, digest, book_id, subject, sequence)
        JOIN unnest(batch.fact_tenant_id, batch.fact_book_id, batch.fact_sequence, batch.fact_partition,
            batch.fact_event_number, batch.fact_body, batch.fact_event_id)
          AS f (tenant_id, book_id, sequence, partition, event_number, body, event_id) USING (tenant_id, book_id, sequence)
        WHERE NOT EXISTS (SELECT FROM submission_references s
          WHERE s.tenant_id = r.tenant_id AND s.namespace = r.namespace AND s.reference = r.reference)
        ORDER BY 1
        ON CONFLICT DO NOTHING;
    END IF;
    GET DIAGNOSTICS row_count = ROW_COUNT;
    IF row_count <> cardinality(batch.reference_tenant_id) THEN
      RAISE EXCEPTION 'a reference of this batch was recorded by another transaction' USING ERRCODE = 'LX002';
    END IF;
  END IF;

  -- Evidence. In the order of the ids: another processor may store the same bodies.
  IF cardinality(batch.evidence_request_id) > 0 THEN
    INSERT INTO request_bodies (request_id, body)
      SELECT DISTINCT ON (request_id) request_id, body FROM unnest(batch.evidence_request_id, batch.evidence_body)
        AS b (request_id, body)
      WHERE octet_length(body) > 2000 ORDER BY request_id
      ON CONFLICT (request_id) DO NOTHING;
    INSERT INTO request_evidence (request_id, partition, tenant_id, method, target, ts, fp, fp_bytes, signature,
        idempotency_key, body, body_encoding, actor, caller_request_id, received_at)
      SELECT request_id, partition, tenant_id, nullif(method, 'POST'), target, ts,
          CASE WHEN bytes_of_fp(fp) IS NULL THEN fp END, bytes_of_fp(fp), signature, idempotency_key,
          CASE WHEN octet_length(body) <= 2000 THEN body END, nullif(body_encoding, 'identity'), actor,
          caller_request_id, received_at
        FROM unnest(batch.evidence_request_id, batch.evidence_partition, batch.evidence_tenant_id, batch.evidence_method,
          batch.evidence_target, batch.evidence_ts, batch.evidence_fp, batch.evidence_signature,
          batch.evidence_idempotency_key, batch.evidence_body, batch.evidence_body_encoding,
          batch.evidence_actor, batch.evidence_caller_request_id, batch.evidence_received_at)
          AS e (request_id, partition, tenant_id, method, target, ts, fp, signature, idempotency_key, body,
            body_encoding, actor, caller_request_id, received_at);
  END IF;

  -- Books and snapshots
  IF cardinality(batch.book_tenant_id) > 0 THEN
    INSERT INTO books AS b (tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, due_from, parked, fact_bytes)
      SELECT tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, due_from, parked = 1, coalesce(bytes, 0)
        FROM unnest(batch.book_tenant_id, batch.book_book_id, batch.book_partition, batch.book_sequence,
          batch.book_version_count, batch.book_version_at, batch.book_recorded_at, batch.book_due_from,
          batch.book_parked)
          AS n (tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, due_from, parked)
        LEFT JOIN (SELECT tenant_id, book_id, sum(bytes_of_fact(kind, body)) AS bytes
          FROM unnest(batch.fact_tenant_id, batch.fact_book_id, batch.fact_kind, batch.fact_body) AS f (tenant_id, book_id, kind, body)
          GROUP BY tenant_id, book_id) AS recorded USING (tenant_id, book_id)
      ON CONFLICT (tenant_id, book_id) DO UPDATE SET sequence = excluded.sequence,
        version_count = excluded.version_count, version_at = excluded.version_at, recorded_at = excluded.recorded_at,
        due_from = excluded.due_from, parked = excluded.parked,
        fact_bytes = b.fact_bytes + excluded.fact_bytes;
  END IF;
  IF cardinality(batch.snapshot_tenant_id) > 0 THEN
    INSERT INTO snapshots AS s (tenant_id, book_id, sequence, data)
      SELECT * FROM unnest(batch.snapshot_tenant_id, batch.snapshot_book_id, batch.snapshot_sequence, batch.snapshot_data)
      ON CONFLICT (tenant_id, book_id) DO UPDATE SET sequence = excluded.sequence, data = excluded.data
        WHERE s.sequence <= excluded.sequence;
  END IF;

  -- Facts outside the feed
  IF array_position(batch.fact_feed_ordinal, NULL) IS NOT NULL THEN
    INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference, occurred_on, loan_id,
        event_id, merchant_ref, recorded_at, request_id, item, partition, "offset", event_number)
      SELECT tenant_id, book_id, sequence, kind, body::json, counts = 1, version_count, version_at, namespace, reference,
          occurred_on, loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, log_offset, event_number
        FROM unnest(batch.fact_tenant_id, batch.fact_book_id, batch.fact_sequence, batch.fact_kind, batch.fact_body,
          batch.fact_counts, batch.fact_version_count, batch.fact_version_at, batch.fact_namespace,
          batch.fact_reference, batch.fact_occurred_on, batch.fact_loan_id, batch.fact_event_id,
          batch.fact_merchant_ref, batch.fact_recorded_at, batch.fact_request_id, batch.fact_item,
          batch.fact_partition, batch.fact_log_offset, batch.fact_event_number, batch.fact_feed_ordinal)
          AS n (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference,
            occurred_on, loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, log_offset,
            event_number, feed_ordinal)
        WHERE feed_ordinal IS NULL;
  END IF;

  IF rare IS NULL THEN
    RETURN next_numbers;
  END IF;

  IF json_array_length(rare -> 'due_spans') > 0 THEN
    DELETE FROM due_spans d USING json_to_recordset(rare -> 'due_spans') AS s (tenant_id text, book_id text)
      WHERE d.tenant_id = s.tenant_id AND d.book_id = s.book_id;
    INSERT INTO due_spans (tenant_id, book_id, from_day, to_day)
      SELECT tenant_id, book_id, (span ->> 0)::integer, (span ->> 1)::integer
      FROM json_to_recordset(rare -> 'due_spans') AS s (tenant_id text, book_id text, spans json)
      CROSS JOIN json_array_elements(s.spans) AS span;
  END IF;
  IF json_array_length(rare -> 'configurations') > 0 THEN
    INSERT INTO configurations (tenant_id, configuration_id, version, archetype, created_at, "values", answer)
      SELECT tenant_id, configuration_id, version, archetype, created_at, "values"::json, answer::json
      FROM json_to_recordset(rare -> 'configurations') AS c (tenant_id text, configuration_id text, version integer,
        archetype text, created_at bigint, "values" text, answer text);
  END IF;
  IF json_array_length(rare -> 'verdicts') > 0 THEN
    INSERT INTO verdicts (request_id, partition, verdict)
      SELECT request_id, partition, verdict
      FROM json_to_recordset(rare -> 'verdicts') AS v (request_id uuid, partition smallint, verdict text)
      ON CONFLICT DO NOTHING;
  END IF;

  -- Feed numbers (A5). Without counters there is nothing to number in the feed or in a listing.
  IF json_array_length(rare -> 'counters') > 0 THEN
    -- From here on other writers of the Tenancy wait for this transaction, so this comes as late as possible. The next
    -- numbers are read from the indexes: a row that each commit updates gets slower while a long snapshot is open.
    PERFORM pg_advisory_xact_lock(lock_key) FROM (
      SELECT DISTINCT hashtextextended(tenant_id || '/' || name, 0) AS lock_key
      FROM json_to_recordset(rare -> 'counters') AS n (tenant_id text, name text) ORDER BY 1) AS locks;
    first_number := coalesce((SELECT number FROM database_identity), 0) * 1099511627776;
    last_number := first_number + 1099511627775;
    SELECT coalesce(jsonb_object_agg(tenant_id || '/' || name, greatest(last, removed, first_number) + count + 1), '{}')
      INTO next_numbers FROM (
      SELECT tenant_id, name, count,
        (SELECT number FROM removed_numbers r WHERE r.tenant_id = n.tenant_id AND r.name = n.name) AS removed,
        CASE name
        WHEN 'feed' THEN (SELECT max(number) FROM feed f
          WHERE f.tenant_id = n.tenant_id AND number BETWEEN first_number AND last_number)
        ELSE (SELECT max(number) FROM listed_records l
          WHERE l.tenant_id = n.tenant_id AND l.listing = n.name AND number BETWEEN first_number AND last_number) END AS last
      FROM json_to_recordset(rare -> 'counters') AS n (tenant_id text, name text, count bigint)) AS numbers;

    INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference, occurred_on, loan_id,
        event_id, merchant_ref, recorded_at, request_id, item, partition, "offset", event_number, feed_number)
      SELECT tenant_id, book_id, sequence, kind, body::json, counts = 1, version_count, version_at, namespace, reference,
          occurred_on, loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, log_offset, event_number,
          (next_numbers ->> (tenant_id || '/feed'))::bigint - feed_ordinal
        FROM unnest(batch.fact_tenant_id, batch.fact_book_id, batch.fact_sequence, batch.fact_kind, batch.fact_body,
          batch.fact_counts, batch.fact_version_count, batch.fact_version_at, batch.fact_namespace,
          batch.fact_reference, batch.fact_occurred_on, batch.fact_loan_id, batch.fact_event_id,
          batch.fact_merchant_ref, batch.fact_recorded_at, batch.fact_request_id, batch.fact_item,
          batch.fact_partition, batch.fact_log_offset, batch.fact_event_number, batch.fact_feed_ordinal)
          AS n (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference,
            occurred_on, loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, log_offset,
            event_number, feed_ordinal)
        WHERE feed_ordinal IS NOT NULL;
    INSERT INTO feed (tenant_id, number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref)
      SELECT tenant_id, (next_numbers ->> (tenant_id || '/feed'))::bigint - feed_ordinal, event_id, loan_id, kind,
          occurred_on, recorded_at, merchant_ref
        FROM unnest(batch.fact_tenant_id, batch.fact_kind, batch.fact_occurred_on, batch.fact_loan_id,
            batch.fact_event_id, batch.fact_merchant_ref, batch.fact_recorded_at, batch.fact_feed_ordinal)
          AS n (tenant_id, kind, occurred_on, loan_id, event_id, merchant_ref, recorded_at, feed_ordinal)
        WHERE feed_ordinal IS NOT NULL;
  END IF;

  -- Listings
  IF json_array_length(rare -> 'loans') > 0 THEN
    INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version,
        merchant_ref, state)
      SELECT tenant_id, loan_id, (next_numbers ->> (tenant_id || '/feed'))::bigint - ordinal, client_id, reference,
          configuration_id, configuration_version, merchant_ref, state
        FROM json_to_recordset(rare -> 'loans') AS l (tenant_id text, loan_id uuid, ordinal integer, client_id text,
          reference text, configuration_id text, configuration_version integer, merchant_ref text, state text);
  END IF;
  IF json_array_length(rare -> 'states') > 0 THEN
    UPDATE loans l SET state = s.state
      FROM json_to_recordset(rare -> 'states') AS s (tenant_id text, loan_id uuid, state text)
      WHERE l.tenant_id = s.tenant_id AND l.loan_id = s.loan_id;
  END IF;
  IF json_array_length(rare -> 'listed') > 0 THEN
    INSERT INTO listed_records (tenant_id, listing, number, id, book_id, sequence, "row")
      SELECT tenant_id, listing, (next_numbers ->> (tenant_id || '/' || listing))::bigint - ordinal, id, book_id,
          sequence, "row"::json
        FROM json_to_recordset(rare -> 'listed') AS l (tenant_id text, listing text, ordinal integer, id text,
          book_id text, sequence bigint, "row" text);
  END IF;

  -- Tenancies and keys
  IF json_array_length(rare -> 'tenancies') > 0 OR json_array_length(rare -> 'keys') > 0 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('keys and tenancies', 0));
    SELECT 1 + greatest(0, (SELECT max(revision) FROM tenancies), (SELECT max(revision) FROM keys),
        (SELECT number FROM removed_numbers WHERE tenant_id = '' AND name = 'revision')) INTO new_revision;
    INSERT INTO tenancies AS t (tenant_id, name, live, jurisdiction, time_zone, bounds, created_at, revision)
      SELECT tenant_id, name, live, jurisdiction, time_zone, bounds, created_at, new_revision
        FROM json_to_recordset(rare -> 'tenancies') AS n (tenant_id text, name text, live boolean, jurisdiction text,
          time_zone text, bounds json, created_at bigint)
      ON CONFLICT (tenant_id) DO UPDATE SET bounds = excluded.bounds, revision = excluded.revision;
    INSERT INTO keys AS k (fp, tenant_id, public_key, scope, holder, label, created_at, revoked_at, revision)
      SELECT fp, tenant_id, decode(public_key, 'hex'), scope, holder, label, created_at, revoked_at, new_revision
        FROM json_to_recordset(rare -> 'keys') AS n (tenant_id text, fp text, public_key text, scope text, holder text,
          label text, created_at bigint, revoked_at bigint)
      -- A key belongs to one Tenancy: another Tenancy that records it changes nothing.
      ON CONFLICT (fp) DO UPDATE SET revoked_at = excluded.revoked_at, revision = excluded.revision
        WHERE k.tenant_id = excluded.tenant_id;
  END IF;
  RETURN next_numbers;
END $function$;

CREATE OR REPLACE FUNCTION fact_bytes_after(of_partition smallint, of_tenant text, of_book text, after bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
BEGIN
  RETURN (SELECT coalesce(sum(octet_length(f.body::text)), 0) FROM facts f
    WHERE f.partition = of_partition AND f.tenant_id = of_tenant AND f.book_id = of_book AND f.sequence > after);
END $function$;

CREATE OR REPLACE FUNCTION fact_of_event(of_partition smallint, of_event bigint)
 RETURNS TABLE(book_id text, sequence bigint, kind text, body text, event_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
BEGIN
  RETURN QUERY SELECT f.book_id, f.sequence, f.kind, f.body::text, f.event_id FROM facts f
    WHERE f.partition = of_partition AND f.event_number = of_event;
END $function$;

CREATE OR REPLACE FUNCTION facts_after(of_partition smallint, of_tenant text, of_book text, after bigint)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
BEGIN
  RETURN (SELECT json_agg(json_build_array(f.sequence, f.kind, f.body::text, f.recorded_at) ORDER BY f.sequence) FROM facts f
    WHERE f.partition = of_partition AND f.tenant_id = of_tenant AND f.book_id = of_book AND f.sequence > after);
END $function$;

CREATE OR REPLACE FUNCTION load_books(tenant_ids text[], book_ids text[], from_facts boolean)
 RETURNS TABLE(tenant_id text, book_id text, sequence bigint, version_count bigint, version_at bigint, recorded_at bigint, due_from integer, parked boolean, snapshot_sequence bigint, snapshot text, later_facts json)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT b.tenant_id, b.book_id, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked,
    s.sequence, s.data, CASE WHEN b.sequence > coalesce(s.sequence, 0)
      THEN facts_after(b.partition, b.tenant_id, b.book_id, coalesce(s.sequence, 0)) END
  FROM unnest(tenant_ids, book_ids) AS wanted (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id)
  LEFT JOIN snapshots s ON NOT from_facts AND s.tenant_id = b.tenant_id AND s.book_id = b.book_id;
$function$;

CREATE OR REPLACE FUNCTION reference_hash(tenant_id text, namespace text, reference text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  SELECT encode(substr(sha256(convert_to(tenant_id || E'\n' || namespace || E'\n' || reference, 'UTF8')), 1, 16), 'hex')::uuid;
$function$;

CREATE OR REPLACE FUNCTION subject_of_fact(body text, event_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN starts_with(body, '{"id":"') THEN split_part(left(body, 100), '"', 4) ELSE event_id::text END;
$function$;

CREATE TRIGGER check_takeover BEFORE UPDATE OF owner ON partitions FOR EACH ROW WHEN (((new.epoch > old.epoch) AND (new.owner <> ALL (ARRAY['lending partition move'::text, 'lending reconcile'::text])))) EXECUTE FUNCTION check_takeover();

GRANT USAGE ON SCHEMA public TO lending_service;
GRANT INSERT, SELECT, UPDATE ON TABLE books TO lending_service;
GRANT SELECT ON TABLE cell_databases TO lending_service;
GRANT SELECT ON TABLE cell_secrets TO lending_service;
GRANT INSERT, SELECT ON TABLE configurations TO lending_service;
GRANT SELECT ON TABLE counters TO lending_service;
GRANT SELECT ON TABLE database_identity TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE due_spans TO lending_service;
GRANT SELECT ON TABLE evidence TO lending_service;
GRANT INSERT, SELECT ON TABLE facts TO lending_service;
GRANT INSERT, SELECT ON TABLE feed TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE idempotency_keys TO lending_service;
GRANT INSERT, SELECT, UPDATE ON TABLE keys TO lending_service;
GRANT INSERT, SELECT ON TABLE listed_records TO lending_service;
GRANT INSERT, SELECT, UPDATE ON TABLE loans TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE parked_log_entries TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE parked_submissions TO lending_service;
GRANT SELECT ON TABLE partition_number_ranges TO lending_service;
GRANT SELECT ON TABLE partition_placement TO lending_service;
GRANT SELECT, UPDATE ON TABLE partitions TO lending_service;
GRANT SELECT ON TABLE recorded_references TO lending_service;
GRANT INSERT, SELECT ON TABLE reference_hashes TO lending_service;
GRANT SELECT ON TABLE removed_numbers TO lending_service;
GRANT INSERT, SELECT ON TABLE request_bodies TO lending_service;
GRANT INSERT, SELECT ON TABLE request_evidence TO lending_service;
GRANT INSERT, SELECT, UPDATE ON TABLE reserved_references TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE snapshots TO lending_service;
GRANT INSERT, SELECT ON TABLE submission_references TO lending_service;
GRANT INSERT, SELECT, UPDATE ON TABLE tenancies TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE verdicts TO lending_service;
GRANT EXECUTE ON FUNCTION bytes_of_fact TO lending_service;
GRANT EXECUTE ON FUNCTION bytes_of_fp TO lending_service;
GRANT EXECUTE ON FUNCTION commit_batch TO lending_service;
GRANT EXECUTE ON FUNCTION fact_bytes_after TO lending_service;
GRANT EXECUTE ON FUNCTION fact_of_event TO lending_service;
GRANT EXECUTE ON FUNCTION facts_after TO lending_service;
GRANT EXECUTE ON FUNCTION load_books TO lending_service;
GRANT EXECUTE ON FUNCTION reference_hash TO lending_service;
GRANT EXECUTE ON FUNCTION subject_of_fact TO lending_service;

-- Schema operations

CREATE TABLE base_backups (
  server text NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  CONSTRAINT base_backups_pkey PRIMARY KEY (server)
);
COMMENT ON TABLE base_backups IS 'The newest complete base backup, written by backup.sh.';

CREATE TABLE check_results (
  name text NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  findings bigint NOT NULL,
  CONSTRAINT check_results_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE check_results IS 'The newest complete run of each check of the cell that was started with --record.';

CREATE TABLE key_usage (
  tenant_id text NOT NULL,
  fp text NOT NULL,
  hour integer NOT NULL,
  requests bigint NOT NULL,
  last_received_at bigint NOT NULL,
  CONSTRAINT key_usage_pkey PRIMARY KEY (tenant_id, fp, hour)
);
COMMENT ON TABLE key_usage IS 'Logged requests of each key by the hour. Deleted after thirty days, like the request log.';
CREATE INDEX key_usage_by_hour ON key_usage USING btree (hour);

CREATE TABLE request_log (
  tenant_id text NOT NULL,
  request_id uuid NOT NULL,
  received_at bigint NOT NULL,
  duration_us integer NOT NULL,
  caller_request_id text,
  fp text NOT NULL,
  method text NOT NULL,
  route text,
  status smallint NOT NULL,
  code text,
  target text,
  contract_version text,
  field text,
  queue_us integer,
  conn_us integer,
  db_us integer,
  derive_us integer,
  submit_us integer,
  CONSTRAINT request_log_pkey PRIMARY KEY (tenant_id, request_id)
);
COMMENT ON TABLE request_log IS 'Answered requests, without their bodies. Deleted after thirty days.';
CREATE INDEX request_log_by_age ON request_log USING btree (received_at);
CREATE INDEX request_log_by_caller_request_id ON request_log USING btree (tenant_id, caller_request_id, request_id) WHERE (caller_request_id IS NOT NULL);

GRANT USAGE ON SCHEMA operations TO lending_service;
GRANT SELECT ON TABLE base_backups TO lending_service;
GRANT SELECT ON TABLE check_results TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE key_usage TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE request_log TO lending_service;

-- Schema console

CREATE TABLE known_addresses (
  person_id uuid NOT NULL,
  prefix text NOT NULL,
  last_sign_in_at bigint NOT NULL,
  CONSTRAINT known_addresses_pkey PRIMARY KEY (person_id, prefix)
);
COMMENT ON TABLE known_addresses IS 'Network addresses from which a person signed in: guesses from others do not make it wait.';
CREATE INDEX known_addresses_by_age ON known_addresses USING btree (last_sign_in_at);

CREATE TABLE one_time_links (
  token_hash bytea NOT NULL,
  person_id uuid NOT NULL,
  expires_at bigint NOT NULL,
  scope text[],
  CONSTRAINT one_time_links_pkey PRIMARY KEY (token_hash)
);
COMMENT ON TABLE one_time_links IS 'Unused sign-in links, by the SHA-256 of their tokens.';
CREATE INDEX one_time_links_by_person ON one_time_links USING btree (person_id);

CREATE TABLE passkey_challenges (
  challenge text NOT NULL,
  browser_hash bytea NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge)
);
COMMENT ON TABLE passkey_challenges IS 'Answered challenges of passkeys: each is accepted once.';
CREATE INDEX passkey_challenges_by_age ON passkey_challenges USING btree (expires_at);

CREATE TABLE passkeys (
  credential_id text NOT NULL,
  person_id uuid NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  CONSTRAINT passkeys_pkey PRIMARY KEY (credential_id)
);
COMMENT ON TABLE passkeys IS 'Passkeys (WebAuthn) with which persons sign in without a password.';
CREATE INDEX passkeys_by_person ON passkeys USING btree (person_id);

CREATE TABLE pending_sign_ins (
  token_hash bytea NOT NULL,
  person_id uuid NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT pending_sign_ins_pkey PRIMARY KEY (token_hash)
);
COMMENT ON TABLE pending_sign_ins IS 'Sign-ins whose password was right and whose second factor is still missing.';
CREATE INDEX pending_sign_ins_by_age ON pending_sign_ins USING btree (expires_at);
CREATE INDEX pending_sign_ins_by_person ON pending_sign_ins USING btree (person_id);

CREATE TABLE persons (
  person_id uuid NOT NULL,
  email text NOT NULL,
  is_operator boolean NOT NULL,
  language text,
  password_hash text,
  totp_secret text,
  totp_used_step bigint,
  created_at bigint NOT NULL,
  is_disabled boolean NOT NULL DEFAULT false,
  last_sign_in_at bigint,
  credential_scope text[],
  disabled_password_hash text,
  lockout_recorded_at bigint,
  CONSTRAINT persons_email_key UNIQUE (email),
  CONSTRAINT persons_pkey PRIMARY KEY (person_id)
);
COMMENT ON TABLE persons IS 'People who use the ';

CREATE TABLE recovery_codes (
  person_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (person_id, code_hash)
);
COMMENT ON TABLE recovery_codes IS 'Unused codes that replace the second factor, by their SHA-256.';

CREATE TABLE roles (
  person_id uuid NOT NULL,
  tenant_id text NOT NULL,
  role text NOT NULL,
  CONSTRAINT roles_pkey PRIMARY KEY (person_id, tenant_id)
);
COMMENT ON TABLE roles IS 'What a person may do in a Tenancy: admin, support or finance.';
CREATE INDEX roles_by_tenancy ON roles USING btree (tenant_id, person_id);

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  person_id uuid NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  address text,
  user_agent text,
  CONSTRAINT sessions_pkey PRIMARY KEY (token_hash)
);
COMMENT ON TABLE sessions IS 'Signed-in browsers, by the SHA-256 of their tokens.';
CREATE INDEX sessions_by_age ON sessions USING btree (created_at);
CREATE INDEX sessions_by_person ON sessions USING btree (person_id);

CREATE TABLE sign_in_attempts (
  subject text NOT NULL,
  attempts integer NOT NULL,
  last_attempt_at bigint NOT NULL,
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject)
);
COMMENT ON TABLE sign_in_attempts IS 'Attempts to sign in since the last success, for growing pauses between them.';
CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts USING btree (last_attempt_at);

CREATE TABLE unrecorded_acts (
  act_id uuid NOT NULL,
  tenant_id text NOT NULL,
  body text NOT NULL,
  CONSTRAINT unrecorded_acts_pkey PRIMARY KEY (act_id)
);
COMMENT ON TABLE unrecorded_acts IS 'Acts on people, committed with their effect, until their facts are in the log.';

GRANT USAGE ON SCHEMA console TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE known_addresses TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE one_time_links TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE passkey_challenges TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE passkeys TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE pending_sign_ins TO lending_service;
GRANT INSERT, SELECT, UPDATE ON TABLE persons TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE recovery_codes TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE roles TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE sessions TO lending_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE sign_in_attempts TO lending_service;
GRANT DELETE, INSERT, SELECT ON TABLE unrecorded_acts TO lending_service;
