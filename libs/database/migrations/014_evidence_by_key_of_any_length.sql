-- Up Migration

-- On most routes an Idempotency-Key is signed and ignored, however long it is; an index by the key itself refuses what is
-- longer than 2,704 bytes, and with it the whole commit. By its digest every key has a place. Commits wait while it is
-- built.
SET LOCAL lock_timeout = '2s';
CREATE INDEX evidence_by_digest ON evidence (tenant_id, hashtextextended(idempotency_key, 0)) WHERE idempotency_key IS NOT NULL;
-- Last, for nobody can read while this waits.
DROP INDEX evidence_by_key;
ALTER INDEX evidence_by_digest RENAME TO evidence_by_key;
SET LOCAL lock_timeout TO DEFAULT;
