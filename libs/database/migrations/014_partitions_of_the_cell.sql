-- Up Migration: in batches

-- `lending prepare` creates as many as the cell has. Those of the first migration go, so that no service starts with another number.
DELETE FROM partitions WHERE NOT EXISTS (SELECT 1 FROM partitions WHERE epoch > 0 OR next_offset > 0 OR next_event > 1);
