-- Up Migration

-- A partition can move to another database (decision 0090).

COMMENT ON TABLE partition_placement IS 'In the home database: where the partitions are that are not there. In another one: the partitions that have left it.';

CREATE TABLE partition_number_ranges (
  partition smallint NOT NULL,
  -- Of a database in which the partition was before: rows that it wrote there keep the numbers of that database.
  number smallint NOT NULL,
  PRIMARY KEY (partition, number)
);
COMMENT ON TABLE partition_number_ranges IS 'Where moved partitions were before. All rows are in the home database; another one has those of the partitions that came or left.';

GRANT SELECT ON partition_number_ranges TO lending_service;
