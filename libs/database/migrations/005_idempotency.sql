-- Up Migration

-- What came of a request under an Idempotency-Key, answered to every identical repeat of it for a day. No facts: a
-- rebuild takes them over as they stand.
CREATE TABLE idempotency (
  tenant_id text NOT NULL,
  key text NOT NULL,
  -- SHA-256 of method, target and canonical body.
  request bytea NOT NULL,
  -- Null while the first attempt is under way.
  outcome text,
  -- Until when the outcome is answered; of an attempt, until when the key is kept from another request.
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key)
);
CREATE INDEX idempotency_by_end ON idempotency (ends_at);

-- What was done under a key though nobody was told of it.
CREATE INDEX evidence_by_key ON evidence (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency TO lending_service;
