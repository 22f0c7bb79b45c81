import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

import { AddressForbidden } from '@foyer/shared/address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mailer } from './mailer.ts';

const mail = { to: 'mei@acme.test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', messageId: '<1@acme.test>' };
const house = { url: 'smtp://127.0.0.1:1', from: 'Foyer <no-reply@foyer.test>' };

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
  it('may not be this very machine, by name or by address, where that is not allowed', async () => {
    const { send, close } = mailer({ ...house, allowLoopback: false });
    for (const host of ['localhost', '127.0.0.1', '::1'])
      await expect(send(mail, theirs({ host }))).rejects.toBeInstanceOf(AddressForbidden);
    await expect(send(mail, theirs({ host: '169.254.169.254' }))).rejects.toBeInstanceOf(AddressForbidden);
    expect(heard).toBe('');
    close();
  });

  it('never hears its password without TLS', async () => {
    const { send, close } = mailer({ ...house, allowLoopback: true });
    await expect(send(mail, theirs({ auth: { user: 'acme', pass: 'geheim' } }))).rejects.toThrow();
    expect(heard).toContain('EHLO');
    expect(heard).not.toContain('AUTH');
    close();
  });
});
