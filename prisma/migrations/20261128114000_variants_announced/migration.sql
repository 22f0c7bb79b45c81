-- Kinds of admission decide, too, whether a day is available.
CREATE TRIGGER ticket_variant_announced AFTER INSERT OR UPDATE OR DELETE ON ticketing.ticket_variant
  FOR EACH ROW EXECUTE FUNCTION ticketing.announce_days();
