-- What an order item calls a variant is unique within its organization, not on the whole platform.
ALTER TABLE "ticketing"."ticket_variant" ADD COLUMN "organization_id" UUID;
UPDATE ticketing.ticket_variant v SET organization_id = g.organization_id
  FROM ticketing.ticket_group g WHERE g.ticket_group_id = v.ticket_group_id;
ALTER TABLE "ticketing"."ticket_variant" ALTER COLUMN "organization_id" SET NOT NULL;

DROP INDEX "ticketing"."ticket_variant_item_id_key";
CREATE UNIQUE INDEX "ticket_variant_organization_id_item_id_key" ON "ticketing"."ticket_variant"("organization_id", "item_id");
CREATE UNIQUE INDEX "ticket_group_ticket_group_id_organization_id_key" ON "ticketing"."ticket_group"("ticket_group_id", "organization_id");

ALTER TABLE "ticketing"."ticket_variant" DROP CONSTRAINT "ticket_variant_ticket_group_id_fkey";
ALTER TABLE "ticketing"."ticket_variant" ADD CONSTRAINT "ticket_variant_ticket_group_id_organization_id_fkey"
  FOREIGN KEY ("ticket_group_id", "organization_id") REFERENCES "ticketing"."ticket_group"("ticket_group_id", "organization_id")
  ON DELETE RESTRICT ON UPDATE CASCADE;

-- New: rows that tell an organization what the platform is told of a customer.
ALTER TABLE "ticketing"."notification" ADD COLUMN "repeats_platform" BOOLEAN NOT NULL DEFAULT false;
