-- CreateTable
-- Unlogged: a cache, which a crash of PostgreSQL may empty, writes no log and reaches no replica.
CREATE UNLOGGED TABLE "ticketing"."printed_receipt" (
    "key" TEXT NOT NULL,
    "pdf" BYTEA NOT NULL,
    "printed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "printed_receipt_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "printed_receipt_printed_at_idx" ON "ticketing"."printed_receipt"("printed_at");

-- PDFs are compressed already.
ALTER TABLE "ticketing"."printed_receipt" ALTER COLUMN "pdf" SET STORAGE EXTERNAL;
