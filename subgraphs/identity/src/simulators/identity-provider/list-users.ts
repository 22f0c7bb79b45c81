import { z } from 'zod';

import { invalid } from './errors.ts';
import { matches, SearchMethod, totals, visible, type Provider } from './provider.ts';
import type { User } from './state.ts';
import { userOnWire } from './users.ts';

const Query = z.object({
  typeQuery: z.object({ type: z.string() }).optional(),
  loginNameQuery: z.object({ loginName: z.string(), method: SearchMethod }).optional(),
  userNameQuery: z.object({ userName: z.string(), method: SearchMethod }).optional(),
  emailQuery: z.object({ emailAddress: z.string(), method: SearchMethod }).optional(),
  organizationIdQuery: z.object({ organizationId: z.string() }).optional(),
  inUserIdsQuery: z.object({ userIds: z.array(z.string()) }).optional(),
  stateQuery: z.object({ state: z.string() }).optional(),
});

const List = z.object({
  query: z
    .object({
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(0).default(100),
      asc: z.boolean().default(false),
    })
    .prefault({}),
  queries: z.array(Query).default([]),
});

const LIMIT = 1_000;

export function listUsers(provider: Provider, body: unknown) {
  const { query, queries } = List.parse(body);
  // A query of an unsupported kind would find everybody.
  if (queries.some((one) => Object.values(one).every((part) => part === undefined)))
    throw invalid('invalid SearchQuery.Query: value is required');
  const found = visible(provider, provider.state.users).filter((user) => queries.every((one) => fits(user, one)));
  const ordered = query.asc ? found : found.toReversed();
  const page = ordered.slice(query.offset, query.offset + Math.min(query.limit || 100, LIMIT));
  return { details: totals(provider, found.length), ...(page.length > 0 && { result: page.map(userOnWire) }) };
}

function fits(user: User, query: z.output<typeof Query>): boolean {
  const { typeQuery, loginNameQuery, userNameQuery, emailQuery, organizationIdQuery, inUserIdsQuery, stateQuery } =
    query;
  return (
    (!typeQuery || typeQuery.type === (user.human ? 'TYPE_HUMAN' : 'TYPE_MACHINE')) &&
    (!loginNameQuery || matches(user.username, loginNameQuery.loginName, loginNameQuery.method)) &&
    (!userNameQuery || matches(user.username, userNameQuery.userName, userNameQuery.method)) &&
    (!emailQuery ||
      (user.human !== undefined && matches(user.human.email, emailQuery.emailAddress, emailQuery.method))) &&
    (!organizationIdQuery || user.organizationId === organizationIdQuery.organizationId) &&
    (!inUserIdsQuery || inUserIdsQuery.userIds.includes(user.id)) &&
    (!stateQuery || user.state === stateQuery.state)
  );
}
