import { connect } from 'node:net';

import type { Look } from '@foyer/shared/http/health';
import type { FastifyInstance } from 'fastify';

import type { Place } from '../config.ts';
import type { Part } from '../embedded/embedded-services.ts';
import { htmlPage } from './html-page.ts';

const accounts = [
  { who: 'Owner of the platform', username: 'admin@foyer.test', companyCode: 'PLATFORM' },
  { who: 'Administrator of Acme', username: 'orgadmin@acme.test', companyCode: 'ACME' },
  { who: 'Member of Acme', username: 'member@acme.test', companyCode: 'ACME' },
  { who: 'Viewer at Acme', username: 'viewer@acme.test', companyCode: 'ACME' },
  { who: 'Customer of the storefront (POST /auth/login)', username: 'customer@foyer.test', companyCode: '—' },
];

const LONGEST_NAME = Math.max(...accounts.map(({ username }) => username.length));

interface Shown {
  config: Place & { dataDir?: string };
  parts: readonly Part[];
}

/**
 * `GET /`: what runs where, and how well; who may try it, where to go first. In production anybody may read it, so that
 * it only says that the house runs, and which doors are open.
 */
export function mountStartPage(app: FastifyInstance, { config, parts, look }: Shown & { look: Look }): void {
  const { publicUrl, production, seedDemo, demoPassword, dataDir } = config;
  const doors = doorsOf(config, parts).slice(1); // not itself
  if (production) {
    const open = doors.filter((door) => !door.insidersOnly);
    app.get('/', (_request, response) => htmlPage(response, 'start.eta', { doors: open }));
    return;
  }
  const foyer = { name: 'Foyer', address: publicUrl, kind: 'gateway, three subgraphs, REST', up: true };
  const demo = seedDemo ? { accounts, password: demoPassword, firstSteps: firstSteps(config) } : undefined;

  app.get('/', async (_request, response) => {
    const [checks, now] = await Promise.all([
      look(),
      Promise.all(parts.map(async (part) => ({ ...part, up: await answers(part) }))),
    ]);
    const inside = { dataDir, checks: Object.entries(checks), parts: [foyer, ...now] };
    return htmlPage(response, 'start.eta', { doors, inside, demo });
  });
}

const PROBE_MS = 500;

/** Where a part listens whose address names no port, by the protocol that it speaks; the rest speak HTTP. */
const usualPorts: Readonly<Record<string, readonly number[]>> = { PostgreSQL: [5432], Redis: [6379], Mail: [587, 465] };

/** Whether somebody listens where a part is said to be. */
async function answers({ name, address }: Part): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const ports = port ? [Number(port)] : (usualPorts[name] ?? [443, 80]);
  return (await Promise.all(ports.map((at) => isListening(hostname, at)))).includes(true);
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PROBE_MS });
    const settle = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket
      .once('connect', () => settle(true))
      .once('error', () => settle(false))
      .once('timeout', () => settle(false));
  });
}

interface PublicDoor {
  name: string;
  href: string;
  what: string;
  /** In production it is closed, or not for the world. */
  insidersOnly?: true;
}

function doorsOf({ publicUrl, demo }: Place, parts: readonly Part[]): PublicDoor[] {
  const simulated = new Set(parts.filter(({ kind }) => kind === 'embedded').map(({ name }) => name.split(' ', 1)[0]));
  return [
    { name: 'Start page', href: `${publicUrl}/`, what: 'This overview' },
    { name: 'Login app', href: `${publicUrl}/login`, what: 'Sign in, passwords, invitations, signed-in devices' },
    ...(demo
      ? [{ name: 'Demonstration', href: `${publicUrl}/demo`, what: 'A storefront and a studio on GraphQL alone' }]
      : []),
    {
      name: 'GraphQL and Apollo Sandbox',
      href: `${publicUrl}/graphql`,
      what: 'Queries, mutations, and subscriptions over WebSocket',
      insidersOnly: true,
    },
    ...(simulated.has('Mail')
      ? [{ name: 'Inbox', href: `${publicUrl}/sim/inbox/`, what: 'Every mail that Foyer sends' }]
      : []),
    ...(simulated.has('Payment')
      ? [{ name: 'Bank simulator', href: `${publicUrl}/sim/bank/`, what: 'Where payments are approved or refused' }]
      : []),
    { name: 'REST routes', href: `${publicUrl}/docs/api`, what: 'Every route, to read and to try (OpenAPI 3.1)' },
    { name: 'Documentation', href: `${publicUrl}/docs/README.md`, what: 'README, architecture, operations, errors' },
    { name: 'Health', href: `${publicUrl}/health/ready`, what: 'Database, migrations, worker', insidersOnly: true },
    { name: 'Metrics', href: `${publicUrl}/metrics`, what: 'For Prometheus', insidersOnly: true },
  ];
}

const firstSteps = ({ publicUrl, demoPassword }: Place) => ({
  login: `curl -c cookies.txt -H 'content-type: application/json' ${publicUrl}/api/v1/login \\
  -d '{"username":"orgadmin@acme.test","password":"${demoPassword}","company_code":"ACME"}'`,
  me: `curl -b cookies.txt ${publicUrl}/api/v1/identity/users/me`,
  query: `curl -b cookies.txt -H 'content-type: application/json' ${publicUrl}/graphql \\
  -d '{"query":"{ me { user { name } organization { name role } } advertisingTickets { titleEn image { assetUrl } } }"}'`,
});

/** What the terminal of somebody who starts a house says when it is open. */
export function welcomeOf({ config, parts }: Shown): string {
  const doors = doorsOf(config, parts);
  const { publicUrl, seedDemo, demoPassword } = config;
  const rows = (pairs: readonly (readonly [string, string])[]) => {
    const width = Math.max(...pairs.map(([name]) => name.length)) + 3;
    return pairs.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join('\n');
  };
  return `
Foyer is open: ${publicUrl}

${rows(doors.map(({ name, href }) => [name, href]))}

${rows(parts.map(({ name, address, kind }) => [name, `${address}${kind === 'yours' ? '  (yours)' : ''}`]))}
${
  seedDemo
    ? `
Demo accounts, all with the password ${demoPassword}
${rows(accounts.map(({ username, companyCode, who }) => [username.padEnd(LONGEST_NAME + 2) + companyCode, who]))}
`
    : ''
}
Try first: open ${publicUrl} in a browser${seedDemo ? `, or\n  ${firstSteps(config).login}` : ''}

Ctrl-C stops it.
`;
}
