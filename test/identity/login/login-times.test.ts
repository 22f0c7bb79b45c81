import { afterAll, beforeAll, expect, it } from 'vitest';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../../support/servers/server-process.ts';
import { DEMO_PASSWORD, send } from '../../support/fixtures/people.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServerProcess({ LOGIN_FLOOR_MS: '300', RATE_LIMITS: 'off' });
});
afterAll(() => stopServerProcess(server));

const ROUNDS = 12;

/** How long each kind of refused login takes, all kinds at the same time, in several rounds. */
async function timesOf(kinds: Record<string, (round: number) => object>) {
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(
      Object.entries(kinds).map(async ([kind, bodyOf]) => {
        const started = performance.now();
        const { json } = await send(server, 'POST', '/api/v1/login', { body: bodyOf(round) });
        expect(json.code).toBe('INVALID_CREDENTIALS');
        times.get(kind)?.push(performance.now() - started);
      }),
    );
  return times;
}

/** How often a time of one kind is above one of the other: about half when they can't be told apart. */
function shareAbove(one: readonly number[], other: readonly number[]): number {
  const above = one.flatMap((a) => other.map((b) => Number(a > b)));
  return above.reduce((sum, is) => sum + is, 0) / above.length;
}

it('nobody can tell an unknown user, a wrong password and a non-member apart by the time of the answer', async () => {
  const times = [
    ...(await timesOf({
      stranger: (round) => ({ username: `nobody${round}@acme.test`, password: DEMO_PASSWORD, company_code: 'ACME' }),
      wrong: () => ({ username: 'viewer@acme.test', password: 'Wrong-password-1', company_code: 'ACME' }),
      foreign: () => ({ username: 'member@acme.test', password: DEMO_PASSWORD, company_code: 'BORNEO' }),
    })),
  ];
  for (const [one, ofOne] of times)
    for (const [other, ofOther] of times) {
      if (one === other) continue;
      const share = shareAbove(ofOne, ofOther);
      // The probability of a wrong alarm is one in ten thousand for twelve against twelve.
      expect([one, other, share > 0.06 && share < 0.94]).toEqual([one, other, true]);
    }
});
