-- Up Migration

-- Stored positions of lending.submissions never repeat, but the offsets of a topic that was made again begin at 0.
-- A stored position is log_start plus the offset in the present topic. A constant default rewrites no row.
ALTER TABLE partitions ADD COLUMN log_start bigint NOT NULL DEFAULT 0;
