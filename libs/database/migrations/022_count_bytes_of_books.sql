-- Up Migration: in batches

-- A book that records a fact meanwhile has another sequence, and is counted by a later batch.
UPDATE books b SET fact_bytes = n.bytes
  FROM (SELECT k.tenant_id, k.book_id, k.sequence, (SELECT coalesce(sum(bytes_of_fact(f.kind, f.body::text)), 0) FROM facts f
      WHERE f.partition = k.partition AND f.tenant_id = k.tenant_id AND f.book_id = k.book_id) AS bytes
    FROM books k WHERE k.fact_bytes IS NULL ORDER BY k.tenant_id, k.book_id LIMIT 500) n
  WHERE b.tenant_id = n.tenant_id AND b.book_id = n.book_id AND b.sequence = n.sequence AND b.fact_bytes IS NULL;
