import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

import { AddressForbidden, loopback, openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mailer } from './mailer.ts';

const mail = { to: 'mei@acme.test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', messageId: '<1@acme.test>' };
const ownServer = { url: 'smtp://127.0.0.1:1', from: 'Foyer <no-reply@foyer.test>' };
const here = openAddressPolicy({ networks: loopback, services: [] });

let server: Server;
let heard = '';

/** A mail server without TLS. */
beforeAll(async () => {
  server = createServer((socket) => {
    socket.write('220 hello\r\n');
    socket.on('data', (line) => {
      heard += line.toString();
      socket.write(line.toString().startsWith('EHLO') ? '250-hello\r\n250 AUTH PLAIN\r\n' : '502 no\r\n');
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(() => server.close());

const theirs = (changes: object = {}) => ({
  host: 'localhost',
  port: (server.address() as AddressInfo).port,
  tls: false,
  ...changes,
});

describe("an organization's own mail server", () => {
  it('may not be this machine, by name or by address, where that is not allowed', async () => {
    const { send, close } = mailer({ ...ownServer, addresses: openAddressPolicy({ networks: [], services: [] }) });
    for (const host of ['localhost', '127.0.0.1', '::1'])
      await expect(send(mail, theirs({ host }))).rejects.toBeInstanceOf(AddressForbidden);
    await expect(send(mail, theirs({ host: '169.254.169.254' }))).rejects.toBeInstanceOf(AddressForbidden);
    expect(heard).toBe('');
    close();
  });

  it('is looked up once, and its certificate must match its name, not its address', async () => {
    const lookups: string[] = [];
    const addresses = openAddressPolicy({
      networks: loopback,
      services: [],
      async resolve(name) {
        lookups.push(name);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const { send, close } = mailer({ ...ownServer, addresses });
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const sent = send(mail, theirs({ host: 'mail.acme.test', port, tls: true })).catch((error: unknown) => error);
    const [socket] = (await once(silent, 'connection')) as [Socket];
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();

    expect(greeting.toString('latin1')).toContain('mail.acme.test'); // server_name of TLS (RFC 6066)
    expect(await sent).toBeInstanceOf(Error);
    expect(lookups).toEqual(['mail.acme.test']);
    silent.close();
    close();
  });

  it("is never a service of Foyer's own", async () => {
    const { port } = theirs();
    const addresses = openAddressPolicy({ networks: loopback, services: [{ host: 'localhost', port }] });
    const { send, close } = mailer({ ...ownServer, addresses });
    await expect(send(mail, theirs())).rejects.toBeInstanceOf(AddressForbidden);
    close();
  });

  it('never gets its password without TLS', async () => {
    const { send, close } = mailer({ ...ownServer, addresses: here });
    await expect(send(mail, theirs({ auth: { user: 'acme', pass: 'geheim' } }))).rejects.toThrow();
    expect(heard).toContain('EHLO');
    expect(heard).not.toContain('AUTH');
    close();
  });
});
