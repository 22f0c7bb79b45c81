import type { Staff } from '@foyer/shared/auth/viewer';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';

let server: ExampleServer;
beforeAll(async () => {
  server = await startExampleServer();
});
afterAll(() => server.stop());

/** A viewer whose token may have been revoked: that can't be checked now. */
const scope = () => ({
  requestId: 'read-only',
  viewer: { kind: 'staff', userId: '1', readOnly: true } as Staff,
  client: { address: '127.0.0.1', userAgent: '' },
  signal: new AbortController().signal,
  reply: { cookies: [] },
});
const run = (document: string) => server.gateway.execute({ document: parse(document) }, scope());

describe('while revocations can not be read', () => {
  it('a viewer may read', async () => {
    expect((await run('{ me { name } }')).data).toEqual({ me: { name: 'Aminah' } });
  });

  it('a viewer may change nothing', async () => {
    const { data, errors } = await run('mutation { pay(no: "A1") { no } }');
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', reason: 'REVOCATION_UNKNOWN' });
  });
});
