-- Keys of callers, by the middle part of dk_ROLE_ID_SECRET; hash: keyed digest of the secret. apps, sources: what the key is bound to
-- (no source: not bound to one). A revoked key stays, so that its id is never given out again.
CREATE TABLE access_key (id text PRIMARY KEY, role text NOT NULL, hash bytea NOT NULL, apps int[] NOT NULL, sources int[] NOT NULL, note text NOT NULL,
  created_at timestamptz NOT NULL, revoked_at timestamptz);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN PERFORM create_reference_table('access_key'); END IF;
END $$;
