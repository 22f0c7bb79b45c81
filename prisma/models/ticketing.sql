-- What the models of ticketing can't express.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

-- Nothing is sold twice, and nothing is given back twice.
ALTER TABLE ticketing.daily_capacity
  ADD CONSTRAINT daily_capacity_reserved_within CHECK (0 <= reserved AND reserved <= capacity);
ALTER TABLE ticketing.variant_daily_capacity
  ADD CONSTRAINT variant_daily_capacity_reserved_within CHECK (0 <= reserved AND reserved <= capacity);

ALTER TABLE ticketing.ticket_group
  ADD CONSTRAINT ticket_group_limits CHECK (
    order_ticket_limit BETWEEN 1 AND 255 AND daily_capacity >= 0 AND max_advance_days >= 0
    AND closed_weekdays <@ ARRAY[1, 2, 3, 4, 5, 6, 7]
    AND sales_cutoff ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    AND active_start_date <= active_end_date
  );
ALTER TABLE ticketing.ticket_variant
  ADD CONSTRAINT ticket_variant_price CHECK (unit_price_sen >= 0 AND daily_capacity >= 0);

ALTER TABLE ticketing.customer
  ADD CONSTRAINT customer_email_lower CHECK (email = lower(email)),
  ADD CONSTRAINT customer_login_has_user CHECK (has_login = (idp_user_id IS NOT NULL));
CREATE UNIQUE INDEX customer_login_email_key ON ticketing.customer (email) WHERE has_login;

ALTER TABLE ticketing.order_ticket_group
  ADD CONSTRAINT order_ticket_group_values CHECK (
    quantity > 0 AND total_amount_sen >= 0 AND currency = 'MYR'
    AND msg_token IN ('01', '02') AND lang_chosen IN ('bm', 'en', 'cn')
  ),
  ADD CONSTRAINT order_ticket_group_free CHECK (transaction_status <> 'FREE' OR total_amount_sen = 0),
  ADD CONSTRAINT order_ticket_group_paid CHECK (
    transaction_status <> 'SUCCESS' OR (paid_at IS NOT NULL AND gateway_transaction_id IS NOT NULL)
  );
ALTER TABLE ticketing.order_ticket_info
  ADD CONSTRAINT order_ticket_info_values CHECK (quantity_bought > 0 AND unit_price_sen >= 0);
ALTER TABLE ticketing.payment_event
  ADD CONSTRAINT payment_event_values CHECK (
    source IN ('return', 'requery')
    AND outcome IN ('SUCCEEDED', 'FAILED', 'WAITING', 'UNCHANGED', 'REVIEW')
  );
ALTER TABLE ticketing.payment_token
  ADD CONSTRAINT payment_token_hash_is_sha256 CHECK (length(token_hash) = 32);

ALTER TABLE ticketing.campaign
  ADD CONSTRAINT campaign_dates CHECK (start_date <= end_date);
ALTER TABLE ticketing.advertising_ticket
  ADD CONSTRAINT advertising_ticket_values CHECK (
    color ~ '^#[0-9A-Fa-f]{6}$' AND active_start_date <= active_end_date
  );
ALTER TABLE ticketing.notification
  ADD CONSTRAINT notification_values CHECK (
    authority_level IN ('ADMIN', 'SYSADMIN', 'MEMBER', 'CUSTOMER', 'system')
    AND type IN ('Customer', 'Password reset', 'Admin Account Profile', 'Admin Management', 'Order', 'Report')
    AND date ~ '^[0-9]{2}-[0-9]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$'
  );

-- The orders that the expiry job reads each minute.
CREATE INDEX order_ticket_group_expiring_idx ON ticketing.order_ticket_group (hold_expires_at)
  WHERE transaction_status IN ('INITIATED', 'PENDING') AND review_reason IS NULL;
CREATE INDEX order_ticket_group_open_idx ON ticketing.order_ticket_group (cust_id)
  WHERE transaction_status IN ('INITIATED', 'PENDING');
CREATE INDEX order_ticket_group_open_from_idx ON ticketing.order_ticket_group (placed_from)
  WHERE transaction_status IN ('INITIATED', 'PENDING') AND placed_from IS NOT NULL;
-- The orders that staff must review, and all that it had to, in the order of lists of orders.
CREATE INDEX order_ticket_group_review_open_idx ON ticketing.order_ticket_group (created_at DESC, order_ticket_group_id DESC)
  WHERE review_reason IS NOT NULL AND review_resolved_at IS NULL;
CREATE INDEX order_ticket_group_review_idx ON ticketing.order_ticket_group (created_at DESC, order_ticket_group_id DESC)
  WHERE review_reason IS NOT NULL;
