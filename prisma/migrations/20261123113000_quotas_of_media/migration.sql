CREATE TABLE "media"."usage" (
    "organization_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "items" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("organization_id","workspace_id")
);
CREATE INDEX "usage_workspace_id_idx" ON "media"."usage"("workspace_id");

CREATE TABLE "media"."quota" (
    "organization_id" TEXT NOT NULL,
    "bytes" BIGINT,
    "items" INTEGER,

    CONSTRAINT "quota_pkey" PRIMARY KEY ("organization_id")
);

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

-- The triggers count from now on: nobody writes until this is committed.
LOCK TABLE media.media IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO media.usage (organization_id, workspace_id, items, bytes)
SELECT coalesce(organization_id, ''), coalesce(workspace_id, ''), count(*), sum(file_size) FROM media.media GROUP BY 1, 2;
