import { buildSchema } from '@foyer/shared/graphql/subgraph';
import type { GraphQLSchema } from 'graphql';

import * as audit from './audit/resolvers.ts';
import * as apps from './apps/resolvers.ts';
import * as members from './members/resolvers.ts';
import * as roles from './roles/resolvers.ts';
import * as teams from './teams/resolvers.ts';
import type { Resolvers } from './generated/graphql.ts';
import * as emailProfiles from './email-profiles/resolvers.ts';
import * as internal from './internal/resolvers.ts';
import * as invitations from './invitations/resolvers.ts';
import * as login from './login/resolvers.ts';
import * as magicLinks from './magic-links/resolvers.ts';
import * as organizations from './organizations/resolvers.ts';
import * as passwords from './passwords/resolvers.ts';
import * as permissions from './permissions/resolvers.ts';
import * as reconcile from './reconcile/resolvers.ts';
import * as selfSignup from './self-signup/resolvers.ts';
import * as sessions from './sessions/resolvers.ts';
import * as sessionStream from './session-stream/resolvers.ts';
import * as users from './users/resolvers.ts';
import * as workspaces from './workspaces/resolvers.ts';

export const identitySchema = (typeDefs: string): GraphQLSchema =>
  buildSchema<Resolvers>()(
    typeDefs,
    teams,
    roles,
    members,
    apps,
    audit,
    emailProfiles,
    internal,
    invitations,
    login,
    magicLinks,
    organizations,
    passwords,
    permissions,
    reconcile,
    selfSignup,
    sessions,
    sessionStream,
    users,
    workspaces,
  );
