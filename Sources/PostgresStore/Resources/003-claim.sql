-- Claims due slots of one lane under its term, and answers with those it got, by their place in the arguments.
-- Left out: what was replaced meanwhile (other revision), is claimed, is not due, is over, or is being written this moment: the claim
-- never waits for the projector, so the two cannot wait for each other in a circle. Everything is left out when the term is not the
-- lane's; the lease row stays locked until the commit, so a claim of an old term cannot appear after a take-over.
-- A start is recorded as a fact in the same transaction, with the id of its attempt: where that attempt is in the log already, the slot
-- is not claimed and nothing is sent.
CREATE FUNCTION claim_slots(p_lane int, p_term bigint, p_now timestamptz, p_until timestamptz, p_day int, p_app int[], p_order text[],
  p_device text[], p_incarnation int[], p_rev int[], p_claim uuid[], p_key uuid[], p_print uuid[], p_skey uuid[], p_source int[], p_id text[], p_body bytea[])
RETURNS TABLE (i int, rev int, stamp bigint, body bytea, token bytea, generation int) LANGUAGE plpgsql SET search_path = doorstep AS $$
DECLARE free int[]; starts int[]; refused int[];
BEGIN
  PERFORM FROM lane_lease l WHERE l.lane = p_lane AND l.role = 'w' AND l.term = p_term AND l.expires_at > p_now FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT array_agg(f.i), array_agg(f.i ORDER BY f.i) FILTER (WHERE f.verb = 's') INTO free, starts FROM (
    SELECT u.i::int AS i, s.verb
    FROM unnest(p_app, p_order, p_device, p_incarnation, p_rev) WITH ORDINALITY u(app, order_id, device, incarnation, rev, i)
    JOIN slot s ON s.lane = p_lane AND s.app = u.app AND s.order_id = u.order_id AND s.device = u.device AND s.incarnation = u.incarnation AND s.target = 'a'
    WHERE s.rev = u.rev AND s.claim IS NULL AND s.due_at <= p_now AND (s.expires_at IS NULL OR s.expires_at > p_now)
    FOR UPDATE OF s SKIP LOCKED) f;
  IF starts IS NOT NULL THEN
    SELECT array_agg(starts[r.i]) INTO refused FROM (
      SELECT array_agg(p_key[n] ORDER BY n) AS key, array_agg(p_print[n] ORDER BY n) AS print, array_agg(NULL::int) AS expect, array_agg(0) AS zero,
        array_agg(p_skey[n] ORDER BY n) AS skey, array_agg(p_app[n] ORDER BY n) AS app, array_agg(p_source[n] ORDER BY n) AS source,
        array_agg('o'::"char") AS kind, array_agg(p_order[n] ORDER BY n) AS stream, array_agg('push.start_claimed'::text) AS type,
        array_agg(p_id[n] ORDER BY n) AS id, array_agg(NULL::timestamptz) AS occurred, array_agg(p_body[n] ORDER BY n) AS body,
        array_agg(NULL::bytea) AS none, array_agg(NULL::text) AS actor FROM unnest(starts) n) f,
      append(p_lane, 0, p_day, p_now, f.key, f.print, f.expect, f.zero, f.skey, f.app, f.source, f.kind, f.stream, f.type, f.id, f.occurred, f.zero,
        f.body, f.none, f.none, f.actor) r
    WHERE r.outcome <> 'n';
  END IF;
  RETURN QUERY
    UPDATE slot s SET claim = p_claim[n], claim_rev = s.rev, claim_verb = s.verb, claim_generation = a.token_generation, term = p_term, until = p_until,
      stamp = greatest(s.stamp + 1, a.last_stamp + 1, floor(extract(epoch FROM p_now))::bigint)
    FROM unnest(free) n, activity a
    WHERE s.lane = p_lane AND s.app = p_app[n] AND s.order_id = p_order[n] AND s.device = p_device[n] AND s.incarnation = p_incarnation[n] AND s.target = 'a'
      AND a.lane = p_lane AND a.app = p_app[n] AND a.order_id = p_order[n] AND a.device = p_device[n] AND a.incarnation = p_incarnation[n]
      AND n <> ALL (coalesce(refused, '{}'))
    RETURNING n, s.rev, s.stamp, s.body, a.token, a.token_generation;
END $$;

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN RETURN; END IF;
  PERFORM create_distributed_function(p.oid::regprocedure, 'p_lane', colocate_with => 'doorstep.lane_head') FROM pg_proc p WHERE proname = 'claim_slots' AND pronamespace = 'doorstep'::regnamespace;
END $$;
