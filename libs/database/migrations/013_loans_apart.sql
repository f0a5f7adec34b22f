-- Up Migration

-- Whoever lists Loans means those that were lent: what is only held, or was voided, stands in indexes of its own, so that a
-- page does not go past it. Each Loan is in as many indexes as before, and moved from one to the other where its state
-- takes it there; a change of state, a few in a Loan's life, is written to every index of its row. The Loans of one Client
-- stay together: they are no more than one book holds.

-- Commits stand still while the indexes are built. They would also while this waits for
-- somebody's long look at the table: better it fails then and is run again.
SET LOCAL lock_timeout = '2s';
CREATE INDEX lent_newest ON loans (tenant_id, number DESC) WHERE state NOT IN ('held', 'voided');
CREATE INDEX lent_of_configuration ON loans (tenant_id, configuration_id, number DESC)
  WHERE state NOT IN ('held', 'voided');
CREATE INDEX lent_of_merchant ON loans (tenant_id, merchant_ref, number DESC)
  WHERE merchant_ref IS NOT NULL AND state NOT IN ('held', 'voided');

CREATE INDEX unlent_newest ON loans (tenant_id, number DESC) WHERE state IN ('held', 'voided');
CREATE INDEX unlent_of_configuration ON loans (tenant_id, configuration_id, number DESC)
  WHERE state IN ('held', 'voided');
CREATE INDEX unlent_of_merchant ON loans (tenant_id, merchant_ref, number DESC)
  WHERE merchant_ref IS NOT NULL AND state IN ('held', 'voided');
-- Last, for nobody can read while this waits to be committed.
DROP INDEX loans_newest, loans_of_configuration, loans_of_merchant;
SET LOCAL lock_timeout TO DEFAULT;
