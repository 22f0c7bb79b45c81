-- Says whose rights may have become fewer: `<user>`, or `o/<organization>`, or nothing for anybody's. It leaves with the
-- commit, whoever made the change; who has a stream open looks whether it is about them.
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
