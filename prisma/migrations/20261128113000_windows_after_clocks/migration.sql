-- Counts an attempt in several buckets, in their order, or in none: `numbers` are the counts, or else `refused_until` is when
-- the bucket that is full opens again. Everybody locks the buckets of a login in the same order. No window lasts longer than a
-- whole one from now: it would, after a clock was set back.
CREATE OR REPLACE FUNCTION auth.take_attempts(
  buckets text[], most int[], ends timestamptz[], moment timestamptz, OUT numbers int[], OUT refused_until timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  counted int;
BEGIN
  FOR i IN 1 .. cardinality(buckets) LOOP
    INSERT INTO auth.rate_limits AS l (bucket, failures, window_started_at, expires_at)
      VALUES (buckets[i], 1, moment, ends[i])
      ON CONFLICT (bucket) DO UPDATE SET
        failures = CASE WHEN l.expires_at <= moment THEN 1 ELSE l.failures + 1 END,
        window_started_at = CASE WHEN l.expires_at <= moment THEN moment ELSE l.window_started_at END,
        expires_at = CASE WHEN l.expires_at <= moment THEN ends[i] ELSE LEAST(l.expires_at, ends[i]) END
      WHERE l.expires_at <= moment OR l.failures < most[i]
      RETURNING l.failures INTO counted;
    IF NOT FOUND THEN
      UPDATE auth.rate_limits SET expires_at = ends[i] WHERE bucket = buckets[i] AND expires_at > ends[i];
      refused_until := (SELECT expires_at FROM auth.rate_limits WHERE bucket = buckets[i]);
      numbers := NULL;
      PERFORM auth.settle_attempts('{}', buckets[1 : i - 1]);
      RETURN;
    END IF;
    numbers := numbers || counted;
  END LOOP;
END
$$;
