-- Broadcast channels take the same way as alerts: their slot (incarnation -1, target c) belongs to no card and has no activity row. The
-- payload's timestamp is the slot's stamp, which the projector never lets fall.
CREATE OR REPLACE FUNCTION claim_alerts(p_lane int, p_term bigint, p_now timestamptz, p_until timestamptz, p_app int[], p_order text[], p_device text[],
  p_incarnation int[], p_rev int[], p_claim uuid[])
RETURNS TABLE (i int, rev int, stamp bigint, body bytea) LANGUAGE plpgsql SET search_path = doorstep AS $$
DECLARE free int[];
BEGIN
  PERFORM FROM lane_lease l WHERE l.lane = p_lane AND l.role = 'w' AND l.term = p_term AND l.expires_at > p_now FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT array_agg(f.i) INTO free FROM (
    SELECT u.i::int AS i
    FROM unnest(p_app, p_order, p_device, p_incarnation, p_rev) WITH ORDINALITY u(app, order_id, device, incarnation, rev, i)
    JOIN slot s ON s.lane = p_lane AND s.app = u.app AND s.order_id = u.order_id AND s.device = u.device AND s.incarnation = u.incarnation AND s.target IN ('f', 'c')
    WHERE s.rev = u.rev AND s.claim IS NULL AND s.due_at <= p_now AND (s.expires_at IS NULL OR s.expires_at > p_now)
    FOR UPDATE OF s SKIP LOCKED) f;
  RETURN QUERY
    UPDATE slot s SET claim = p_claim[n], claim_rev = s.rev, claim_verb = s.verb, claim_generation = 0, term = p_term, until = p_until,
      stamp = greatest(s.stamp + 1, floor(extract(epoch FROM p_now))::bigint)
    FROM unnest(free) n
    WHERE s.lane = p_lane AND s.app = p_app[n] AND s.order_id = p_order[n] AND s.device = p_device[n] AND s.incarnation = p_incarnation[n] AND s.target IN ('f', 'c')
    RETURNING n, s.rev, s.stamp, s.body;
END $$;
