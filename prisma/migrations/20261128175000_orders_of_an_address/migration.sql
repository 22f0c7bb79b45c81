-- The orders of a whole e-mail address. The index of its parts reads every order with the same provider.
CREATE INDEX order_ticket_group_buyer_email_idx ON ticketing.order_ticket_group (lower(buyer_email)) WHERE buyer_email IS NOT NULL;
