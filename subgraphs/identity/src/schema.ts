import { buildSchema } from '@foyer/shared/subgraph';
import type { GraphQLSchema } from 'graphql';

import type { Resolvers } from './generated/graphql.ts';
import * as internal from './internal/resolvers.ts';
import * as organizations from './organizations/resolvers.ts';
import * as permissions from './permissions/resolvers.ts';
import * as reconcile from './reconcile/resolvers.ts';
import * as sessions from './sessions/resolvers.ts';
import * as users from './users/resolvers.ts';
import * as workspaces from './workspaces/resolvers.ts';

export const identitySchema = (typeDefs: string): GraphQLSchema =>
  buildSchema<Resolvers>()(typeDefs, internal, organizations, permissions, reconcile, sessions, users, workspaces);
