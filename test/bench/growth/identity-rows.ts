import { demo } from '@foyer/shared/demo';

import type { Rows } from './rows.ts';

const { organizationId } = demo.acme;

/** As many people, sessions and entries of the audit log as there are to be rows; a tenth as many teams and roles, a hundredth as many organizations. */
export const identityRows: Rows[] = [
  {
    table: 'auth.organizations',
    insert: `INSERT INTO auth.organizations (id, name, slug, company_code, status, updated_at)
      SELECT pg_temp.id_of('organization', n), 'Organization ' || n, 'organization-' || n, 'GROWTH' || n, 'active', now()
      FROM generate_series($1::bigint / 100, $2::bigint / 100 - 1) n`,
  },
  {
    table: 'tenancy.organizations',
    insert: `INSERT INTO tenancy.organizations (id, name, updated_at)
      SELECT pg_temp.id_of('organization', n), 'Organization ' || n, now()
      FROM generate_series($1::bigint / 100, $2::bigint / 100 - 1) n`,
  },
  {
    table: 'tenancy.workspaces',
    insert: `INSERT INTO tenancy.workspaces (id, organization_id, name, updated_at)
      SELECT pg_temp.id_of('workspace of acme ', n), '${organizationId}', 'Workspace ' || n, now()
        FROM generate_series(1, 3) n WHERE $1::bigint = 0
      UNION ALL SELECT pg_temp.id_of('workspace', n), pg_temp.id_of('organization', n), 'Workspace ' || n, now()
        FROM generate_series($1::bigint / 100, $2::bigint / 100 - 1) n`,
  },
  {
    table: 'auth.users',
    insert: `INSERT INTO auth.users (id, idp_user_id, org_id, username, email, updated_at)
      SELECT pg_temp.id_of('user', n), 'growth' || n, pg_temp.organization_of(n), 'user' || n, 'user' || n || '@growth.test', now()
      FROM generate_series($1::bigint + 1, $2::bigint) n`,
  },
  {
    table: 'tenancy.users',
    insert: `INSERT INTO tenancy.users (id, organization_id, email, username, first_name, last_name, updated_at)
      SELECT pg_temp.id_of('user', n), pg_temp.organization_of(n), 'user' || n || '@growth.test', 'user' || n, 'First', 'Last', now()
      FROM generate_series($1::bigint + 1, $2::bigint) n`,
  },
  {
    table: 'tenancy.organization_members',
    insert: `INSERT INTO tenancy.organization_members (organization_id, user_id, role, role_id)
      SELECT pg_temp.organization_of(n), pg_temp.id_of('user', n), role, role
      FROM generate_series($1::bigint + 1, $2::bigint) n,
        LATERAL (SELECT CASE pg_temp.pick(n, 'role', 1000) WHEN 0 THEN 'ORG_ADMIN' ELSE 'ORG_MEMBER' END AS role) r`,
  },
  {
    table: 'tenancy.workspace_members',
    insert: `INSERT INTO tenancy.workspace_members (workspace_id, user_id, role)
      SELECT pg_temp.workspace_of(n), pg_temp.id_of('user', n),
        CASE pg_temp.pick(n, 'role', 1000) WHEN 0 THEN 'WORKSPACE_ADMIN' ELSE 'WORKSPACE_MEMBER' END
      FROM generate_series($1::bigint + 1, $2::bigint) n`,
  },
  {
    table: 'tenancy.team_members',
    insert: `INSERT INTO tenancy.team_members (team_id, user_id)
      SELECT '${demo.acme.teamId}', pg_temp.id_of('user', n)
      FROM generate_series($1::bigint + 1, $2::bigint) n WHERE n % 20 = 0`,
  },
  {
    table: 'tenancy.teams',
    insert: `INSERT INTO tenancy.teams (id, organization_id, name, updated_at)
      SELECT pg_temp.id_of('team', n), pg_temp.organization_of(n), 'Team ' || n, now()
      FROM generate_series($1::bigint / 10 + 1, $2::bigint / 10) n`,
  },
  {
    table: 'tenancy.roles', // an organization has thirty
    insert: `INSERT INTO tenancy.roles (id, organization_id, scope, name, is_system, updated_at)
      SELECT pg_temp.id_of('role', n)::text,
        CASE WHEN n <= 30 THEN '${organizationId}' ELSE pg_temp.id_of('organization', n / 30) END,
        'workspace', 'Role ' || n, false, now()
      FROM generate_series($1::bigint / 10 + 1, $2::bigint / 10) n`,
  },
  {
    table: 'auth.refresh_sessions', // of the reader fifty
    insert: `INSERT INTO auth.refresh_sessions (id, user_id, token_hash, device, address, expires_at)
      SELECT pg_temp.id_of('session', n),
        CASE WHEN n <= 50 THEN (SELECT id FROM auth.users WHERE email = 'orgadmin@acme.test') ELSE pg_temp.id_of('user', n) END,
        int8send(n), 'Browser', '192.0.2.1', now() + interval '1 year'
      FROM generate_series($1::bigint + 1, $2::bigint) n`,
  },
  {
    table: 'auth.audit_log',
    insert: `INSERT INTO auth.audit_log (at, actor_id, organization_id, action, target_kind, target_id)
      SELECT now() - interval '1 year' + n * interval '30 seconds', pg_temp.id_of('user', n), pg_temp.organization_of(n),
        CASE WHEN pg_temp.pick(n, 'action', 5000) = 0 THEN 'team.created' WHEN n % 3 = 0 THEN 'session.ended' ELSE 'session.opened' END,
        'session', n
      FROM generate_series($1::bigint + 1, $2::bigint) n`,
  },
];
