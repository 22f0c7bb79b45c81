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

-- What a token says of a user. Whoever changes that locks the user's row, and we share a lock on it until the end of the
-- transaction: so every token either precedes the change and its block time, or reflects both. When it can't be read, for
-- a lock that takes too long or any other reason, `missed` says why: two attempts stay within the documented five seconds.
-- Each statement of a function sees what was committed before it, so what is read after the lock is as new as the lock.
CREATE OR REPLACE FUNCTION auth.standing_of(
  the_user uuid, the_organization uuid, OUT role text, OUT not_before timestamptz, OUT missed text
) LANGUAGE plpgsql SET lock_timeout = '2400ms' AS $$
BEGIN
  FOR attempt IN 1..2 LOOP
    BEGIN
      PERFORM 1 FROM auth.users WHERE id = the_user FOR SHARE;
      not_before := (SELECT b.not_before FROM auth.user_blocks b WHERE b.user_id = the_user);
      role := (
        SELECT m.role_id FROM tenancy.organization_members m JOIN tenancy.users u ON u.id = m.user_id
        WHERE m.user_id = the_user AND m.organization_id = the_organization
      );
      missed := NULL;
      RETURN;
    EXCEPTION WHEN OTHERS THEN
      missed := SQLERRM;
    END;
  END LOOP;
  role := NULL;
  not_before := NULL;
END
$$;

-- Exchanges the refresh token of a session, if it is the current one and its user may stay; the hash decides a race. No
-- row: the session has ended. Without `rotated` the row says why not.
CREATE OR REPLACE FUNCTION auth.rotate_session(
  the_session uuid, the_user uuid, presented bytea, successor bytea, moment timestamptz, expiry timestamptz, request text
) RETURNS TABLE (
  rotated boolean, token_hash bytea, prev_hash bytea, rotated_at timestamptz, expires_at timestamptz,
  idp_user_id text, account_state text, password_change_required boolean,
  organization_id uuid, slug text, organization_status text,
  role text, not_before timestamptz, missed text, person jsonb
) LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
#variable_conflict use_column
DECLARE
  spent boolean;
BEGIN
  rotated := false;
  SELECT u.org_id, s.token_hash <> presented OR s.expires_at <= moment INTO organization_id, spent
    FROM auth.refresh_sessions s JOIN auth.users u ON u.id = s.user_id
    WHERE s.id = the_session AND s.user_id = the_user;
  IF NOT spent THEN
    SELECT t.role, t.not_before, t.missed INTO role, not_before, missed
      FROM auth.standing_of(the_user, organization_id) t;
    UPDATE auth.refresh_sessions s
      SET token_hash = successor, prev_hash = presented, rotated_at = moment, last_used_at = moment, expires_at = expiry
      FROM auth.users u JOIN auth.organizations o ON o.id = u.org_id
      WHERE s.id = the_session AND s.user_id = the_user AND s.token_hash = presented AND s.expires_at > moment
        AND u.id = s.user_id AND u.account_state <> 'disabled' AND o.status = 'active';
    rotated := FOUND;
  END IF;
  IF rotated AND missed IS NOT NULL THEN
    INSERT INTO auth.audit_log (organization_id, actor_id, action, target_kind, target_id, outcome, request_id)
      VALUES (organization_id, the_user, 'role.missed', 'session', the_session, 'refused', request);
  END IF;
  RETURN QUERY
    SELECT rotated, s.token_hash, s.prev_hash, s.rotated_at, s.expires_at,
           u.idp_user_id, u.account_state::text, u.password_change_required,
           o.id, o.slug, o.status::text, role, not_before, missed,
           jsonb_build_object('id', p.id, 'organizationId', p.organization_id, 'username', p.username,
                              'email', p.email, 'firstName', p.first_name, 'lastName', p.last_name)
    FROM auth.refresh_sessions s JOIN auth.users u ON u.id = s.user_id JOIN auth.organizations o ON o.id = u.org_id
      JOIN tenancy.users p ON p.id = u.id
    WHERE s.id = the_session AND s.user_id = the_user;
END
$$;

