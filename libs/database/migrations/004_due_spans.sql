-- Up Migration

-- The days of the past on which something of a book had fallen due and was unpaid, settled since: together with
-- books.due_from whatever can be due on a day, so that dues are found by an index on any day, a past one too.
CREATE TABLE due_spans (
  tenant_id text NOT NULL,
  book_id text NOT NULL,
  from_day integer NOT NULL,
  to_day integer NOT NULL,
  PRIMARY KEY (tenant_id, book_id, from_day)
);
CREATE INDEX due_spans_by_day ON due_spans (tenant_id, to_day, from_day);
GRANT SELECT, INSERT, DELETE ON due_spans TO lending_service;

-- commit_batch as it was, keeping due_spans too.
CREATE OR REPLACE FUNCTION commit_batch(
  fence_partition smallint[], fence_epoch bigint[], fence_offset bigint[], fence_event bigint[],
  ref_tenant text[], ref_namespace text[], ref_reference text[], ref_digest bytea[], ref_book text[], ref_kind text[],
  ref_subject text[], ref_sequence bigint[],
  fact_tenant text[], fact_book text[], fact_sequence bigint[], fact_kind text[], fact_body text[], fact_counts smallint[],
  fact_version bigint[], fact_version_at bigint[], fact_namespace text[], fact_reference text[],
  fact_day integer[], fact_loan uuid[], fact_event uuid[], fact_merchant text[], fact_at bigint[], fact_request uuid[],
  fact_item integer[], fact_partition smallint[], fact_offset bigint[], fact_event_no bigint[], fact_feed integer[],
  proof_request uuid[], proof_partition smallint[], proof_tenant text[], proof_method text[], proof_target text[],
  proof_ts bigint[], proof_fp text[], proof_signature bytea[], proof_key text[], proof_body bytea[],
  proof_encoding text[], proof_actor text[], proof_caller text[], proof_taken bigint[],
  book_tenant text[], book_book text[], book_partition smallint[], book_sequence bigint[], book_count bigint[],
  book_version_at bigint[], book_at bigint[], book_due integer[], book_parked smallint[],
  shot_tenant text[], shot_book text[], shot_sequence bigint[], shot_data text[],
  -- The rest, seldom and little: {counters, loans, states, due_spans, listed, tenancies, keys, configurations, verdicts}.
  rest json
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  met bigint;
  taken jsonb := '{}';
  revised bigint;
BEGIN
  PERFORM 1 FROM partitions WHERE partition = ANY (fence_partition) ORDER BY partition FOR UPDATE;
  UPDATE partitions p SET next_offset = f.next_offset, next_event = f.next_event
    FROM unnest(fence_partition, fence_epoch, fence_offset, fence_event) AS f (partition, epoch, next_offset, next_event)
    WHERE p.partition = f.partition AND p.epoch = f.epoch AND p.next_offset <= f.next_offset;
  GET DIAGNOSTICS met = ROW_COUNT;
  IF met <> cardinality(fence_partition) THEN
    RAISE EXCEPTION 'a partition of this batch was taken over' USING ERRCODE = 'LX001';
  END IF;

  IF cardinality(ref_tenant) > 0 THEN
    INSERT INTO refs (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)
      SELECT * FROM unnest(ref_tenant, ref_namespace, ref_reference, ref_digest, ref_book, ref_kind, ref_subject, ref_sequence)
        AS r (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)
      ORDER BY tenant_id, namespace, reference
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS met = ROW_COUNT;
    IF met <> cardinality(ref_tenant) THEN
      RAISE EXCEPTION 'a reference of this batch was taken meanwhile' USING ERRCODE = 'LX002';
    END IF;
  END IF;

  IF cardinality(proof_request) > 0 THEN
    INSERT INTO evidence (request_id, partition, tenant_id, method, target, ts, fp, signature, idempotency_key, body,
        body_encoding, actor, caller_request_id, taken_in_at)
      SELECT * FROM unnest(proof_request, proof_partition, proof_tenant, proof_method, proof_target, proof_ts, proof_fp,
        proof_signature, proof_key, proof_body, proof_encoding, proof_actor, proof_caller, proof_taken);
  END IF;

  IF cardinality(book_tenant) > 0 THEN
    INSERT INTO books AS b (tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, due_from, parked)
      SELECT tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, due_from, parked = 1
        FROM unnest(book_tenant, book_book, book_partition, book_sequence, book_count, book_version_at, book_at, book_due, book_parked)
        AS n (tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, due_from, parked)
      ON CONFLICT (tenant_id, book_id) DO UPDATE SET sequence = excluded.sequence, version_count = excluded.version_count,
        version_at = excluded.version_at, recorded_at = excluded.recorded_at, due_from = excluded.due_from, parked = excluded.parked;
  END IF;

  IF cardinality(shot_tenant) > 0 THEN
    INSERT INTO snapshots AS s (tenant_id, book_id, sequence, data)
      SELECT * FROM unnest(shot_tenant, shot_book, shot_sequence, shot_data)
      ON CONFLICT (tenant_id, book_id) DO UPDATE SET sequence = excluded.sequence, data = excluded.data
        WHERE s.sequence <= excluded.sequence;
  END IF;

  IF cardinality(fact_tenant) > 0 THEN
    INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference, occurred_on, loan_id, event_id, merchant_ref,
        recorded_at, request_id, item, partition, "offset", event_no)
      SELECT tenant_id, book_id, sequence, kind, body::json, counts = 1, version_count, version_at, namespace, reference, occurred_on, loan_id, event_id, merchant_ref,
        recorded_at, request_id, item, partition, from_offset, event_no
      FROM unnest(fact_tenant, fact_book, fact_sequence, fact_kind, fact_body, fact_counts, fact_version,
        fact_version_at, fact_namespace, fact_reference, fact_day, fact_loan, fact_event,
        fact_merchant, fact_at, fact_request, fact_item, fact_partition, fact_offset, fact_event_no, fact_feed)
        AS n (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference, occurred_on, loan_id, event_id, merchant_ref, recorded_at,
          request_id, item, partition, from_offset, event_no, feed_ordinal)
      WHERE feed_ordinal IS NULL;
  END IF;

  IF rest IS NOT NULL THEN
    UPDATE loans l SET state = s.state
      FROM json_to_recordset(rest -> 'states') AS s (tenant text, loan uuid, state text)
      WHERE l.tenant_id = s.tenant AND l.loan_id = s.loan;
    DELETE FROM due_spans d USING json_to_recordset(rest -> 'due_spans') AS s (tenant text, book text)
      WHERE d.tenant_id = s.tenant AND d.book_id = s.book;
    INSERT INTO due_spans (tenant_id, book_id, from_day, to_day)
      SELECT tenant, book, (span ->> 0)::integer, (span ->> 1)::integer
      FROM json_to_recordset(rest -> 'due_spans') AS s (tenant text, book text, spans json)
      CROSS JOIN json_array_elements(s.spans) AS span;
    INSERT INTO configurations (tenant_id, configuration_id, version, archetype, created_at, "values", answer)
      SELECT tenant, id, version, archetype, at, stated::json, answer::json
      FROM json_to_recordset(rest -> 'configurations')
        AS c (tenant text, id text, version integer, archetype text, at bigint, stated text, answer text);
    INSERT INTO verdicts (request_id, partition, verdict)
      SELECT request, partition, verdict FROM json_to_recordset(rest -> 'verdicts') AS v (request uuid, partition smallint, verdict text)
      ON CONFLICT DO NOTHING;

    -- From here on other writers of the Tenancy wait for this transaction, which has nothing left to do but to end.
    WITH numbered AS (
      INSERT INTO counters AS c (tenant_id, name, next)
        SELECT tenant, name, 1 + many FROM json_to_recordset(rest -> 'counters') AS n (tenant text, name text, many bigint)
        ORDER BY tenant, name
        ON CONFLICT (tenant_id, name) DO UPDATE SET next = c.next + excluded.next - 1
        RETURNING tenant_id, name, next)
    SELECT coalesce(jsonb_object_agg(tenant_id || '/' || name, next), '{}') INTO taken FROM numbered;

    INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference, occurred_on, loan_id, event_id, merchant_ref,
        recorded_at, request_id, item, partition, "offset", event_no, feed_no)
      SELECT tenant_id, book_id, sequence, kind, body::json, counts = 1, version_count, version_at, namespace, reference, occurred_on, loan_id, event_id, merchant_ref,
        recorded_at, request_id, item, partition, from_offset, event_no, (taken ->> (tenant_id || '/feed'))::bigint - feed_ordinal
      FROM unnest(fact_tenant, fact_book, fact_sequence, fact_kind, fact_body, fact_counts, fact_version,
        fact_version_at, fact_namespace, fact_reference, fact_day, fact_loan, fact_event,
        fact_merchant, fact_at, fact_request, fact_item, fact_partition, fact_offset, fact_event_no, fact_feed)
        AS n (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference, occurred_on, loan_id, event_id, merchant_ref, recorded_at,
          request_id, item, partition, from_offset, event_no, feed_ordinal)
      WHERE feed_ordinal IS NOT NULL;
    INSERT INTO feed (tenant_id, number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref)
      SELECT tenant_id, (taken ->> (tenant_id || '/feed'))::bigint - feed_ordinal, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref
      FROM unnest(fact_tenant, fact_kind, fact_day, fact_loan, fact_event, fact_merchant, fact_at, fact_feed)
        AS n (tenant_id, kind, occurred_on, loan_id, event_id, merchant_ref, recorded_at, feed_ordinal)
      WHERE feed_ordinal IS NOT NULL;
    INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version, merchant_ref, state)
      SELECT tenant, loan, (taken ->> (tenant || '/feed'))::bigint - ordinal, client, reference, configuration, version, merchant, state
      FROM json_to_recordset(rest -> 'loans') AS l (tenant text, loan uuid, ordinal integer, client text, reference text,
        configuration text, version integer, merchant text, state text);
    INSERT INTO listed (tenant_id, listing, number, id, book_id, "row")
      SELECT tenant, listing, (taken ->> (tenant || '/' || listing))::bigint - ordinal, id, book, "row"::json
      FROM json_to_recordset(rest -> 'listed') AS l (tenant text, listing text, ordinal integer, id text, book text, "row" text);

    IF json_array_length(rest -> 'tenancies') > 0 OR json_array_length(rest -> 'keys') > 0 THEN
      INSERT INTO counters AS c (tenant_id, name, next) VALUES ('', 'keys', 2)
        ON CONFLICT (tenant_id, name) DO UPDATE SET next = c.next + 1 RETURNING next - 1 INTO revised;
      INSERT INTO tenancies AS t (tenant_id, name, live, jurisdiction, time_zone, bounds, created_at, revision)
        SELECT tenant, name, live, jurisdiction, zone, bounds, at, revised
        FROM json_to_recordset(rest -> 'tenancies')
          AS n (tenant text, name text, live boolean, jurisdiction text, zone text, bounds json, at bigint)
        ON CONFLICT (tenant_id) DO UPDATE SET bounds = excluded.bounds, revision = excluded.revision;
      INSERT INTO keys AS k (fp, tenant_id, public_key, scope, holder, label, created_at, revoked_at, revision)
        SELECT fp, tenant, decode(public, 'hex'), scope, holder, label, at, revoked, revised
        FROM json_to_recordset(rest -> 'keys')
          AS n (tenant text, fp text, public text, scope text, holder text, label text, at bigint, revoked bigint)
        -- A key acts for exactly one Tenancy: another that records the same key gains nothing and takes nothing.
        ON CONFLICT (fp) DO UPDATE SET revoked_at = excluded.revoked_at, revision = excluded.revision
          WHERE k.tenant_id = excluded.tenant_id;
    END IF;
  END IF;
  RETURN taken;
END $$;
