-- What the Prisma schema can't express about identity's tables.

ALTER TABLE auth.organizations
  ADD CONSTRAINT organizations_company_code_in_capitals CHECK (company_code = upper(company_code) AND company_code <> '');

ALTER TABLE tenancy.organization_members
  ADD CONSTRAINT organization_members_one_role CHECK (role = role_id);

ALTER TABLE tenancy.roles
  ADD CONSTRAINT roles_custom_has_organization CHECK (is_system = (organization_id IS NULL));

ALTER TABLE tenancy.email_verification_codes
  ADD CONSTRAINT email_verification_codes_five_attempts CHECK (attempts BETWEEN 0 AND 5);

ALTER TABLE tenancy.email_profiles
  ADD CONSTRAINT email_profiles_server_whole CHECK ((smtp_host IS NULL) = (smtp_port IS NULL));

-- The audit log is append-only.
CREATE OR REPLACE FUNCTION auth.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only';
END
$$;

CREATE TRIGGER audit_log_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON auth.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION auth.refuse_audit_change();

-- Records that the platform has had an owner: from then on the seed promotes nobody, even if the owner is deleted.
CREATE OR REPLACE FUNCTION tenancy.note_platform_ownership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tenancy.platform_ownership (id, since) VALUES (true, now()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER platform_members_note_ownership
  AFTER INSERT OR UPDATE ON tenancy.platform_members
  FOR EACH ROW WHEN (NEW.role_id = 'PLATFORM_OWNER') EXECUTE FUNCTION tenancy.note_platform_ownership();

-- The record of ownership can't be changed or deleted.
CREATE OR REPLACE FUNCTION tenancy.keep_platform_ownership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'platform_ownership stays';
END
$$;

CREATE TRIGGER platform_ownership_stays
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tenancy.platform_ownership
  FOR EACH STATEMENT EXECUTE FUNCTION tenancy.keep_platform_ownership();

ALTER TABLE tenancy.platform_ownership ADD CONSTRAINT platform_ownership_is_one_fact CHECK (id);

-- Publishes whose rights may have been reduced: `<user>`, or `o/<organization>`, or nothing for everybody's. The event is
-- published with the commit, whoever made the change; open streams check whether it concerns their viewer.
CREATE OR REPLACE FUNCTION tenancy.announce_rights_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('foyer_rights', OLD.user_id::text);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION tenancy.announce_rights_in_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('foyer_rights', coalesce(
    (SELECT 'o/' || w.organization_id FROM tenancy.workspaces w WHERE w.id = OLD.workspace_id), ''));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION tenancy.announce_rights_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('foyer_rights', coalesce(
    (SELECT 'o/' || r.organization_id FROM tenancy.roles r WHERE r.id = OLD.role_id), ''));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION tenancy.announce_rights_in_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('foyer_rights', 'o/' || OLD.organization_id);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION auth.announce_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('foyer_rights', OLD.id::text);
  RETURN NULL;
END
$$;

CREATE TRIGGER organization_member_rights AFTER UPDATE OR DELETE ON tenancy.organization_members
  FOR EACH ROW EXECUTE FUNCTION tenancy.announce_rights_of_user();
CREATE TRIGGER platform_member_rights AFTER UPDATE OR DELETE ON tenancy.platform_members
  FOR EACH ROW EXECUTE FUNCTION tenancy.announce_rights_of_user();
CREATE TRIGGER workspace_member_rights AFTER UPDATE OR DELETE ON tenancy.workspace_members
  FOR EACH ROW EXECUTE FUNCTION tenancy.announce_rights_of_user();
CREATE TRIGGER team_member_rights AFTER UPDATE OR DELETE ON tenancy.team_members
  FOR EACH ROW EXECUTE FUNCTION tenancy.announce_rights_of_user();
CREATE TRIGGER team_workspace_role_rights AFTER UPDATE OR DELETE ON tenancy.team_workspace_roles
  FOR EACH ROW EXECUTE FUNCTION tenancy.announce_rights_in_workspace();
CREATE TRIGGER role_permission_rights AFTER UPDATE OR DELETE ON tenancy.role_permissions
  FOR EACH ROW EXECUTE FUNCTION tenancy.announce_rights_of_role();
CREATE TRIGGER workspace_rights AFTER DELETE ON tenancy.workspaces
  FOR EACH ROW EXECUTE FUNCTION tenancy.announce_rights_in_organization();
CREATE TRIGGER account_rights AFTER UPDATE OF account_state OR DELETE ON auth.users
  FOR EACH ROW EXECUTE FUNCTION auth.announce_account();
