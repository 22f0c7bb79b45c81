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

-- A workspace is of one organization. Without these, PostgreSQL takes the rows of an organization's workspaces for a small part of
-- what they are, and sorts all of them for a page.
CREATE STATISTICS media.media_owner (dependencies, mcv) ON organization_id, workspace_id, created_by FROM media.media;
CREATE STATISTICS media.channel_owner (dependencies, mcv) ON organization_id, workspace_id FROM media.channel;

-- Indexes of the library's search and orders, all partial: Prisma's comparison of the tables overlooks those. Every query
-- that they serve implies their condition.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE INDEX media_title_trgm_idx ON media.media USING gin (title public.gin_trgm_ops) WHERE title IS NOT NULL;
CREATE INDEX media_original_name_trgm_idx ON media.media USING gin (original_name public.gin_trgm_ops) WHERE original_name IS NOT NULL;
CREATE INDEX media_file_name_trgm_idx ON media.media USING gin (file_name public.gin_trgm_ops) WHERE file_name IS NOT NULL;
CREATE INDEX media_workspace_id_folder_idx ON media.media (workspace_id, folder text_pattern_ops, id)
  WHERE workspace_id IS NOT NULL;
CREATE INDEX media_folders_idx ON media.media (workspace_id, tenant, folder) WHERE workspace_id IS NOT NULL;
CREATE INDEX media_workspace_id_duration_idx ON media.media (workspace_id, duration DESC NULLS LAST, id DESC)
  WHERE workspace_id IS NOT NULL;
CREATE INDEX media_organization_id_duration_idx ON media.media (organization_id, duration DESC NULLS LAST, id DESC)
  WHERE organization_id IS NOT NULL;

CREATE OR REPLACE FUNCTION media.write_title_key() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.title_key := lower(NEW.title);
  RETURN NEW;
END $$;
CREATE TRIGGER media_title_key BEFORE INSERT OR UPDATE OF title, title_key ON media.media
  FOR EACH ROW EXECUTE FUNCTION media.write_title_key();

-- What organizations have reserved.
CREATE INDEX upload_token_reserved ON media.upload_token (organization_id) WHERE used_at IS NULL;

-- One statement may insert or delete many rows: each workspace is counted once.
CREATE OR REPLACE FUNCTION media.count_usage() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO media.usage AS present (organization_id, workspace_id, items, bytes)
  SELECT coalesce(organization_id, ''), coalesce(workspace_id, ''), sign * count(*), sign * sum(file_size)
    FROM changed GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, workspace_id) DO UPDATE
    SET items = present.items + EXCLUDED.items, bytes = present.bytes + EXCLUDED.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER media_usage_grew AFTER INSERT ON media.media
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION media.count_usage();
CREATE TRIGGER media_usage_shrank AFTER DELETE ON media.media
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION media.count_usage();

CREATE OR REPLACE FUNCTION media.move_usage() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.usage AS present (organization_id, workspace_id, items, bytes)
  SELECT organization_id, workspace_id, sum(items), sum(bytes) FROM (VALUES
      (coalesce(OLD.organization_id, ''), coalesce(OLD.workspace_id, ''), -1, -OLD.file_size),
      (coalesce(NEW.organization_id, ''), coalesce(NEW.workspace_id, ''), 1, NEW.file_size)
    ) AS change (organization_id, workspace_id, items, bytes) GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, workspace_id) DO UPDATE
    SET items = present.items + EXCLUDED.items, bytes = present.bytes + EXCLUDED.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER media_usage_moved AFTER UPDATE OF organization_id, workspace_id, file_size ON media.media
  FOR EACH ROW WHEN (
    (OLD.organization_id, OLD.workspace_id, OLD.file_size)
    IS DISTINCT FROM (NEW.organization_id, NEW.workspace_id, NEW.file_size))
  EXECUTE FUNCTION media.move_usage();

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
-- Whatever else a row has is of interest to those who watch a library: a new column counts as well.
CREATE OR REPLACE FUNCTION media.shown(item media.media) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT to_jsonb(item) - ARRAY['attempt_id', 'attempt_seen_at', 'tries', 'queue_place', 'etag', 'title_key',
    'objects_recorded', 'updated_at']
$$;
CREATE TRIGGER media_changed AFTER UPDATE ON media.media
  FOR EACH ROW WHEN (media.shown(OLD) IS DISTINCT FROM media.shown(NEW))
  EXECUTE FUNCTION media.announce_media();

-- One function for the three tables: the kind of node is the argument.
CREATE OR REPLACE FUNCTION media.announce_node() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('media_nodes', TG_ARGV[0] || '/' || coalesce(NEW.id, OLD.id));
  RETURN NULL;
END $$;
CREATE TRIGGER streamer_appeared AFTER INSERT ON media.streamer
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('streamer');
CREATE TRIGGER streamer_went AFTER DELETE ON media.streamer
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('streamer');
CREATE TRIGGER streamer_status_changed AFTER UPDATE OF status ON media.streamer
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION media.announce_node('streamer');
CREATE TRIGGER cache_node_appeared AFTER INSERT ON media.cache_node
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('cache');
CREATE TRIGGER cache_node_went AFTER DELETE ON media.cache_node
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('cache');
CREATE TRIGGER cache_node_status_changed AFTER UPDATE OF status ON media.cache_node
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION media.announce_node('cache');
CREATE TRIGGER load_balancer_node_appeared AFTER INSERT ON media.load_balancer_node
  FOR EACH ROW EXECUTE FUNCTION media.announce_node('load-balancer');
CREATE TRIGGER load_balancer_node_went AFTER DELETE ON media.load_balancer_node
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
