-- What the Prisma schema can't say about identity's tables.

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

-- The audit log only grows.
CREATE OR REPLACE FUNCTION auth.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only';
END
$$;

CREATE TRIGGER audit_log_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON auth.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION auth.refuse_audit_change();
