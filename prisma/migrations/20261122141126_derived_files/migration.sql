-- AlterTable
ALTER TABLE "media"."media" ADD COLUMN     "objects_recorded" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "media"."stored_object" (
    "key" TEXT NOT NULL,
    "media_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stored_object_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "media"."moved_object" (
    "old_key" TEXT NOT NULL,
    "new_key" TEXT NOT NULL,
    "media_id" INTEGER NOT NULL,

    CONSTRAINT "moved_object_pkey" PRIMARY KEY ("old_key")
);

-- CreateTable
CREATE TABLE "media"."tenant" (
    "name" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "stored_object_media_id_key_idx" ON "media"."stored_object"("media_id", "key");

-- CreateIndex
CREATE INDEX "moved_object_media_id_idx" ON "media"."moved_object"("media_id");

-- By hand.

CREATE INDEX media_objects_not_recorded ON media.media (id) WHERE NOT objects_recorded;

-- Whoever was first has a tenant: who was signed in before who only said so, then in the order in which the files came.
INSERT INTO media.tenant (name, organization_id)
  SELECT DISTINCT ON (tenant) tenant, organization_id FROM media.media
  WHERE organization_id IS NOT NULL ORDER BY tenant, created_by IS NULL, id;
