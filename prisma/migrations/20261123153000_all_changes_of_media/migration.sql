-- New: every change of a media item that anybody can see is published, whichever column it is in.
-- Whatever else a row has is of interest to those who watch a library: a new column counts as well.
CREATE OR REPLACE FUNCTION media.shown(item media.media) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT to_jsonb(item) - ARRAY['attempt_id', 'attempt_seen_at', 'tries', 'queue_place', 'etag', 'title_key',
    'objects_recorded', 'updated_at']
$$;
DROP TRIGGER media_changed ON media.media;
DROP TRIGGER media_edited ON media.media;
DROP TRIGGER media_visibility_changed ON media.media;
DROP TRIGGER media_playable_early ON media.media;
CREATE TRIGGER media_changed AFTER UPDATE ON media.media
  FOR EACH ROW WHEN (media.shown(OLD) IS DISTINCT FROM media.shown(NEW))
  EXECUTE FUNCTION media.announce_media();
