-- Whoever follows an order is told that a review of its payment begins or ends, too.
DROP TRIGGER order_ticket_group_announced ON ticketing.order_ticket_group;
CREATE TRIGGER order_ticket_group_announced
  AFTER UPDATE OF transaction_status, review_reason, review_resolved_at ON ticketing.order_ticket_group
  FOR EACH ROW WHEN (
    (OLD.transaction_status, OLD.review_reason, OLD.review_resolved_at)
    IS DISTINCT FROM (NEW.transaction_status, NEW.review_reason, NEW.review_resolved_at)
  )
  EXECUTE FUNCTION ticketing.announce_order();
