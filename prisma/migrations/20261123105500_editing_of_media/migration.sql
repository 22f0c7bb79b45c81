-- New: runs that were cancelled, and previews that an editor chose.
ALTER TABLE "media"."media" ADD COLUMN "cancelled_run" INTEGER,
  ADD COLUMN "poster_key" TEXT,
  ADD COLUMN "poster_request" TEXT,
  ADD COLUMN "poster_failure" TEXT;

-- A choice and a cancellation are events of the item as well.
CREATE TRIGGER media_edited
  AFTER UPDATE OF cancelled_run, poster_key, poster_request, poster_failure, transcoding_profile_id ON media.media
  FOR EACH ROW WHEN (
    (OLD.cancelled_run, OLD.poster_key, OLD.poster_request, OLD.poster_failure, OLD.transcoding_profile_id)
    IS DISTINCT FROM
    (NEW.cancelled_run, NEW.poster_key, NEW.poster_request, NEW.poster_failure, NEW.transcoding_profile_id))
  EXECUTE FUNCTION media.announce_media();
