-- No login that began before all sessions of a user were ended opens another: with the old password, for example.
ALTER TABLE "auth"."users" ADD COLUMN "session_epoch" INTEGER NOT NULL DEFAULT 0;

-- Processes of the previous version leave `epoch` out, and call this one, too.
DROP FUNCTION auth.open_session(uuid, uuid, bytea, text, text, text, text, timestamptz, timestamptz, text);
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
