ALTER TABLE "media"."media" ADD COLUMN "early_playlist_key" TEXT;

CREATE TRIGGER media_playable_early
  AFTER UPDATE OF early_playlist_key ON media.media
  FOR EACH ROW WHEN (OLD.early_playlist_key IS DISTINCT FROM NEW.early_playlist_key)
  EXECUTE FUNCTION media.announce_media();
