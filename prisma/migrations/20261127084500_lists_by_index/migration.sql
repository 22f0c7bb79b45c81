-- The sessions of a person, and the teams and workspaces of an organization, in the order of their lists.
CREATE INDEX "refresh_sessions_user_id_id_idx" ON "auth"."refresh_sessions"("user_id", "id");
DROP INDEX "auth"."refresh_sessions_user_id_idx";
CREATE INDEX "teams_organization_id_id_idx" ON "tenancy"."teams"("organization_id", "id");
DROP INDEX "tenancy"."teams_organization_id_idx";
CREATE INDEX "workspaces_organization_id_id_idx" ON "tenancy"."workspaces"("organization_id", "id");
DROP INDEX "tenancy"."workspaces_organization_id_idx";

-- The people with a role, in an organization or in its workspaces.
CREATE INDEX "organization_members_organization_id_role_id_user_id_idx" ON "tenancy"."organization_members"("organization_id", "role_id", "user_id");
CREATE INDEX "workspace_members_workspace_id_role_user_id_idx" ON "tenancy"."workspace_members"("workspace_id", "role", "user_id");

-- What an organization offers and shows, and its campaigns.
CREATE INDEX "ticket_group_organization_id_is_active_placement_ticket_gro_idx" ON "ticketing"."ticket_group"("organization_id", "is_active", "placement", "ticket_group_id");
CREATE INDEX "advertising_ticket_organization_id_placement_advertising_ti_idx" ON "ticketing"."advertising_ticket"("organization_id", "placement", "advertising_ticket_id");
CREATE INDEX "campaign_organization_id_created_at_id_idx" ON "ticketing"."campaign"("organization_id", "created_at" DESC, "id" DESC);

-- A workspace is of one organization. Without these, PostgreSQL takes the rows of an organization's workspaces for a small part of
-- what they are, and sorts all of them for a page.
CREATE STATISTICS media.media_owner (dependencies, mcv) ON organization_id, workspace_id, created_by FROM media.media;
CREATE STATISTICS media.channel_owner (dependencies, mcv) ON organization_id, workspace_id FROM media.channel;
CREATE STATISTICS ticketing.ticket_group_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.ticket_group;
CREATE STATISTICS ticketing.advertising_ticket_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.advertising_ticket;
CREATE STATISTICS ticketing.campaign_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.campaign;
CREATE STATISTICS ticketing.order_ticket_group_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.order_ticket_group;
CREATE STATISTICS ticketing.notification_owner (dependencies, mcv) ON organization_id, workspace_id FROM ticketing.notification;
