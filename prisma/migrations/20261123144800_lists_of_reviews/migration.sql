-- New: lists of the orders that staff must review. The index of before had no query.
DROP INDEX ticketing.order_ticket_group_review_idx;
CREATE INDEX order_ticket_group_review_open_idx ON ticketing.order_ticket_group (created_at DESC, order_ticket_group_id DESC)
  WHERE review_reason IS NOT NULL AND review_resolved_at IS NULL;
CREATE INDEX order_ticket_group_review_idx ON ticketing.order_ticket_group (created_at DESC, order_ticket_group_id DESC)
  WHERE review_reason IS NOT NULL;
