-- Up Migration

-- What the instances of a cell have in common and nobody configured. The key of cursors: given out once, good for ever.
CREATE TABLE cell_secrets (
  name text PRIMARY KEY,
  secret bytea NOT NULL
);
INSERT INTO cell_secrets (name, secret)
  VALUES ('cursors', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

-- The products of a Tenancy, newest first: their number is the end of their identifier.
CREATE INDEX configurations_newest ON configurations (tenant_id, (substr(configuration_id, 5)) DESC) WHERE version = 1;

GRANT SELECT ON cell_secrets TO lending_service;
