-- AlterTable
ALTER TABLE "ticketing"."notification" ADD COLUMN     "position" BIGINT;

-- CreateIndex
CREATE UNIQUE INDEX "notification_position_key" ON "ticketing"."notification"("position");

DROP INDEX ticketing.notification_listed_idx;
CREATE INDEX notification_listed_idx ON ticketing.notification (organization_id, position DESC) WHERE NOT is_deleted;

-- What subscribers hear of, from whichever process and whatever changed it: it leaves with the commit, and not
-- without it.

CREATE OR REPLACE FUNCTION ticketing.announce_order() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ticketing_orders', NEW.order_no);
  RETURN NULL;
END $$;
CREATE TRIGGER order_ticket_group_announced
  AFTER UPDATE OF transaction_status ON ticketing.order_ticket_group
  FOR EACH ROW WHEN (OLD.transaction_status IS DISTINCT FROM NEW.transaction_status)
  EXECUTE FUNCTION ticketing.announce_order();

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
  PERFORM pg_notify('ticketing_days', NEW.ticket_group_id || '/');
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_group_announced
  AFTER UPDATE ON ticketing.ticket_group
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW)
  EXECUTE FUNCTION ticketing.announce_days();

-- Ids are given when a row is written, and transactions commit in another order: a reader who goes by ids would
-- miss the slower one. So a notification gets its position at the end of its transaction, one at a time: the lock
-- is held until the commit can be seen. At the end nothing else is left to wait for, so it makes no deadlocks.
CREATE SEQUENCE ticketing.notification_position_seq OWNED BY ticketing.notification.position;

-- What is there already is in the order of its ids.
UPDATE ticketing.notification n SET position = placed.position
  FROM (SELECT notification_id, row_number() OVER (ORDER BY notification_id) AS position FROM ticketing.notification) placed
  WHERE n.notification_id = placed.notification_id;
SELECT setval('ticketing.notification_position_seq', count(*) + 1, false) FROM ticketing.notification;

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
