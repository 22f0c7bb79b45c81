-- CreateEnum
CREATE TYPE "ticketing"."customer_link_kind" AS ENUM ('verify', 'reset');

-- AlterTable
ALTER TABLE "ticketing"."customer" ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3),
ADD COLUMN     "session_epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tokens_not_before" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "ticketing"."customer_session" (
    "id" UUID NOT NULL,
    "cust_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "customer_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticketing"."customer_link" (
    "id" UUID NOT NULL,
    "kind" "ticketing"."customer_link_kind" NOT NULL,
    "cust_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "customer_link_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "customer_session_cust_id_idx" ON "ticketing"."customer_session"("cust_id");

-- CreateIndex
CREATE INDEX "customer_session_expires_at_idx" ON "ticketing"."customer_session"("expires_at");

-- CreateIndex
CREATE INDEX "customer_link_cust_id_idx" ON "ticketing"."customer_link"("cust_id");

-- CreateIndex
CREATE INDEX "customer_link_expires_at_idx" ON "ticketing"."customer_link"("expires_at");

-- AddForeignKey
ALTER TABLE "ticketing"."customer_session" ADD CONSTRAINT "customer_session_cust_id_fkey" FOREIGN KEY ("cust_id") REFERENCES "ticketing"."customer"("cust_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticketing"."customer_link" ADD CONSTRAINT "customer_link_cust_id_fkey" FOREIGN KEY ("cust_id") REFERENCES "ticketing"."customer"("cust_id") ON DELETE CASCADE ON UPDATE CASCADE;
