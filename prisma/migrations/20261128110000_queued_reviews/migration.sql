-- A payment that is to be reviewed while another one of its order is: its review begins when that one has ended.
ALTER TABLE "ticketing"."payment_event" ADD COLUMN     "waiting_review" "ticketing"."review_reason";
