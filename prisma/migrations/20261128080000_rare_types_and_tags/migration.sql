-- What few rows have is not looked for among all: a type in all workspaces of an organization, and a tag.
CREATE INDEX "media_organization_id_media_type_id_idx" ON "media"."media"("organization_id", "media_type", "id");
CREATE INDEX "ticket_group_tags_idx" ON "ticketing"."ticket_group" USING GIN ("tags");
