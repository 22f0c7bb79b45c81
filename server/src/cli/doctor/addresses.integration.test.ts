import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { checkCookieDomain, checkPort, checkPublicUrl } from './addresses.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A program that has a port of this machine. */
async function portTakenBy(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const portOf = (port: number) => checkPort({ config: { port, host: '127.0.0.1' }, process: undefined });

describe('the doctor at the port', () => {
  it('finds it right that a server of Foyer has it, as in a container, where no data folder says so', async () => {
    const port = await portTakenBy(({ url }, response) => response.writeHead(url === '/health/live' ? 200 : 404).end());
    expect(await portOf(port)).toEqual({ part: `port ${port}`, state: 'ok', found: 'a server answers there' });
  });

  it('says that another program has it', async () => {
    const port = await portTakenBy((_request, response) => response.writeHead(404).end());
    expect(await portOf(port)).toMatchObject({
      state: 'failed',
      found: `PORT: ${port} is taken by another process`,
      cure: 'end that process, or set PORT to another',
    });
  });

  it('finds a free one right', async () => {
    const port = await portTakenBy(() => undefined);
    await new Promise((done) => void servers.pop()?.close(done));
    expect(await portOf(port)).toEqual({ part: `port ${port}`, state: 'ok', found: 'free' });
  });
});

describe('the doctor at PUBLIC_URL in production', () => {
  const urlOf = (publicUrl: string) => checkPublicUrl({ config: { publicUrl, production: true }, process: undefined });

  it.each([
    'http://localhost:4000',
    'http://127.0.0.1',
    'http://[::1]:4000',
    'http://foyer.localhost',
    'https://localhost',
  ])('only remarks that %s is for browsers on this machine: cookies are not Secure there', async (url) => {
    expect(await urlOf(url)).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('on this machine only'),
    });
  });

  it('refuses any other address without TLS, where browsers would drop Secure cookies', async () => {
    expect(await urlOf('http://foyer.example')).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('cookies are Secure'),
    });
    expect(await urlOf('https://foyer.example')).toMatchObject({ state: 'ok' });
  });

  it('only warns of it where cookies are not Secure', async () => {
    const config = { publicUrl: 'http://foyer.example', production: true };
    expect(await checkPublicUrl({ config, process: undefined }, false)).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('everybody on the way'),
    });
  });
});

describe('the doctor at AUTH_COOKIE_DOMAIN', () => {
  it.each([
    ['https://foyer.example', 'foyer.example'],
    ['https://api.Foyer.example', '.foyer.example'],
    ['http://localhost:4000', undefined],
  ])('accepts cookies of %s for the domain %s', (publicUrl, domain) => {
    for (const { state } of checkCookieDomain(publicUrl, domain)) expect(state).toBe('ok');
  });

  it.each([
    ['https://foyer.example', 'other.example'],
    ['https://myfoyer.example', 'foyer.example'],
    ['https://foyer.example', 'api.foyer.example'],
  ])('says that browsers drop cookies of %s for the domain %s', (publicUrl, domain) => {
    expect(checkCookieDomain(publicUrl, domain)).toEqual([
      expect.objectContaining({ state: 'failed', found: expect.stringContaining('nobody stays signed in') }),
    ]);
  });
});
