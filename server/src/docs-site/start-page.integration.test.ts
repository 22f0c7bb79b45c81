import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import type { ExternalService } from '../embedded/embedded-services.ts';
import { mountStartPage, welcomeOf } from './start-page.ts';

const outside = {
  DATABASE_URL: 'postgresql://foyer:secret@db.inside:5432/foyer',
  IDP_URL: 'https://idp.inside',
  PAYMENT_GATEWAY_URL: 'https://bank.inside',
  SMTP_URL: 'smtp://mail.inside:25',
};
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://foyer.example', ...outside };

/** Renders the page for these variables and services, and counts the health checks that it took. */
async function shown(env: NodeJS.ProcessEnv, services: readonly ExternalService[] = []) {
  const app = Fastify();
  let looks = 0;
  const look = async () => ({ database: ++looks > 0 });
  mountStartPage(app, { config: readConfig(env), services, look });
  const { statusCode, body } = await app.inject('/');
  await app.close();
  return { status: statusCode, text: body, looks };
}

const service = (name: string, address: string): ExternalService => ({ name, address, kind: 'yours' });

/** Listens on a port, unless another process does. */
const listening = (port: number) =>
  new Promise<Server | undefined>((resolve) => {
    const server = createServer((socket) => void socket.destroy());
    server.once('error', () => resolve(undefined)).listen(port, '127.0.0.1', () => resolve(server));
  });

describe('the start page in production', () => {
  it('shows that the server runs and links the public pages, without any health check', async () => {
    const { status, text, looks } = await shown(production);
    expect([status, looks]).toEqual([200, 0]);
    expect(text).toContain('<h1>Foyer</h1>');
    expect(text).toContain('It is open.');
    for (const path of ['/login', '/docs/api', '/docs/README.md'])
      expect(text).toContain(`href="https://foyer.example${path}"`);
  });

  it('shows neither addresses nor states of services, nor any path', async () => {
    const { text } = await shown(production, [
      service('PostgreSQL', 'db.inside:5432'),
      service('Mail', 'mail.inside:25'),
    ]);
    for (const word of ['inside', 'PostgreSQL', 'database', readConfig(production).dataDir, '/health', '/metrics'])
      expect(text).not.toContain(word);
    for (const heading of ['What runs where', 'First steps', 'Demo accounts', 'Sandbox'])
      expect(text).not.toContain(heading);
  });
});

describe('the start page elsewhere', () => {
  it('shows first steps and accounts only when the demo is seeded', async () => {
    const [seeded, bare] = await Promise.all([shown({}), shown({ SEED_DEMO: 'off' })]);
    expect(seeded.text).toContain('Foyer-demo-1');
    expect(seeded.text).toContain('First steps');
    expect(bare.text).toContain('What runs where');
    for (const word of ['Foyer-demo-1', 'First steps', 'orgadmin@acme.test']) expect(bare.text).not.toContain(word);
  });

  it('probes the default port of a service without a port in its address', async () => {
    const servers = await Promise.all([5432, 6379].map(listening));
    const { text } = await shown({}, [service('PostgreSQL', '127.0.0.1'), service('Redis', '127.0.0.1')]);
    servers.forEach((server) => server?.close());
    expect(text).not.toContain('does not answer');
    expect(text).toContain('<code>127.0.0.1</code>');
  });

  it('shows that a service does not answer', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    expect((await shown({}, [service('Redis', `127.0.0.1:${port}`)])).text).toContain('does not answer');
  });
});

describe('the welcome text', () => {
  it('explains how to sign in only when the demo is seeded', () => {
    const welcome = (env: NodeJS.ProcessEnv) => welcomeOf({ config: readConfig(env), services: [] });
    expect(welcome({})).toContain('company_code');
    expect(welcome({ SEED_DEMO: 'off' })).not.toMatch(/company_code|Foyer-demo-1/);
    expect(welcome({ SEED_DEMO: 'off' })).toContain('Try first: open http://localhost:4000 in a browser\n');
  });

  it('names Apollo Sandbox only where it is on', () => {
    const welcome = (env: NodeJS.ProcessEnv) => welcomeOf({ config: readConfig(env), services: [] });
    expect(welcome({})).toContain('GraphQL and Apollo Sandbox');
    expect(welcome(production)).toContain('https://foyer.example/graphql');
    expect(welcome(production)).not.toContain('Sandbox');
  });
});