-- Opens a session, if the user may log in: this is checked again under the lock that whoever disables an account takes.
-- `epoch` is the user's before the password was checked: a login that began before all sessions were ended opens none. No row: the user has
-- been deleted. Without `opened` the row says why not.
CREATE OR REPLACE FUNCTION auth.open_session(
  the_session uuid, the_user uuid, hash bytea, idp_session text, client_platform text, client_device text,
  client_address text, moment timestamptz, expiry timestamptz, request text,
  epoch int DEFAULT NULL
) RETURNS TABLE (
  opened boolean, account_state text, organization_id uuid, slug text, organization_status text,
  role text, not_before timestamptz, missed text, person jsonb
) LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
#variable_conflict use_column
BEGIN
  organization_id := (SELECT u.org_id FROM auth.users u WHERE u.id = the_user);
  SELECT t.role, t.not_before, t.missed INTO role, not_before, missed
    FROM auth.standing_of(the_user, organization_id) t;
  IF missed IS NOT NULL THEN
    PERFORM 1 FROM auth.users u WHERE u.id = the_user FOR SHARE;
  END IF;
  SELECT u.account_state = 'active' AND o.status = 'active' AND (epoch IS NULL OR epoch = u.session_epoch), u.account_state::text, o.slug, o.status::text,
         jsonb_build_object('id', p.id, 'organizationId', p.organization_id, 'username', p.username,
                            'email', p.email, 'firstName', p.first_name, 'lastName', p.last_name)
    INTO opened, account_state, slug, organization_status, person
    FROM auth.users u JOIN auth.organizations o ON o.id = u.org_id JOIN tenancy.users p ON p.id = u.id
    WHERE u.id = the_user;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF opened THEN
    INSERT INTO auth.refresh_sessions
      (id, user_id, token_hash, idp_session_id, platform, device, address, created_at, last_used_at, expires_at)
      VALUES (the_session, the_user, hash, idp_session, client_platform::auth.client_platform, client_device,
              client_address, moment, moment, expiry);
    INSERT INTO auth.audit_log
      (organization_id, actor_id, action, target_kind, target_id, outcome, address, request_id)
      SELECT organization_id, the_user, e.action, 'session', the_session, e.outcome::auth.audit_outcome, e.address, request
      FROM (VALUES ('session.opened', 'done', client_address), ('role.missed', 'refused', NULL)) e (action, outcome, address)
      WHERE e.action <> 'role.missed' OR missed IS NOT NULL;
  END IF;
  RETURN NEXT;
END
$$;

-- Counts an attempt in several buckets, in their order, or in none: `numbers` are the counts, or else `refused_until` is when
-- the bucket that is full opens again. Everybody locks the buckets of a login in the same order. No window lasts longer than a
-- whole one from now: it would, after a clock was set back.
CREATE OR REPLACE FUNCTION auth.take_attempts(
  buckets text[], most int[], ends timestamptz[], moment timestamptz, OUT numbers int[], OUT refused_until timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  counted int;
BEGIN
  FOR i IN 1 .. cardinality(buckets) LOOP
    INSERT INTO auth.rate_limits AS l (bucket, failures, window_started_at, expires_at)
      VALUES (buckets[i], 1, moment, ends[i])
      ON CONFLICT (bucket) DO UPDATE SET
        failures = CASE WHEN l.expires_at <= moment THEN 1 ELSE l.failures + 1 END,
        window_started_at = CASE WHEN l.expires_at <= moment THEN moment ELSE l.window_started_at END,
        expires_at = CASE WHEN l.expires_at <= moment THEN ends[i] ELSE LEAST(l.expires_at, ends[i]) END
      WHERE l.expires_at <= moment OR l.failures < most[i]
      RETURNING l.failures INTO counted;
    IF NOT FOUND THEN
      UPDATE auth.rate_limits SET expires_at = ends[i] WHERE bucket = buckets[i] AND expires_at > ends[i];
      refused_until := (SELECT expires_at FROM auth.rate_limits WHERE bucket = buckets[i]);
      numbers := NULL;
      PERFORM auth.settle_attempts('{}', buckets[1 : i - 1]);
      RETURN;
    END IF;
    numbers := numbers || counted;
  END LOOP;
END
$$;

-- Clears the counts of some buckets, and takes one attempt off others.
CREATE OR REPLACE FUNCTION auth.settle_attempts(forgotten text[], given_back text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(forgotten) LOOP
    DELETE FROM auth.rate_limits WHERE bucket = forgotten[i];
  END LOOP;
  FOR i IN 1 .. cardinality(given_back) LOOP
    UPDATE auth.rate_limits SET failures = failures - 1 WHERE bucket = given_back[i] AND failures > 0;
  END LOOP;
END
$$;
