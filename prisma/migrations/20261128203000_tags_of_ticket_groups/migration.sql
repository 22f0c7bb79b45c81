-- The tags of what is on offer, in the order of its list. PostgreSQL preferred that order to an index of tags, and read past all that
-- had another one.
CREATE TABLE "ticketing"."ticket_group_tag" (
    "ticket_group_id" BIGINT NOT NULL,
    "tag" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "placement" INTEGER NOT NULL,

    CONSTRAINT "ticket_group_tag_pkey" PRIMARY KEY ("ticket_group_id","tag")
);

CREATE OR REPLACE FUNCTION ticketing.list_tags() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ticketing.ticket_group_tag WHERE ticket_group_id = NEW.ticket_group_id;
  INSERT INTO ticketing.ticket_group_tag (ticket_group_id, tag, organization_id, placement)
    SELECT DISTINCT NEW.ticket_group_id, tag, NEW.organization_id, NEW.placement FROM unnest(NEW.tags) tag
    WHERE NEW.is_active AND tag IS NOT NULL;
  RETURN NULL;
END $$;
-- From here to the end whoever uses ticket groups waits, so that no change is missed: the strongest lock first, as two that wait to
-- strengthen theirs would wait for each other.
DROP INDEX "ticketing"."ticket_group_tags_idx";
CREATE TRIGGER ticket_group_tags_listed
  AFTER INSERT OR UPDATE OF tags, is_active, organization_id, placement ON ticketing.ticket_group
  FOR EACH ROW EXECUTE FUNCTION ticketing.list_tags();

INSERT INTO ticketing.ticket_group_tag (ticket_group_id, tag, organization_id, placement)
  SELECT DISTINCT ticket_group_id, tag, organization_id, placement FROM ticketing.ticket_group, unnest(tags) tag
  WHERE is_active AND tag IS NOT NULL;

CREATE INDEX "ticket_group_tag_tag_placement_ticket_group_id_idx" ON "ticketing"."ticket_group_tag"("tag", "placement", "ticket_group_id");
CREATE INDEX "ticket_group_tag_organization_id_tag_placement_ticket_group_idx" ON "ticketing"."ticket_group_tag"("organization_id", "tag", "placement", "ticket_group_id");
-- Organizations have tags of their own. Without this, PostgreSQL takes those for fewer than they are, and sorts all for a page.
CREATE STATISTICS ticketing.ticket_group_tag_owner (dependencies, mcv) ON organization_id, tag FROM ticketing.ticket_group_tag;
ALTER TABLE "ticketing"."ticket_group_tag" ADD CONSTRAINT "ticket_group_tag_ticket_group_id_fkey" FOREIGN KEY ("ticket_group_id") REFERENCES "ticketing"."ticket_group"("ticket_group_id") ON DELETE CASCADE ON UPDATE CASCADE;
