import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkIdentityProvider, checkMail } from './services.ts';

/** Longer than other services may take. */
const GREETING_DELAY_MS = 6_000;

/** A mail server that keeps unknown clients waiting, as many do against senders of spam. */
const mailServer = createServer((socket) => {
  const greeting = setTimeout(() => socket.write('220 late.test\r\n'), GREETING_DELAY_MS);
  socket.on('close', () => clearTimeout(greeting));
  socket.on('error', () => undefined);
  socket.on('data', (line) => socket.write(String(line).startsWith('QUIT') ? '221 bye\r\n' : '250 late.test\r\n'));
});

beforeAll(async () => {
  await once(mailServer.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => mailServer.close());

describe('the doctor at the mail server', () => {
  it('waits for a greeting as long as sending does', async () => {
    const { port } = mailServer.address() as AddressInfo;

    expect(await checkMail(`smtp://127.0.0.1:${port}`)).toMatchObject({ part: 'mail', state: 'ok' });
  });
});

describe('the doctor at the identity provider', () => {
  it('says that the file of the token can not be read', async () => {
    const provider = createHttpServer((_request, response) => response.end());
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const { port } = provider.address() as AddressInfo;
    const identityProvider = {
      url: `http://127.0.0.1:${port}`,
      instanceHost: undefined,
      token: undefined,
      tokenFile: '/nowhere/foyer.pat',
      wire: 'auto',
      timeoutMs: 5_000,
    } as const;

    expect(await checkIdentityProvider({ identityProvider })).toMatchObject([
      { state: 'failed', found: expect.stringMatching(/^IDP_PAT_FILE can not be read: .*ENOENT/) },
    ]);
    provider.close();
  });
});
