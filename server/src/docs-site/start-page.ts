import { connect } from 'node:net';

import type { Look } from '@foyer/shared/http/health';
import type { FastifyInstance } from 'fastify';

import type { ServerConfig } from '../config.ts';
import type { ExternalService } from '../embedded/embedded-services.ts';
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
  config: ServerConfig & { dataDir?: string };
  services: readonly ExternalService[];
}

/**
 * `GET /`: the services with their addresses and states, demo accounts, first steps. In production, where anybody may read it,
 * it only says that the server runs, and lists the public addresses.
 */
export function mountStartPage(app: FastifyInstance, { config, services, look }: Shown & { look: Look }): void {
  const { publicUrl, production, seedDemo, demoPassword, dataDir } = config;
  const links = linksOf(config, services).slice(1); // without this page
  if (production) {
    const open = links.filter((link) => !link.insidersOnly);
    app.get('/', (_request, response) => htmlPage(response, 'start.eta', { links: open }));
    return;
  }
  const foyer = { name: 'Foyer', address: publicUrl, kind: 'gateway, three subgraphs, REST', up: true };
  const demo = seedDemo ? { accounts, password: demoPassword, firstSteps: firstSteps(config) } : undefined;

  app.get('/', async (_request, response) => {
    const [checks, now] = await Promise.all([
      look(),
      Promise.all(services.map(async (service) => ({ ...service, up: await answers(service) }))),
    ]);
    const inside = { dataDir, checks: Object.entries(checks), services: [foyer, ...now] };
    return htmlPage(response, 'start.eta', { links, inside, demo });
  });
}

const PROBE_MS = 500;

/** Default ports of services whose address names none; the others speak HTTP. */
const usualPorts: Readonly<Record<string, readonly number[]>> = { PostgreSQL: [5432], Redis: [6379], Mail: [587, 465] };

/** Returns whether anything listens at the address of a service. */
async function answers({ name, address }: ExternalService): Promise<boolean> {
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

interface PageLink {
  name: string;
  href: string;
  what: string;
  /** In production it is closed, or not public. */
  insidersOnly?: true;
}

function linksOf({ publicUrl, demo, production }: ServerConfig, services: readonly ExternalService[]): PageLink[] {
  const simulated = new Set(
    services.filter(({ kind }) => kind === 'embedded').map(({ name }) => name.split(' ', 1)[0]),
  );
  return [
    { name: 'Start page', href: `${publicUrl}/`, what: 'This overview' },
    { name: 'Login app', href: `${publicUrl}/login`, what: 'Sign in, passwords, invitations, signed-in devices' },
    ...(demo
      ? [{ name: 'Demonstration', href: `${publicUrl}/demo`, what: 'A storefront and a studio on GraphQL alone' }]
      : []),
    {
      name: production ? 'GraphQL' : 'GraphQL and Apollo Sandbox',
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

const firstSteps = ({ publicUrl, demoPassword }: ServerConfig) => ({
  login: `curl -c cookies.txt -H 'content-type: application/json' ${publicUrl}/api/v1/login \\
  -d '{"username":"orgadmin@acme.test","password":"${demoPassword}","company_code":"ACME"}'`,
  me: `curl -b cookies.txt ${publicUrl}/api/v1/identity/users/me`,
  query: `curl -b cookies.txt -H 'content-type: application/json' ${publicUrl}/graphql \\
  -d '{"query":"{ me { user { name } organization { name role } } advertisingTickets { titleEn image { assetUrl } } }"}'`,
});

/** Returns the text that the terminal shows once the server is open. */
export function welcomeOf({ config, services }: Shown): string {
  const links = linksOf(config, services);
  const { publicUrl, seedDemo, demoPassword } = config;
  const rows = (pairs: readonly (readonly [string, string])[]) => {
    const width = Math.max(...pairs.map(([name]) => name.length)) + 3;
    return pairs.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join('\n');
  };
  return `
Foyer is open: ${publicUrl}

${rows(links.map(({ name, href }) => [name, href]))}

${rows(services.map(({ name, address, kind }) => [name, `${address}${kind === 'yours' ? '  (yours)' : ''}`]))}
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
