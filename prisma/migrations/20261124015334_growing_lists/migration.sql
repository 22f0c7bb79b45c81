-- Orders in the order of their lists: of all organizations, of one with all its workspaces, with a status, of a ticket group.
CREATE INDEX "order_ticket_group_created_at_order_ticket_group_id_idx" ON "ticketing"."order_ticket_group"("created_at" DESC, "order_ticket_group_id" DESC);
CREATE INDEX "order_ticket_group_organization_id_created_at_order_ticket__idx" ON "ticketing"."order_ticket_group"("organization_id", "created_at" DESC, "order_ticket_group_id" DESC);
CREATE INDEX "order_ticket_group_organization_id_transaction_status_creat_idx" ON "ticketing"."order_ticket_group"("organization_id", "transaction_status", "created_at" DESC, "order_ticket_group_id" DESC);
CREATE INDEX "order_ticket_group_ticket_group_id_created_at_order_ticket__idx" ON "ticketing"."order_ticket_group"("ticket_group_id", "created_at" DESC, "order_ticket_group_id" DESC);
CREATE INDEX "ticket_group_workspace_id_placement_ticket_group_id_idx" ON "ticketing"."ticket_group"("workspace_id", "placement", "ticket_group_id");
DROP INDEX "ticketing"."ticket_group_workspace_id_idx";

-- Libraries of several workspaces, and uploads of a person.
CREATE INDEX "media_organization_id_title_key_id_idx" ON "media"."media"("organization_id", "title_key", "id");
CREATE INDEX "media_organization_id_file_size_id_idx" ON "media"."media"("organization_id", "file_size", "id");
CREATE INDEX media_organization_id_duration_idx ON media.media (organization_id, duration DESC NULLS LAST, id DESC)
  WHERE organization_id IS NOT NULL;
CREATE INDEX "media_created_by_id_idx" ON "media"."media"("created_by", "id");

-- The entries of the audit log with an action.
CREATE INDEX "audit_log_organization_id_action_id_idx" ON "auth"."audit_log"("organization_id", "action", "id");
