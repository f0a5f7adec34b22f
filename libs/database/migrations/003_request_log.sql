-- Up Migration

-- Not part of the book: a rebuild neither replaces nor copies it, so it has a schema of its own.
CREATE SCHEMA IF NOT EXISTS operations;

CREATE TABLE IF NOT EXISTS operations.request_log (
  tenant_id text NOT NULL,
  -- A UUID of version 7: it orders the requests of a Tenancy by time.
  request_id uuid NOT NULL,
  received_at bigint NOT NULL,
  duration_us integer NOT NULL,
  caller_request_id text,
  fp text NOT NULL,
  method text NOT NULL,
  -- Null where no route matched the path.
  route text,
  status smallint NOT NULL,
  code text,
  PRIMARY KEY (tenant_id, request_id)
);
COMMENT ON TABLE operations.request_log IS 'Answered requests, without their bodies. Deleted after thirty days.';

CREATE INDEX IF NOT EXISTS request_log_by_caller_request_id
  ON operations.request_log (tenant_id, caller_request_id, request_id) WHERE caller_request_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS request_log_by_age ON operations.request_log (received_at);

GRANT USAGE ON SCHEMA operations TO lending_service;
GRANT SELECT, INSERT, DELETE ON operations.request_log TO lending_service;
