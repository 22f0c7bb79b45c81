CREATE TYPE "media"."media_visibility" AS ENUM ('PUBLIC', 'PRIVATE');

-- Until now everything was public, and its links are in use: it stays so until somebody changes it (decision 73).
ALTER TABLE "media"."media" ADD COLUMN "visibility" "media"."media_visibility" NOT NULL DEFAULT 'PUBLIC';
ALTER TABLE "media"."media" ALTER COLUMN "visibility" SET DEFAULT 'PRIVATE';
ALTER TABLE "media"."upload_token" ADD COLUMN "visibility" "media"."media_visibility" NOT NULL DEFAULT 'PUBLIC';
ALTER TABLE "media"."upload_token" ALTER COLUMN "visibility" SET DEFAULT 'PRIVATE';

CREATE TRIGGER media_visibility_changed
  AFTER UPDATE OF visibility ON media.media
  FOR EACH ROW WHEN (OLD.visibility IS DISTINCT FROM NEW.visibility)
  EXECUTE FUNCTION media.announce_media();
