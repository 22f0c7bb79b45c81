import { routes } from '@foyer/rest-compat/routes';

import type { Server } from '../servers/server-process.ts';
import { send } from '../fixtures/people.ts';

export type Row = (typeof routes)[number];

const ACME = '0a0c0000-0000-4000-8000-000000000001';
export const MAIN = '0a0c0000-0000-4000-8000-000000000101';
const SOME_ID = '0a0c0000-0000-4000-8000-0000000000ee';

/** The headers of a regular legacy client, without a token. */
export const claims = { 'x-organization-id': ACME, 'x-workspace-id': MAIN };

const campaign = {
  name: 'Openness',
  targetGroupId: SOME_ID,
  startDate: '2030-01-01T00:00:00Z',
  endDate: '2030-02-01T00:00:00Z',
};
const node = { name: 'Openness', host: '10.255.0.7', httpPort: 80, apiPort: 81 };
const nodePaths = ['/streamers', '/caches', '/load-balancers'];
const bodies: Record<string, object> = {
  'POST /api/v1/campaigns': campaign,
  'PUT /api/v1/campaigns/:campaignId': campaign,
  'POST /api/media/prepare': {
    title: 'Open',
    mediaType: 'image',
    mimeType: 'image/png',
    fileSize: 10,
    originalName: 'openness.png',
    fileName: 'openness.png',
    tenant: 'acme',
  },
  'POST /channels': { name: 'Open', sourceType: 'udp', origins: [{ streamerId: 99_999 }] },
  'PUT /channels/:id': { name: 'Open' },
  'POST /payment/bankList': { mode: 'individual' },
  'POST /api/v1/refresh': { client_type: 'mobile', refresh_token: 'none' },
  ...Object.fromEntries(nodePaths.map((path) => [`POST ${path}`, node])),
  ...Object.fromEntries(nodePaths.map((path) => [`PUT ${path}/:id`, { name: 'X' }])),
};

export const nameOf = ({ method, url }: Pick<Row, 'method' | 'url'>) => `${String(method)} ${url}`;

/** The routes of the media subgraph, which carry bytes. */
export const proxies: Pick<Row, 'method' | 'url'>[] = nodePaths.flatMap((path) => [
  { method: 'GET', url: `${path}/:id/proxy` },
  { method: 'POST', url: `${path}/:id/proxy/anything` },
]);

/** The answer to a row of the table, with ids of nothing. */
export function askRow(
  server: Server,
  { method, url }: Pick<Row, 'method' | 'url'>,
  headers: Record<string, string> = claims,
  workspaceId: string | null = MAIN,
) {
  const path = url
    .replaceAll(/:(campaignId|orgId|workspaceId|wid|uid|tid|profileId)/g, SOME_ID)
    .replaceAll(/:\w+/g, '99999');
  const body = bodies[`${String(method)} ${url}`];
  const query = workspaceId === null ? '' : `?workspaceId=${workspaceId}`;
  return send(server, String(method), `${path}${query}`, { headers, ...(body && { body }) });
}

/** Calls many rows, eight at a time, and returns what is wrong with their answers. */
export async function findings<TableRow extends Pick<Row, 'method' | 'url'>>(
  rows: readonly TableRow[],
  look: (row: TableRow) => Promise<string | number | undefined>,
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < rows.length; at += 8)
    await Promise.all(
      rows.slice(at, at + 8).map(async (row) => {
        const wrong = await look(row);
        if (wrong !== undefined) found.push(`${nameOf(row)}: ${wrong}`);
      }),
    );
  return found;
}
