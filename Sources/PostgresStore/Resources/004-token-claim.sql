-- By which of its claims a holder has a token value: the version of the holder's stream. An answer to an older claim is not taken for
-- one to a newer. A value that nobody holds and that is not dead has no row.
ALTER TABLE token_owner ADD COLUMN claim int NOT NULL DEFAULT 0;
