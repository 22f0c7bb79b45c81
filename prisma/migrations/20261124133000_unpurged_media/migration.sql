-- The files that deletions without a purge leave in the store count against a quota.
CREATE TABLE "media"."unpurged_media" (
    "organization_id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "unpurged_media_pkey" PRIMARY KEY ("organization_id")
);
