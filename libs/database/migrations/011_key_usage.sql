-- Up Migration

-- Like the request log it is not part of a rebuild, which finds this table in place.
CREATE TABLE IF NOT EXISTS operations.key_usage (
  tenant_id text NOT NULL,
  fp text NOT NULL,
  -- Since 1970, in UTC.
  hour integer NOT NULL,
  requests bigint NOT NULL,
  last_received_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, fp, hour)
);
COMMENT ON TABLE operations.key_usage IS 'Logged requests of each key by the hour. Deleted after thirty days, like the request log.';
CREATE INDEX IF NOT EXISTS key_usage_by_hour ON operations.key_usage (hour);

GRANT SELECT, INSERT, UPDATE, DELETE ON operations.key_usage TO lending_service;
