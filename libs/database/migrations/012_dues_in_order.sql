-- Up Migration

-- On a pay day everybody is due, and a page of dues takes its Clients in the order of their identifiers: who comes next is
-- found here, with the day that says whether they are due. Moved where books_due is moved, and never otherwise.

-- Commits stand still while the index is built. They would also while this waits for
-- somebody's long look at the table: better it fails then and is run again.
SET LOCAL lock_timeout = '2s';
CREATE INDEX books_in_order ON books (tenant_id, book_id COLLATE "C") INCLUDE (due_from);
SET LOCAL lock_timeout TO DEFAULT;
