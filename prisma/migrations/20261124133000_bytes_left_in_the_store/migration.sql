-- What deletions without a purge leave in the store counts against a quota.
CREATE TABLE "media"."left_in_store" (
    "organization_id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "left_in_store_pkey" PRIMARY KEY ("organization_id")
);
