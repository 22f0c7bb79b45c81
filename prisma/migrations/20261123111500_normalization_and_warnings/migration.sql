CREATE TYPE "media"."normalization_outcome" AS ENUM ('applied', 'skipped');

ALTER TABLE "media"."media"
  ADD COLUMN "normalization_outcome" "media"."normalization_outcome",
  ADD COLUMN "normalization_reason" TEXT,
  ADD COLUMN "warnings" JSONB NOT NULL DEFAULT '[]';

-- Until now a kept original was a type of normalization; its reason is in the checkpoint of the latest run.
UPDATE media.media m SET
  normalization_outcome = CASE WHEN normalization_type = 'kept' THEN 'skipped' ELSE 'applied' END::media.normalization_outcome,
  normalization_reason = CASE WHEN normalization_type = 'kept' THEN (
    SELECT c.facts ->> 'kept' FROM media.processing_checkpoint c
    WHERE c.media_id = m.id AND c.step = 'normalize' ORDER BY c.run DESC LIMIT 1) END,
  normalization_type = NULLIF(normalization_type, 'kept')
WHERE normalization_type IS NOT NULL;
