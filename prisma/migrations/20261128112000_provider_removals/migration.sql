-- What was removed at the identity provider is not recorded here again, by a login that began before for example.
CREATE TABLE "auth"."provider_removals" (
    "idp_id" TEXT NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_removals_pkey" PRIMARY KEY ("idp_id")
);

-- CreateIndex
CREATE INDEX "provider_removals_removed_at_idx" ON "auth"."provider_removals"("removed_at");
