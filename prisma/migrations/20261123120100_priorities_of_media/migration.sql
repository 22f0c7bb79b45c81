CREATE TYPE "media"."media_priority" AS ENUM ('LOW', 'NORMAL', 'HIGH');

ALTER TABLE "media"."media" ADD COLUMN "priority" "media"."media_priority" NOT NULL DEFAULT 'NORMAL',
  ADD COLUMN "queue_place" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "media"."upload_token" ADD COLUMN "priority" "media"."media_priority" NOT NULL DEFAULT 'NORMAL';
