-- Whoever follows nodes or the days of a ticket group is told of removals, too.
CREATE OR REPLACE FUNCTION media.announce_node() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('media_nodes', TG_ARGV[0] || '/' || coalesce(NEW.id, OLD.id));
  RETURN NULL;
END $$;
CREATE TRIGGER streamer_went AFTER DELETE ON media.streamer
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('streamer');
CREATE TRIGGER cache_node_went AFTER DELETE ON media.cache_node
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('cache');
CREATE TRIGGER load_balancer_node_went AFTER DELETE ON media.load_balancer_node
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('load-balancer');

CREATE OR REPLACE FUNCTION ticketing.announce_days() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ticketing_days', coalesce(NEW.ticket_group_id, OLD.ticket_group_id) || '/');
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_group_went AFTER DELETE ON ticketing.ticket_group
  FOR EACH ROW EXECUTE FUNCTION ticketing.announce_days();
