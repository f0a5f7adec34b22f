-- Decisions and Facilities of one Client, newest first.
CREATE INDEX listed_by_book ON listed (tenant_id, listing, book_id, number);
