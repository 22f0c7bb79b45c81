-- A profile that media use can't be deleted: their meaning would change.
ALTER TABLE "media"."media" DROP CONSTRAINT "media_transcoding_profile_id_fkey";
ALTER TABLE "media"."media" ADD CONSTRAINT "media_transcoding_profile_id_fkey"
  FOREIGN KEY ("transcoding_profile_id") REFERENCES "media"."transcoding_profile"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "media_transcoding_profile_id_idx" ON "media"."media"("transcoding_profile_id");

-- Tokens that are used up or expired may outlive their profile.
UPDATE media.upload_token t SET transcoding_profile_id = NULL
  WHERE transcoding_profile_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM media.transcoding_profile p WHERE p.id = t.transcoding_profile_id);
CREATE INDEX "upload_token_transcoding_profile_id_idx" ON "media"."upload_token"("transcoding_profile_id");
ALTER TABLE "media"."upload_token" ADD CONSTRAINT "upload_token_transcoding_profile_id_fkey"
  FOREIGN KEY ("transcoding_profile_id") REFERENCES "media"."transcoding_profile"("id") ON DELETE SET NULL ON UPDATE CASCADE;
