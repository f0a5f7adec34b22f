-- Up Migration

-- The size of a book is in its row, so that a read knows what memory the book takes. Null where it is not known: in the rows of the
-- releases before until the next migrations fill it. Readers count the facts then.
ALTER TABLE books ADD COLUMN fact_bytes bigint;
COMMENT ON COLUMN books.fact_bytes IS 'About the memory that the bodies of all facts take: the sum of bytes_of_fact. Null where they were not counted.';

-- Receipts and reversals are kept as text. Other facts are kept parsed, too, which takes about three times their text. Stored rows depend on
-- this function: never change it.
CREATE FUNCTION bytes_of_fact(kind text, body text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(body)::bigint * CASE WHEN kind IN ('receipt_reported', 'receipt_reversed') THEN 1 ELSE 4 END;
$$;
GRANT EXECUTE ON FUNCTION bytes_of_fact TO lending_service;

-- As before, with the bytes of the facts.
-- Commits one batch of a processor: one call is one transaction. Answers the next number of each counter it raised.
-- LX001: another processor owns a partition, or its next offset has moved. LX002: another book has recorded a reference.
-- Each statement runs only where the batch has rows for it: a statement without rows costs about ten microseconds.
CREATE OR REPLACE FUNCTION commit_batch(batch commit_rows) RETURNS json LANGUAGE plpgsql AS $$
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
END $$;
