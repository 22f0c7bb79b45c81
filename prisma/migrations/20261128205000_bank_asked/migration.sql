-- When an expired message about the payment made us query the bank.
ALTER TABLE "ticketing"."order_ticket_group" ADD COLUMN "bank_asked_at" TIMESTAMPTZ(3);
