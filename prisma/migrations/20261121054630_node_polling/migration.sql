-- AlterTable
ALTER TABLE "media"."cache_node" ADD COLUMN     "checked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "media"."load_balancer_node" ADD COLUMN     "checked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "media"."streamer" ADD COLUMN     "checked_at" TIMESTAMPTZ(3);
