-- Up Migration

-- What a developer who searches for a failed request needs to see. Null in rows of the release before this one.
-- A rebuild applies the migrations to its shadow schema, and finds these columns in place.
ALTER TABLE operations.request_log
  -- The beginning of path and query.
  ADD COLUMN IF NOT EXISTS target text,
  ADD COLUMN IF NOT EXISTS contract_version text,
  -- The member of the request that a refusal is about.
  ADD COLUMN IF NOT EXISTS field text,
  -- Where the time went, as in the header Server-Timing.
  ADD COLUMN IF NOT EXISTS queue_us integer,
  ADD COLUMN IF NOT EXISTS conn_us integer,
  ADD COLUMN IF NOT EXISTS db_us integer,
  ADD COLUMN IF NOT EXISTS derive_us integer,
  ADD COLUMN IF NOT EXISTS submit_us integer;
