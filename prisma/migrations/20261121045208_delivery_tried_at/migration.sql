-- AlterTable
ALTER TABLE "ticketing"."delivery" ADD COLUMN     "tried_at" TIMESTAMPTZ(3);
