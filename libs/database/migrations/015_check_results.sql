-- Up Migration

-- Not part of the book: a rebuild neither replaces nor copies it, and finds it in place.
CREATE TABLE IF NOT EXISTS operations.check_results (
  name text PRIMARY KEY,
  finished_at timestamptz NOT NULL,
  findings bigint NOT NULL
);
COMMENT ON TABLE operations.check_results IS 'The newest complete run of each check of the cell that was started with --record.';

GRANT SELECT ON operations.check_results TO lending_service;
