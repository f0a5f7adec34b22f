-- Up Migration

-- `lending prepare` divides `facts` and `request_evidence` of a new database by partition, and a rebuild divides them (decision 0091).
-- These functions read one of the tables. In the statement of a caller each execution would open all of them. They state the
-- planning of the services, because commands call them, too: with another plan than the generic one, each call is planned.

-- As rows [sequence, kind, body, recorded_at]; null without facts.
CREATE FUNCTION facts_after(of_partition smallint, of_tenant text, of_book text, after bigint) RETURNS json
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN (SELECT json_agg(json_build_array(f.sequence, f.kind, f.body::text, f.recorded_at) ORDER BY f.sequence) FROM facts f
    WHERE f.partition = of_partition AND f.tenant_id = of_tenant AND f.book_id = of_book AND f.sequence > after);
END $$;

CREATE FUNCTION fact_bytes_after(of_partition smallint, of_tenant text, of_book text, after bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN (SELECT coalesce(sum(octet_length(f.body::text)), 0) FROM facts f
    WHERE f.partition = of_partition AND f.tenant_id = of_tenant AND f.book_id = of_book AND f.sequence > after);
END $$;

GRANT EXECUTE ON FUNCTION facts_after, fact_bytes_after TO lending_service;

COMMENT ON TABLE facts IS 'Every fact. Never changed. Deleted only where its partition was moved to another database.';

-- As before, by the partition of the book, and only where facts follow the snapshot.
CREATE OR REPLACE FUNCTION load_books(tenant_ids text[], book_ids text[], from_facts boolean)
RETURNS TABLE (tenant_id text, book_id text, sequence bigint, version_count bigint, version_at bigint, recorded_at bigint,
  due_from integer, parked boolean, snapshot_sequence bigint, snapshot text, later_facts json) LANGUAGE sql STABLE AS $$
  SELECT b.tenant_id, b.book_id, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked,
    s.sequence, s.data, CASE WHEN b.sequence > coalesce(s.sequence, 0)
      THEN facts_after(b.partition, b.tenant_id, b.book_id, coalesce(s.sequence, 0)) END
  FROM unnest(tenant_ids, book_ids) AS wanted (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id)
  LEFT JOIN snapshots s ON NOT from_facts AND s.tenant_id = b.tenant_id AND s.book_id = b.book_id;
$$;