-- A workspace is of one organization. Without these, PostgreSQL takes the rows of an organization's workspaces for a small part of
-- what they are, and sorts all of them for a page.
CREATE STATISTICS ticketing.ticket_group_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.ticket_group;
CREATE STATISTICS ticketing.advertising_ticket_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.advertising_ticket;
CREATE STATISTICS ticketing.campaign_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.campaign;
CREATE STATISTICS ticketing.order_ticket_group_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.order_ticket_group;
CREATE STATISTICS ticketing.notification_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.notification;
-- Organizations have tags of their own. Without this, PostgreSQL takes those for fewer than they are, and sorts all for a page.
CREATE STATISTICS ticketing.ticket_group_tag_owner (dependencies, mcv) ON organization_id, tag FROM ticketing.ticket_group_tag;
-- Free text search of the management list (ILIKE '%…%'). Partial, so that the drift test, which knows
-- no operator classes, leaves them alone.
CREATE INDEX order_ticket_group_order_no_trgm_idx ON ticketing.order_ticket_group
  USING gin (order_no public.gin_trgm_ops) WHERE order_no IS NOT NULL;
CREATE INDEX order_ticket_group_buyer_name_trgm_idx ON ticketing.order_ticket_group
  USING gin (buyer_name public.gin_trgm_ops) WHERE buyer_name IS NOT NULL;
CREATE INDEX order_ticket_group_buyer_email_trgm_idx ON ticketing.order_ticket_group
  USING gin (buyer_email public.gin_trgm_ops) WHERE buyer_email IS NOT NULL;
-- A whole e-mail address. The index of its parts reads every order with the same provider.
CREATE INDEX order_ticket_group_buyer_email_idx ON ticketing.order_ticket_group (lower(buyer_email)) WHERE buyer_email IS NOT NULL;
CREATE INDEX notification_listed_idx ON ticketing.notification (organization_id, position DESC) WHERE NOT is_deleted;
CREATE INDEX notification_unread_idx ON ticketing.notification (organization_id)
  WHERE NOT is_read AND NOT is_deleted;
CREATE INDEX delivery_queued_idx ON ticketing.delivery (created_at) WHERE state = 'QUEUED';

-- The tags of what is on offer, in the order of its list: a page with a tag is a range of an index, whether few have it or most.
CREATE OR REPLACE FUNCTION ticketing.list_tags() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ticketing.ticket_group_tag WHERE ticket_group_id = NEW.ticket_group_id;
  INSERT INTO ticketing.ticket_group_tag (ticket_group_id, tag, organization_id, placement)
    SELECT DISTINCT NEW.ticket_group_id, tag, NEW.organization_id, NEW.placement FROM unnest(NEW.tags) tag
    WHERE NEW.is_active AND tag IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_group_tags_listed
  AFTER INSERT OR UPDATE OF tags, is_active, organization_id, placement ON ticketing.ticket_group
  FOR EACH ROW EXECUTE FUNCTION ticketing.list_tags();

-- Places orders of one ticket group and one admission day, in the order of the array, each as a whole or
-- not at all. The row of the day is locked once for all of them; a lock held for one statement is what
-- makes a hot day fast (design: reservation).
--
-- result: OK | SOLD_OUT | CLOSED | DUPLICATE (its idempotency key was used; the id is of the order made then) |
-- TOO_MANY_OPEN (the buyer has as many unpaid orders as `mostOpen` allows; without it nobody counts) |
-- TOO_MANY_OPEN_FROM (guests of the network `placedFrom` have as many as `mostOpenFrom` allows).
--
-- Orders that cost nothing (`isFree`) are FREE at once, with their tickets, which were signed before, a mail to be
-- enqueued (`delivery_id`), and what staff is told, at the moment `stamp`. Without a stamp their caller is a process of an
-- earlier version, which confirms them itself.
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

-- Gives back what an order took. The caller has just moved it out of a status that holds capacity.
CREATE OR REPLACE FUNCTION ticketing.release_capacity(the_order bigint) RETURNS void
LANGUAGE sql AS $$
  UPDATE ticketing.daily_capacity c SET reserved = c.reserved - o.quantity
    FROM ticketing.order_ticket_group o
    WHERE o.order_ticket_group_id = the_order AND c.ticket_group_id = o.ticket_group_id AND c.admit_date = o.admit_date;
  UPDATE ticketing.variant_daily_capacity c SET reserved = c.reserved - lines.bought
    FROM (
      SELECT ticket_variant_id, admit_date, sum(quantity_bought) AS bought FROM ticketing.order_ticket_info
      WHERE order_ticket_group_id = the_order GROUP BY 1, 2
    ) lines
    WHERE c.ticket_variant_id = lines.ticket_variant_id AND c.admit_date = lines.admit_date;
