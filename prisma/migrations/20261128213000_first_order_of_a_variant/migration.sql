-- The first order of a day reads no orders of a variant that has a capacity: on the other days it may have sold many.
CREATE OR REPLACE FUNCTION ticketing.place_orders(orders jsonb[])
RETURNS TABLE (order_no text, result text, order_ticket_group_id bigint, delivery_id bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  the_group bigint := (orders[1]->>'ticketGroupId')::bigint;
  the_day date := (orders[1]->>'admitDate')::date;
  room int;
  taken_before int;
  is_closed boolean;
  variant_room jsonb;            -- item id → what is left, for variants with a capacity of their own
  known_keys jsonb;              -- customer/key → order id, from earlier calls
  keys_taken jsonb := '{}';      -- customer/key → order number, within this call
  accepted jsonb[] := '{}';
  refused jsonb[] := '{}';
  open_orders jsonb := '{}';     -- customer or network → orders that are not paid
  taken int := 0;
  is_free boolean := coalesce((orders[1]->>'isFree')::boolean, false) AND orders[1]->>'stamp' IS NOT NULL;
  an_order jsonb;
  the_key text;
  fits boolean;
BEGIN
  IF is_free AND EXISTS (SELECT 1 FROM unnest(orders) o WHERE o->>'totalAmountSen' <> '0') THEN
    RAISE 'a free order has a price';
  END IF;
  -- The group goes before its days, here and where staff changes both: they never wait for each other crosswise.
  PERFORM 1 FROM ticketing.ticket_group WHERE ticket_group_id = the_group FOR KEY SHARE;
  -- The first order of a day waits for whoever is changing the group: a new default counts for this day, too.
  IF NOT EXISTS (
    SELECT 1 FROM ticketing.daily_capacity WHERE ticket_group_id = the_group AND admit_date = the_day
  ) THEN
    INSERT INTO ticketing.daily_capacity (ticket_group_id, admit_date, capacity)
      SELECT ticket_group_id, the_day, daily_capacity FROM ticketing.ticket_group
      WHERE ticket_group_id = the_group FOR SHARE
      ON CONFLICT DO NOTHING;
  END IF;
  SELECT capacity - reserved, reserved, closed INTO STRICT room, taken_before, is_closed
    FROM ticketing.daily_capacity WHERE ticket_group_id = the_group AND admit_date = the_day FOR UPDATE;

  -- A variant that got a capacity only now has sold without one: count what it sold, if anything was sold that day.
  INSERT INTO ticketing.variant_daily_capacity (ticket_variant_id, admit_date, capacity, reserved)
    SELECT v.ticket_variant_id, the_day, greatest(v.daily_capacity, of_variant.sold), of_variant.sold
    FROM ticketing.ticket_variant v
    CROSS JOIN LATERAL (
      SELECT CASE WHEN taken_before > 0 THEN (
        SELECT coalesce(sum(i.quantity_bought), 0)::int
        FROM ticketing.order_ticket_group o JOIN ticketing.order_ticket_info i USING (order_ticket_group_id)
        WHERE o.ticket_group_id = the_group AND o.admit_date = the_day AND o.transaction_status <> 'FAILED'
          AND i.ticket_variant_id = v.ticket_variant_id
      ) ELSE 0 END AS sold
    ) of_variant
    WHERE v.ticket_group_id = the_group AND v.daily_capacity IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM ticketing.variant_daily_capacity c
        WHERE c.ticket_variant_id = v.ticket_variant_id AND c.admit_date = the_day
      )
    FOR SHARE OF v; -- as with the group
  SELECT coalesce(jsonb_object_agg(v.item_id, c.capacity - c.reserved), '{}') INTO variant_room
    FROM ticketing.ticket_variant v
    JOIN ticketing.variant_daily_capacity c ON c.ticket_variant_id = v.ticket_variant_id AND c.admit_date = the_day
    WHERE v.ticket_group_id = the_group;

  DELETE FROM ticketing.idempotency_key k USING unnest(orders) o
    WHERE k.cust_id = (o->>'custId')::uuid AND k.key = o->>'idempotencyKey' AND k.expires_at <= (o->>'placedAt')::timestamptz;
  SELECT coalesce(jsonb_object_agg(k.cust_id || '/' || k.key, k.order_ticket_group_id), '{}') INTO known_keys
    FROM ticketing.idempotency_key k
    JOIN unnest(orders) o ON k.cust_id = (o->>'custId')::uuid AND k.key = o->>'idempotencyKey';

  -- The calls of one buyer, and those of guests of one network, wait for each other, whatever their days, since their
  -- open orders are counted together; in one order, so that two calls never wait for each other crosswise.
  IF orders[1]->>'mostOpen' IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('open orders of ' || holder, 0))
      FROM (
        SELECT DISTINCT holder FROM unnest(orders) o, LATERAL (VALUES (o->>'custId'), (o->>'placedFrom')) AS h(holder)
        WHERE holder IS NOT NULL ORDER BY 1
      ) holders;
    SELECT coalesce(jsonb_object_agg(holder, open), '{}') INTO open_orders FROM (
      SELECT cust_id::text AS holder, count(*) AS open FROM ticketing.order_ticket_group
      WHERE cust_id IN (SELECT (o->>'custId')::uuid FROM unnest(orders) o) AND transaction_status IN ('INITIATED', 'PENDING')
      GROUP BY 1
      UNION ALL
      SELECT placed_from, count(*) FROM ticketing.order_ticket_group
      WHERE placed_from IN (SELECT o->>'placedFrom' FROM unnest(orders) o) AND transaction_status IN ('INITIATED', 'PENDING')
      GROUP BY 1
    ) counted;
  END IF;

  FOREACH an_order IN ARRAY orders LOOP
    the_key := (an_order->>'custId') || '/' || (an_order->>'idempotencyKey');
    IF known_keys ? the_key OR keys_taken ? the_key THEN
      refused := refused || (an_order || '{"result": "DUPLICATE"}');
      CONTINUE;
    END IF;
    IF is_closed THEN
      refused := refused || (an_order || '{"result": "CLOSED"}');
      CONTINUE;
    END IF;
    IF coalesce((open_orders->>(an_order->>'custId'))::int, 0) >= (an_order->>'mostOpen')::int THEN
      refused := refused || (an_order || '{"result": "TOO_MANY_OPEN"}');
      CONTINUE;
    END IF;
    IF coalesce((open_orders->>(an_order->>'placedFrom'))::int, 0) >= (an_order->>'mostOpenFrom')::int THEN
      refused := refused || (an_order || '{"result": "TOO_MANY_OPEN_FROM"}');
      CONTINUE;
    END IF;
    fits := (an_order->>'quantity')::int <= room;
    IF fits AND variant_room <> '{}' THEN
      SELECT bool_and(coalesce((variant_room->>item)::int, wanted) >= wanted) INTO fits FROM (
        SELECT i->>'itemId' AS item, sum((i->>'quantityBought')::int) AS wanted
        FROM jsonb_array_elements(an_order->'items') i GROUP BY 1
      ) lines;
      IF fits THEN
        SELECT variant_room || coalesce(jsonb_object_agg(item, (variant_room->>item)::int - wanted), '{}') INTO variant_room FROM (
          SELECT i->>'itemId' AS item, sum((i->>'quantityBought')::int) AS wanted
          FROM jsonb_array_elements(an_order->'items') i WHERE variant_room ? (i->>'itemId') GROUP BY 1
        ) lines;
      END IF;
    END IF;
    IF fits THEN
      room := room - (an_order->>'quantity')::int;
      taken := taken + (an_order->>'quantity')::int;
      accepted := accepted || an_order;
      IF an_order->>'mostOpen' IS NOT NULL THEN
        open_orders := open_orders || jsonb_build_object(
          an_order->>'custId', coalesce((open_orders->>(an_order->>'custId'))::int, 0) + 1
        );
        IF an_order->>'placedFrom' IS NOT NULL THEN
          open_orders := open_orders || jsonb_build_object(
            an_order->>'placedFrom', coalesce((open_orders->>(an_order->>'placedFrom'))::int, 0) + 1
          );
        END IF;
      END IF;
      IF the_key IS NOT NULL THEN
        keys_taken := keys_taken || jsonb_build_object(the_key, an_order->>'orderNo');
      END IF;
    ELSE
      refused := refused || (an_order || '{"result": "SOLD_OUT"}');
    END IF;
  END LOOP;

  IF taken > 0 THEN
    UPDATE ticketing.daily_capacity SET reserved = reserved + taken
      WHERE ticket_group_id = the_group AND admit_date = the_day;
    UPDATE ticketing.variant_daily_capacity c SET reserved = c.reserved + lines.wanted
      FROM (
        SELECT (i->>'ticketVariantId')::bigint AS variant_id, sum((i->>'quantityBought')::int) AS wanted
        FROM unnest(accepted) o, jsonb_array_elements(o->'items') i GROUP BY 1
      ) lines
      WHERE c.ticket_variant_id = lines.variant_id AND c.admit_date = the_day;
  END IF;

  -- A guest who orders without an id is written down with the order, or not at all.
  INSERT INTO ticketing.customer (cust_id, email, full_name, updated_at)
    SELECT (o->>'custId')::uuid, lower(o->>'buyerEmail'), o->>'buyerName', (o->>'placedAt')::timestamptz
    FROM unnest(accepted) o WHERE (o->>'isNewGuest')::boolean ORDER BY 1
    ON CONFLICT DO NOTHING;

  IF is_free THEN
    PERFORM pg_notify('ticketing_orders', o->>'orderNo') FROM unnest(accepted) o;
  END IF;

  RETURN QUERY
    WITH placed AS (
      INSERT INTO ticketing.order_ticket_group (
        ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen, lang_sent, transaction_id, order_no, bill_id,
        product_id, product_desc, total_amount_sen, quantity, msg_token, buyer_name, buyer_email, admit_date,
        placed_from, hold_expires_at, transaction_status, idempotency_key, created_at, updated_at
      )
      SELECT the_group, (o->>'organizationId')::uuid, (o->>'workspaceId')::uuid, (o->>'custId')::uuid, o->>'langChosen', o->>'langSent',
        (o->>'transactionId')::uuid, o->>'orderNo', o->>'billId', o->>'productId', o->>'productDesc',
        (o->>'totalAmountSen')::bigint, (o->>'quantity')::int, o->>'msgToken', o->>'buyerName', o->>'buyerEmail', the_day,
        CASE WHEN NOT is_free THEN o->>'placedFrom' END, CASE WHEN NOT is_free THEN (o->>'holdExpiresAt')::timestamptz END,
        (CASE WHEN is_free THEN 'FREE' ELSE 'INITIATED' END)::ticketing.transaction_status,
        o->>'idempotencyKey', (o->>'placedAt')::timestamptz, (o->>'placedAt')::timestamptz
      FROM unnest(accepted) WITH ORDINALITY AS a(o, n) ORDER BY n
      RETURNING order_ticket_group_id, order_no
    ), wanted AS (
      SELECT p.order_ticket_group_id AS id, p.order_no, o
      FROM placed p JOIN unnest(accepted) AS a(o) ON o->>'orderNo' = p.order_no
    ), items AS (
      INSERT INTO ticketing.order_ticket_info (
        order_ticket_info_id, order_ticket_group_id, ticket_variant_id, item_id, unit_price_sen, item_desc1, item_desc2,
        item_desc3, variant, quantity_bought, admit_date, encrypted_id
      )
      SELECT CASE WHEN is_free THEN (i->'issued'->>'id')::bigint ELSE nextval('ticketing.order_ticket_info_order_ticket_info_id_seq') END,
        w.id, (i->>'ticketVariantId')::bigint, i->>'itemId', (i->>'unitPriceSen')::bigint, i->>'itemDesc1',
        i->>'itemDesc2', i->>'itemDesc3', i->>'variant', (i->>'quantityBought')::int, the_day, i->'issued'->>'code'
      FROM wanted w, jsonb_array_elements(w.o->'items') WITH ORDINALITY AS l(i, n) ORDER BY w.id, n
    ), logs AS (
      INSERT INTO ticketing.order_ticket_log (order_ticket_group_id, performed_by, type, title, message, date)
      SELECT w.id, w.o->>'buyerName', 'order'::ticketing.order_log_type, 'Order placed', w.order_no, (w.o->>'placedAt')::timestamptz FROM wanted w
      UNION ALL
      SELECT w.id, 'system', 'order', 'Free order confirmed', w.order_no, (w.o->>'placedAt')::timestamptz FROM wanted w
      WHERE is_free
    ), tickets AS (
      INSERT INTO ticketing.ticket
        (ticket_id, order_ticket_group_id, order_ticket_info_id, ticket_group_id, serial, admit_date, code)
      SELECT (t->>'id')::bigint, w.id, (i->'issued'->>'id')::bigint, the_group, (t->>'serial')::int, the_day, t->>'code'
      FROM wanted w, jsonb_array_elements(w.o->'items') i, jsonb_array_elements(i->'issued'->'tickets') t WHERE is_free
    ), mails AS (
      INSERT INTO ticketing.delivery (order_ticket_group_id, kind, recipient, message_id)
      SELECT w.id, 'confirmation', w.o->>'buyerEmail', 'confirm.' || w.order_no FROM wanted w WHERE is_free ORDER BY w.id
      RETURNING order_ticket_group_id, delivery_id
    ), notifications AS (
      INSERT INTO ticketing.notification
        (performed_by, authority_level, type, title, message, date, organization_id, workspace_id, updated_at)
      SELECT w.o->>'buyerName', 'CUSTOMER', 'Order', 'Free order',
        (w.o->>'buyerName') || ' placed the free order ' || w.order_no || '.', w.o->>'stamp',
        (w.o->>'organizationId')::uuid, (w.o->>'workspaceId')::uuid, (w.o->>'placedAt')::timestamptz
      FROM wanted w WHERE is_free ORDER BY w.id
    ), keys AS (
      -- A key that another day's call takes at this moment makes this statement fail; the caller repeats it.
      INSERT INTO ticketing.idempotency_key (cust_id, key, body_hash, order_ticket_group_id, expires_at, created_at)
      SELECT (w.o->>'custId')::uuid, w.o->>'idempotencyKey', w.o->>'bodyHash', w.id,
        (w.o->>'placedAt')::timestamptz + interval '24 hours', (w.o->>'placedAt')::timestamptz
      FROM wanted w WHERE w.o->>'idempotencyKey' IS NOT NULL
    )
    SELECT w.order_no, 'OK', w.id, m.delivery_id
    FROM wanted w LEFT JOIN mails m ON m.order_ticket_group_id = w.id
    UNION ALL
    SELECT r->>'orderNo', r->>'result', coalesce(
      (known_keys->>((r->>'custId') || '/' || (r->>'idempotencyKey')))::bigint,
      (SELECT w.id FROM wanted w WHERE w.order_no = keys_taken->>((r->>'custId') || '/' || (r->>'idempotencyKey')))
    ), NULL FROM unnest(refused) AS f(r);
END $$;
