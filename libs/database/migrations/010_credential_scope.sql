-- Up Migration

-- Schema console is not part of a rebuild: these statements find it in its last state, as in 006.
ALTER TABLE console.one_time_links
  -- Tenancies that the issuer of the link administered. Null: an operator.
  ADD COLUMN IF NOT EXISTS scope text[];
ALTER TABLE console.persons
  -- That of the link by which the password was set: rights beyond it are not in force.
  ADD COLUMN IF NOT EXISTS credential_scope text[],
  -- While the person is disabled: the release before does not know is_disabled and must not find a password.
  ADD COLUMN IF NOT EXISTS disabled_password_hash text;
