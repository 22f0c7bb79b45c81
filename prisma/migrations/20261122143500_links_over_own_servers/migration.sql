ALTER TABLE auth.magic_links ADD COLUMN over_own_server boolean NOT NULL DEFAULT false;

-- Links that are on their way went through the profile that is mapped now, as far as anybody knows.
UPDATE auth.magic_links l SET over_own_server = true
FROM auth.users u
JOIN tenancy.email_usage_mappings m ON m.organization_id = u.org_id AND m.usage = 'user_invite'
JOIN tenancy.email_profiles p ON p.id = m.profile_id AND p.smtp_host IS NOT NULL
WHERE u.id = l.user_id AND l.used_at IS NULL;
