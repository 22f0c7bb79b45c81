-- What the Prisma schema can't express about media.
ALTER TABLE media.media
  ADD CONSTRAINT media_file_size_not_negative CHECK (file_size >= 0),
  ADD CONSTRAINT media_progress_is_percent CHECK (progress BETWEEN 0 AND 100),
  ADD CONSTRAINT media_failed_says_why CHECK (
    (status <> 'failed' AND transcoding_stage <> 'failed') OR failure_reason IS NOT NULL),
  ADD CONSTRAINT media_ladder_is_published_whole CHECK ((manifest_key IS NULL) = (smil_key IS NULL));

ALTER TABLE media.upload_token
  ADD CONSTRAINT upload_token_used_is_bound CHECK (used_at IS NULL OR upload_id IS NOT NULL),
  ADD CONSTRAINT upload_token_file_size_not_negative CHECK (file_size >= 0);

ALTER TABLE media.upload
  ADD CONSTRAINT upload_size_not_negative CHECK (size >= 0),
  ADD CONSTRAINT upload_finished_has_time CHECK (state NOT IN ('finished', 'completed') OR finished_at IS NOT NULL),
  ADD CONSTRAINT upload_rejected_says_why CHECK (state <> 'rejected' OR reason IS NOT NULL);

-- The items that the job that records objects has left to do.
CREATE INDEX media_objects_not_recorded ON media.media (id) WHERE NOT objects_recorded;

CREATE UNIQUE INDEX transcoding_profile_one_default ON media.transcoding_profile (category) WHERE is_default;

ALTER TABLE media.rendition
  ADD CONSTRAINT rendition_height_positive CHECK (height > 0),
  ADD CONSTRAINT rendition_bitrates_positive CHECK (video_bitrate_kbps > 0 AND audio_bitrate_kbps > 0);

ALTER TABLE media.streamer
  ADD CONSTRAINT streamer_ports CHECK (http_port BETWEEN 1 AND 65535 AND api_port BETWEEN 1 AND 65535);
ALTER TABLE media.cache_node
  ADD CONSTRAINT cache_node_ports CHECK (http_port BETWEEN 1 AND 65535 AND api_port BETWEEN 1 AND 65535);
ALTER TABLE media.load_balancer_node
  ADD CONSTRAINT load_balancer_node_ports CHECK (http_port BETWEEN 1 AND 65535 AND api_port BETWEEN 1 AND 65535);

-- Events for subscribers, whichever process made the change: they are published with the commit. The sign of life of a
-- job is no event.

CREATE OR REPLACE FUNCTION media.announce_media() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  changed media.media := coalesce(NEW, OLD);
BEGIN
  PERFORM pg_notify('media_library', changed.id || '/' || coalesce(changed.workspace_id, ''));
  RETURN NULL;
END $$;
CREATE TRIGGER media_appeared_or_went
  AFTER INSERT OR DELETE ON media.media
  FOR EACH ROW EXECUTE FUNCTION media.announce_media();
CREATE TRIGGER media_changed
  AFTER UPDATE OF status, transcoding_stage, progress, failure_reason, storage_key, thumbnail_key, normalized_key,
    manifest_key, smil_key, title, folder, tenant, run ON media.media
  FOR EACH ROW WHEN (
    (OLD.status, OLD.transcoding_stage, OLD.progress, OLD.failure_reason, OLD.storage_key, OLD.thumbnail_key,
     OLD.normalized_key, OLD.manifest_key, OLD.smil_key, OLD.title, OLD.folder, OLD.tenant, OLD.run)
    IS DISTINCT FROM
    (NEW.status, NEW.transcoding_stage, NEW.progress, NEW.failure_reason, NEW.storage_key, NEW.thumbnail_key,
     NEW.normalized_key, NEW.manifest_key, NEW.smil_key, NEW.title, NEW.folder, NEW.tenant, NEW.run))
  EXECUTE FUNCTION media.announce_media();

-- One function for the three tables: the kind of node is the argument.
CREATE OR REPLACE FUNCTION media.announce_node() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('media_nodes', TG_ARGV[0] || '/' || NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER streamer_appeared AFTER INSERT ON media.streamer
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('streamer');
CREATE TRIGGER streamer_status_changed AFTER UPDATE OF status ON media.streamer
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION media.announce_node('streamer');
CREATE TRIGGER cache_node_appeared AFTER INSERT ON media.cache_node
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('cache');
CREATE TRIGGER cache_node_status_changed AFTER UPDATE OF status ON media.cache_node
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION media.announce_node('cache');
CREATE TRIGGER load_balancer_node_appeared AFTER INSERT ON media.load_balancer_node
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('load-balancer');
CREATE TRIGGER load_balancer_node_status_changed AFTER UPDATE OF status ON media.load_balancer_node
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION media.announce_node('load-balancer');

CREATE OR REPLACE FUNCTION media.announce_origin() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('media_origins', coalesce(NEW.channel_id, OLD.channel_id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER channel_origin_appeared_or_went AFTER INSERT OR DELETE ON media.channel_origin
  FOR EACH ROW EXECUTE FUNCTION media.announce_origin();
CREATE TRIGGER channel_origin_status_changed AFTER UPDATE OF status ON media.channel_origin
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION media.announce_origin();
