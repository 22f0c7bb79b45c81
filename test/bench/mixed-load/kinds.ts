import { call } from '../call.ts';
import type { Following, Kind } from './asking.ts';

/** Who sends the requests, and what they are about. */
export interface Accounts {
  token: string;
  headers: Record<string, string>;
  customer: { headers: Record<string, string>; custId: string };
  organizationId: string;
  workspaceId: string;
  teamId: string;
  ticketGroupId: string;
  itemId: string;
}

/** Logs in, and finds or creates the records of the load. */
export async function openAccounts(url: string): Promise<Accounts> {
  const login = { username: 'orgadmin@acme.test', password: 'Foyer-demo-1', company_code: 'ACME' };
  const { access_token: token } = await call<{ access_token: string }>('POST', `${url}/api/v1/login`, login);
  const headers = { authorization: `Bearer ${token}` };
  const buyer = { email: 'customer@foyer.test', password: login.password };
  const customer = await call<{ token: string; customer: { custId: string } }>('POST', `${url}/auth/login`, buyer);
  const { org } = await call<{ org: { id: string } }>('GET', `${url}/api/v1/identity/users/me`, undefined, headers);
  const base = `${url}/api/v1/tenancy/organizations/${org.id}`;
  interface Made {
    data: { id: string };
  }
  interface Listed {
    data: { id: string }[];
  }
  const team = await call<Made>('POST', `${base}/teams`, { name: 'Under load' }, headers);
  const workspaces = await call<Listed>('GET', `${base}/workspaces`, undefined, headers);
  const query = '{ ticketGroups(first: 1) { edges { node { ticketGroupId variants { itemId } } } } }';
  interface Sale {
    data: { ticketGroups: { edges: { node: { ticketGroupId: string; variants: { itemId: string }[] } }[] } };
  }
  const sale = await call<Sale>('POST', `${url}/graphql`, { query });
  const group = sale.data.ticketGroups.edges[0]?.node;
  return {
    token,
    headers: { ...headers, 'x-organization-id': org.id },
    customer: { headers: { authorization: `Bearer ${customer.token}` }, custId: customer.customer.custId },
    organizationId: org.id,
    workspaceId: workspaces.data[0]?.id ?? '',
    teamId: team.data.id,
    ticketGroupId: group?.ticketGroupId ?? '',
    itemId: group?.variants[0]?.itemId ?? '',
  };
}

const DAY_MS = 86_400_000;
/** How many days ahead one can order. */
const DAYS = 80;

/** Every kind of request, in turn. */
export function kindsOf(accounts: Accounts) {
  const { organizationId, workspaceId, teamId, ticketGroupId, itemId, customer } = accounts;
  let count = 0;
  const day = (after: number) => new Date(Date.now() + after * DAY_MS).toISOString().slice(0, 10);
  const graphql = (name: string, needs: string[], query: string, variables: () => object = () => ({})): Kind => ({
    name,
    needs,
    request: () => ({ method: 'POST', path: '/graphql', body: { query, variables: variables() } }),
  });
  const rest = (name: string, needs: string[], path: string): Kind => ({
    name,
    needs,
    request: () => ({ method: 'GET', path }),
  });
  const order = () => ({
    input: {
      ticketGroupId,
      custId: customer.custId,
      admitDate: day(3 + ((count += 1) % DAYS)),
      buyerName: 'Siti Aminah',
      buyerEmail: 'siti@example.test',
      items: [{ itemId, quantityBought: 1 }],
    },
  });

  const kinds: Kind[] = [
    graphql('query of identity', ['identity'], '{ me { user { email organization { name } } } }'),
    graphql('query of ticketing', ['ticketing'], '{ ticketGroups(first: 3) { edges { node { groupNameEn } } } }'),
    graphql('query of media', ['identity', 'media'], '{ me { user { media(first: 3) { totalCount } } } }'),
    graphql('query of all', ['identity', 'ticketing', 'media'], everything),
    graphql(
      'mutation of identity',
      ['identity'],
      'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { id } }',
      () => ({
        input: { organizationId, teamId, description: `Changed ${(count += 1)} times` },
      }),
    ),
    {
      name: 'mutation of ticketing',
      needs: ['ticketing'],
      request: () => ({
        method: 'POST',
        path: '/graphql',
        headers: customer.headers,
        body: { query: placing, variables: order() },
      }),
    },
    rest('REST of identity', ['identity'], '/api/v1/identity/users/me'),
    rest('REST of ticketing', ['ticketing'], '/api/v1/campaigns'),
    rest('REST of media', ['media'], '/api/media/transcoding-profiles'),
  ];
  const followings: Following[] = [
    {
      name: 'subscription of ticketing',
      query:
        'subscription ($group: ID!, $dates: [Date!]!) { availabilityChanged(ticketGroupId: $group, dates: $dates) { __typename } }',
      variables: { group: ticketGroupId, dates: [day(3), day(4)] },
    },
    {
      name: 'subscription of media',
      query: 'subscription ($workspaceId: ID) { nodeStatusChanged(workspaceId: $workspaceId) { __typename } }',
      variables: { workspaceId },
    },
  ];
  const needs = (name: string): readonly string[] =>
    kinds.find((kind) => kind.name === name)?.needs ?? [name.split(' ').at(-1) ?? ''];
  return { kinds, followings, needs };
}

const placing = 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { orderNo } }';
const everything = `{
  me { user { email organization { name
    orders(first: 2) { edges { node { orderNo transactionStatus } } }
    media(first: 2) { totalCount }
  } } }
}`;
