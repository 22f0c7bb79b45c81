import type { Staff } from '@foyer/shared/auth/viewer';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';

let server: ExampleServer;
beforeAll(async () => {
  server = await startExampleServer();
});
afterAll(() => server.stop());

/** Somebody of whom it can't be known right now whether the token was revoked. */
const scope = () => ({
  requestId: 'read-only',
  viewer: { kind: 'staff', userId: '1', readOnly: true } as Staff,
  client: { address: '127.0.0.1', userAgent: '' },
  signal: new AbortController().signal,
  reply: { cookies: [] },
});
const run = (document: string) => server.gateway.execute({ document: parse(document) }, scope());

describe('while it can not be known what was revoked', () => {
  it('a viewer may look', async () => {
    expect((await run('{ me { name } }')).data).toEqual({ me: { name: 'Aminah' } });
  });

  it('a viewer may change nothing', async () => {
    const { data, errors } = await run('mutation { pay(no: "A1") { no } }');
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', reason: 'REVOCATION_UNKNOWN' });
  });
});
