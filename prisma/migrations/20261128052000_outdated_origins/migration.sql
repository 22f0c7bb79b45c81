-- AlterTable
ALTER TABLE "media"."channel_origin" ADD COLUMN     "outdated" BOOLEAN NOT NULL DEFAULT false;