$$;

-- Takes the capacity of an order once more, for a payment that came after it was given back.
-- False: it no longer fits, and nothing was taken.
CREATE OR REPLACE FUNCTION ticketing.retake_capacity(the_order bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  fits boolean;
BEGIN
  UPDATE ticketing.daily_capacity c SET reserved = c.reserved + o.quantity
    FROM ticketing.order_ticket_group o
    WHERE o.order_ticket_group_id = the_order AND c.ticket_group_id = o.ticket_group_id AND c.admit_date = o.admit_date
      AND c.reserved + o.quantity <= c.capacity AND NOT c.closed;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE ticketing.variant_daily_capacity c SET reserved = c.reserved + lines.bought
    FROM (
      SELECT ticket_variant_id, admit_date, sum(quantity_bought) AS bought FROM ticketing.order_ticket_info
      WHERE order_ticket_group_id = the_order GROUP BY 1, 2
    ) lines
    WHERE c.ticket_variant_id = lines.ticket_variant_id AND c.admit_date = lines.admit_date;
  RETURN true;
EXCEPTION WHEN check_violation THEN
  RETURN false; -- a variant is full: the block undoes what it did
END $$;

-- Events for subscribers, whichever process made the change: they are published with the commit.

CREATE OR REPLACE FUNCTION ticketing.announce_order() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ticketing_orders', NEW.order_no);
  RETURN NULL;
END $$;
CREATE TRIGGER order_ticket_group_announced
  AFTER UPDATE OF transaction_status, review_reason, review_resolved_at ON ticketing.order_ticket_group
  FOR EACH ROW WHEN (
    (OLD.transaction_status, OLD.review_reason, OLD.review_resolved_at)
    IS DISTINCT FROM (NEW.transaction_status, NEW.review_reason, NEW.review_resolved_at)
  )
  EXECUTE FUNCTION ticketing.announce_order();

-- Where an order came from is kept as long as open orders are counted, and no longer.
CREATE OR REPLACE FUNCTION ticketing.forget_network() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.placed_from := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER order_ticket_group_network_forgotten
  BEFORE UPDATE OF transaction_status ON ticketing.order_ticket_group
  FOR EACH ROW WHEN (NEW.placed_from IS NOT NULL AND NEW.transaction_status NOT IN ('INITIATED', 'PENDING'))
  EXECUTE FUNCTION ticketing.forget_network();

-- The payload is the ticket group and the day; without a day it is about all of them.
CREATE OR REPLACE FUNCTION ticketing.announce_day() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ticketing_days', NEW.ticket_group_id || '/' || NEW.admit_date);
  RETURN NULL;
END $$;
CREATE TRIGGER daily_capacity_announced
  AFTER INSERT OR UPDATE ON ticketing.daily_capacity
  FOR EACH ROW EXECUTE FUNCTION ticketing.announce_day();

CREATE OR REPLACE FUNCTION ticketing.announce_days() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ticketing_days', coalesce(NEW.ticket_group_id, OLD.ticket_group_id) || '/');
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_group_announced
  AFTER UPDATE ON ticketing.ticket_group
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW)
  EXECUTE FUNCTION ticketing.announce_days();
CREATE TRIGGER ticket_group_went AFTER DELETE ON ticketing.ticket_group
  FOR EACH ROW EXECUTE FUNCTION ticketing.announce_days();
CREATE TRIGGER ticket_variant_announced AFTER INSERT OR UPDATE OR DELETE ON ticketing.ticket_variant
  FOR EACH ROW EXECUTE FUNCTION ticketing.announce_days();

-- Ids are given when a row is written, and transactions commit in another order: a reader who goes by ids would
-- miss the slower one. So a notification gets its position at the end of its transaction, one at a time: the lock
-- is held until the commit can be seen. At the end nothing else is left to wait for, so it makes no deadlocks.
CREATE SEQUENCE ticketing.notification_position_seq OWNED BY ticketing.notification.position;

CREATE OR REPLACE FUNCTION ticketing.place_notification() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ticketing.notification'));
  UPDATE ticketing.notification SET position = nextval('ticketing.notification_position_seq')
    WHERE notification_id = NEW.notification_id;
  PERFORM pg_notify('ticketing_notifications', coalesce(NEW.organization_id::text, ''));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER notification_placed
  AFTER INSERT ON ticketing.notification DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION ticketing.place_notification();
