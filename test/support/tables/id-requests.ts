import { bodyExamples } from '@foyer/rest-compat/examples';
import type { routes } from '@foyer/rest-compat/routes';

import { INTERNAL_PSK } from '../fixtures/organization.ts';
import { send } from '../fixtures/people.ts';
import type { Twin } from '../twins.ts';

const ofRole = /\/roles\/:id/;
const ofPerson = /\/internal\/users\/:id/;
const ofOrganization = /\/orgs\/:id/;

/** The kind that a parameter of a path names. */
function idInPath(url: string, name: string, { shared, belongings: { ids } }: Twin): string {
  const byName: Record<string, string> = {
    orgId: ids.organization,
    wid: ids.workspace,
    workspaceId: ids.workspace,
    uid: ids.user,
    tid: ids.team,
    profileId: ids['e-mail profile'],
    campaignId: ids.campaign,
  };
  if (name !== 'id') return byName[name] ?? '';
  if (ofRole.test(url)) return ids['workspace role'];
  if (ofPerson.test(url)) return ids.user;
  if (ofOrganization.test(url)) return ids.organization;
  if (url.includes('/sessions/')) return ids.session;
  return url.includes('/streamers/') ? shared.streamer : ids.media;
}

/** The kind that a header, or a field of a query or body names. */
function idNamed(route: string, name: string, { shared, belongings: { ids } }: Twin): string | undefined {
  const byName: Record<string, string> = {
    'x-organization-id': ids.organization,
    'x-workspace-id': ids.workspace,
    org_id: ids.organization,
    organization_id: ids.organization,
    workspaceId: ids.workspace,
    workspace_id: ids.workspace,
    user_id: ids.user,
    profile_id: ids['e-mail profile'],
    custId: ids.customer,
    targetGroupId: ids['target group'],
    ticketGroupId: ids['ticket group'],
    advertisingTicketId: ids['advertising ticket'],
    railMenuId: ids['rail menu'],
    notificationId: ids.notification,
    streamerId: shared.streamer,
    id: route.endsWith('/organizations') ? ids.organization : ids.user,
  };
  return byName[name];
}

/** A request, and its ids by the names of their places. */
export interface IdRequest {
  route: string;
  ids: Record<string, string>;
}

/** `GET /path/:id` */
export const routeOf = ({ method, url }: (typeof routes)[number]) => `${String(method)} ${url}`;
const inBody = (value: unknown): string[] =>
  value && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, inner]) => (typeof inner === 'object' ? inBody(inner) : [name]))
    : [];
const bodyOf = (route: string): unknown => bodyExamples[route.replaceAll(/:(\w+)/g, '{$1}')];
const scoped = /^\w+ \/(api\/media(?!\/(transcoding|prefix))|channels)/;

/** A request with the ids of a twin at each place that takes an id. */
export function requestOf(route: string, twin: Twin): IdRequest {
  const [, url = ''] = route.split(' ');
  const ids: Record<string, string> = {};
  for (const [, name = ''] of url.matchAll(/:(\w+)/g))
    if (idInPath(url, name, twin)) ids[`path ${name}`] = idInPath(url, name, twin);
  const named = {
    header: /\/campaigns|\/v1\/me$/.test(url) ? ['x-organization-id', 'x-workspace-id'] : [],
    query: [
      ...(scoped.test(route) ? ['workspaceId'] : []),
      ...(ofPerson.test(url) ? ['org_id'] : []),
      ...(/\/customer/.test(url) ? ['custId'] : []),
    ],
    body: inBody(bodyOf(route)),
  };
  for (const [place, names] of Object.entries(named))
    for (const name of names) {
      const id = idNamed(route, name, twin);
      if (id) ids[`${place} ${name}`] = id;
    }
  return { route, ids };
}

/** Sends it. The body is the example of the OpenAPI document, with these ids. */
export async function sendRequest({ route, ids }: IdRequest, { server, belongings, headers }: Twin): Promise<string> {
  const [method = '', url = ''] = route.split(' ');
  const at = (place: string) =>
    Object.fromEntries(
      Object.entries(ids)
        .filter(([name]) => name.startsWith(`${place} `))
        .map(([name, id]) => [name.slice(place.length + 1), id]),
    );
  const inPath = at('path');
  const path = url.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(inPath[name] ?? 'user_invite'));
  const query = new URLSearchParams(at('query'));
  // Unique among all organizations.
  const address = `${belongings.ids.team}-${method.toLowerCase()}@spelling.test`;
  const names: Record<string, string> = { username: address, email: address, name: `Of ${belongings.ids.team}` };
  const withIds = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(withIds)
      : value && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value).map(([name, inner]) => [
              name,
              typeof inner === 'object' ? withIds(inner) : (at('body')[name] ?? names[name] ?? inner),
            ]),
          )
        : value;
  const body = withIds(bodyOf(route));
  const who = url.includes('/internal/') ? { 'x-internal-token': INTERNAL_PSK } : headers;
  const { status, json } = await send(server, method, `${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
    headers: { ...who, ...at('header') },
    ...(body !== undefined && { body }),
  });
  return `${status} ${String(json?.code ?? '')}`.trim();
}
