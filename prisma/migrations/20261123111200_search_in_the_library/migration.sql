ALTER TABLE "media"."media" ADD COLUMN "title_key" TEXT NOT NULL DEFAULT '';
UPDATE media.media SET title_key = lower(title);

CREATE INDEX "media_workspace_id_title_key_id_idx" ON "media"."media"("workspace_id", "title_key", "id");
CREATE INDEX "media_workspace_id_file_size_id_idx" ON "media"."media"("workspace_id", "file_size", "id");
CREATE INDEX "media_workspace_id_created_at_idx" ON "media"."media"("workspace_id", "created_at");
CREATE INDEX "media_workspace_id_media_type_id_idx" ON "media"."media"("workspace_id", "media_type", "id");
CREATE INDEX "media_workspace_id_status_id_idx" ON "media"."media"("workspace_id", "status", "id");

-- Indexes of the library's search and orders, all partial: Prisma's comparison of the tables overlooks those. Every query
-- that they serve implies their condition.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE INDEX media_title_trgm_idx ON media.media USING gin (title public.gin_trgm_ops) WHERE title IS NOT NULL;
CREATE INDEX media_original_name_trgm_idx ON media.media USING gin (original_name public.gin_trgm_ops) WHERE original_name IS NOT NULL;
CREATE INDEX media_file_name_trgm_idx ON media.media USING gin (file_name public.gin_trgm_ops) WHERE file_name IS NOT NULL;
CREATE INDEX media_workspace_id_folder_idx ON media.media (workspace_id, folder text_pattern_ops, id)
  WHERE workspace_id IS NOT NULL;
CREATE INDEX media_workspace_id_duration_idx ON media.media (workspace_id, duration DESC NULLS LAST, id DESC)
  WHERE workspace_id IS NOT NULL;

CREATE OR REPLACE FUNCTION media.write_title_key() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.title_key := lower(NEW.title);
  RETURN NEW;
END $$;
CREATE TRIGGER media_title_key BEFORE INSERT OR UPDATE OF title, title_key ON media.media
  FOR EACH ROW EXECUTE FUNCTION media.write_title_key();
