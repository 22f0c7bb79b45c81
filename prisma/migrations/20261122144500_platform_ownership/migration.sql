CREATE TABLE "tenancy"."platform_ownership" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platform_ownership_pkey" PRIMARY KEY ("id")
);

-- The platform has had an owner: the seed promotes nobody any more, whoever is deleted.
CREATE OR REPLACE FUNCTION tenancy.note_platform_ownership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tenancy.platform_ownership (id, since) VALUES (true, now()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER platform_members_note_ownership
  AFTER INSERT OR UPDATE ON tenancy.platform_members
  FOR EACH ROW WHEN (NEW.role_id = 'PLATFORM_OWNER') EXECUTE FUNCTION tenancy.note_platform_ownership();

-- What says that the platform has had an owner stays.
CREATE OR REPLACE FUNCTION tenancy.keep_platform_ownership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'platform_ownership stays';
END
$$;

CREATE TRIGGER platform_ownership_stays
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tenancy.platform_ownership
  FOR EACH STATEMENT EXECUTE FUNCTION tenancy.keep_platform_ownership();

ALTER TABLE tenancy.platform_ownership ADD CONSTRAINT platform_ownership_is_one_fact CHECK (id);

-- A database from before: its platform has had an owner when somebody has a role there, and also when nobody has any
-- more, but the workspace that the first owner began with, or the log of what was done to the people, is there.
INSERT INTO tenancy.platform_ownership (id, since)
SELECT true, now()
WHERE EXISTS (SELECT 1 FROM tenancy.platform_members)
   OR EXISTS (SELECT 1 FROM tenancy.workspaces WHERE organization_id = '00000000-0000-0000-0000-000000000001')
   -- A refused sign-in is noted whoever tried it, and before there was anybody.
   OR EXISTS (
     SELECT 1 FROM auth.audit_log
     WHERE organization_id = '00000000-0000-0000-0000-000000000001' AND action <> 'session.refused'
   );
