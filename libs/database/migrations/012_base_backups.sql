-- Up Migration

-- Not part of the book: a rebuild neither replaces nor copies it, and finds it in place.
CREATE TABLE IF NOT EXISTS operations.base_backups (
  -- The name of the server in the store of backups.
  server text PRIMARY KEY,
  finished_at timestamptz NOT NULL
);
COMMENT ON TABLE operations.base_backups IS 'The newest complete base backup, written by backup.sh.';

GRANT SELECT ON operations.base_backups TO lending_service;
