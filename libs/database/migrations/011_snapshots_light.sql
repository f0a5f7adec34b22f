-- Up Migration

-- A snapshot is written often and read seldom, and compressing it Postgres's own way took a tenth of all that the server
-- did under a load of receipts. Where the server was built with lz4 that is taken, and whatever takes its place one day,
-- a replica or a server restored to, must have it as well; elsewhere snapshots are not compressed any more. What was
-- written before stays as it was written until it is written again.

-- Every commit with a snapshot would wait behind this waiting for somebody's long look at the table: better it fails and
-- is run again.
SET LOCAL lock_timeout = '2s';
DO $$ BEGIN
  ALTER TABLE snapshots ALTER COLUMN data SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  ALTER TABLE snapshots ALTER COLUMN data SET STORAGE EXTERNAL;
END $$;
SET LOCAL lock_timeout TO DEFAULT;
