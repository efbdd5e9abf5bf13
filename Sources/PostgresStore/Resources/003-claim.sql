-- Claims due slots of one lane under its term. What was replaced meanwhile, is claimed, or is not due is left out; so is
-- everything when the lease is not ours any more. A start is recorded as a fact in the same transaction, with the id of
-- its attempt: where that attempt is in the log already, nothing is claimed and nothing is sent.
-- Rows are locked in key order, as the projector writes them.
CREATE FUNCTION claim_slots(p_lane int, p_term bigint, p_now timestamptz, p_until timestamptz, p_day int, p_app int[], p_order text[],
  p_device text[], p_incarnation int[], p_rev int[], p_claim uuid[], p_key uuid[], p_print uuid[], p_skey uuid[], p_source int[], p_id text[], p_body bytea[])
RETURNS TABLE (i int, rev int, stamp bigint, body bytea, token bytea, generation int) LANGUAGE plpgsql SET search_path = doorstep AS $$
DECLARE won int[]; starts int[]; refused int[];
BEGIN
  PERFORM FROM lane_lease l WHERE l.lane = p_lane AND l.role = 'w' AND l.term = p_term AND l.expires_at > p_now;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM FROM slot s JOIN unnest(p_app, p_order, p_device, p_incarnation) u(app, order_id, device, incarnation)
    ON s.app = u.app AND s.order_id = u.order_id AND s.device = u.device AND s.incarnation = u.incarnation
    WHERE s.lane = p_lane AND s.target = 'a' ORDER BY s.app, s.order_id, s.device, s.incarnation FOR UPDATE OF s;
  WITH claimed AS (
    UPDATE slot s SET claim = u.claim, claim_rev = s.rev, claim_generation = a.token_generation, term = p_term, until = p_until,
        stamp = greatest(s.stamp + 1, a.last_stamp + 1, floor(extract(epoch FROM p_now))::bigint)
      FROM unnest(p_app, p_order, p_device, p_incarnation, p_rev, p_claim) WITH ORDINALITY u(app, order_id, device, incarnation, rev, claim, i), activity a
      WHERE s.lane = p_lane AND s.app = u.app AND s.order_id = u.order_id AND s.device = u.device AND s.incarnation = u.incarnation AND s.target = 'a'
        AND s.rev = u.rev AND s.claim IS NULL AND s.due_at <= p_now AND (s.expires_at IS NULL OR s.expires_at > p_now)
        AND a.lane = p_lane AND a.app = u.app AND a.order_id = u.order_id AND a.device = u.device AND a.incarnation = u.incarnation
      RETURNING u.i::int AS i, s.verb AS verb)
  SELECT array_agg(c.i), array_agg(c.i) FILTER (WHERE c.verb = 's') INTO won, starts FROM claimed c;
  IF starts IS NOT NULL THEN
    SELECT array_agg(starts[r.i]) INTO refused
      FROM append(p_lane, 0, p_day, p_now,
        ARRAY(SELECT p_key[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k), ARRAY(SELECT p_print[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k),
        array_fill(NULL::int, ARRAY[cardinality(starts)]), array_fill(0, ARRAY[cardinality(starts)]),
        ARRAY(SELECT p_skey[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k), ARRAY(SELECT p_app[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k),
        ARRAY(SELECT p_source[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k), array_fill('o'::"char", ARRAY[cardinality(starts)]),
        ARRAY(SELECT p_order[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k), array_fill('push.start_claimed'::text, ARRAY[cardinality(starts)]),
        ARRAY(SELECT p_id[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k), array_fill(NULL::timestamptz, ARRAY[cardinality(starts)]),
        array_fill(0, ARRAY[cardinality(starts)]), ARRAY(SELECT p_body[n] FROM unnest(starts) WITH ORDINALITY o(n, k) ORDER BY k),
        array_fill(NULL::bytea, ARRAY[cardinality(starts)]), array_fill(NULL::bytea, ARRAY[cardinality(starts)]), array_fill(NULL::text, ARRAY[cardinality(starts)])) r
      WHERE r.outcome <> 'n';
    IF refused IS NOT NULL THEN
      UPDATE slot s SET claim = NULL, until = NULL FROM unnest(refused) n WHERE s.lane = p_lane AND s.app = p_app[n] AND s.order_id = p_order[n]
        AND s.device = p_device[n] AND s.incarnation = p_incarnation[n] AND s.target = 'a' AND s.claim = p_claim[n];
    END IF;
  END IF;
  RETURN QUERY SELECT w.n, s.rev, s.stamp, s.body, a.token, a.token_generation
    FROM unnest(won) w(n), slot s, activity a
    WHERE NOT (w.n = ANY(coalesce(refused, '{}'))) AND s.lane = p_lane AND s.app = p_app[w.n] AND s.order_id = p_order[w.n] AND s.device = p_device[w.n]
      AND s.incarnation = p_incarnation[w.n] AND s.target = 'a' AND a.lane = p_lane AND a.app = p_app[w.n] AND a.order_id = p_order[w.n]
      AND a.device = p_device[w.n] AND a.incarnation = p_incarnation[w.n];
END $$;
