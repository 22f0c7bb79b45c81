import { Refusal } from '../errors.ts';
import { logOptions } from '../telemetry/log.ts';
import { GraphQLError } from 'graphql';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';

import { maskedAtSource, publicError } from './error-masking.ts';

const lines: string[] = [];
beforeEach(() => void (lines.length = 0));
const where = { requestId: 'req-1', log: pino(logOptions('info'), { write: (line: string) => void lines.push(line) }) };

/** An error of a foreign subgraph, as a client would get it. */
const told = (message: string, extensions: Record<string, unknown>) =>
  publicError(maskedAtSource(new GraphQLError(message, { path: ['a'], extensions }), where), where).toJSON();

const masked = {
  message: 'Something went wrong on our side.',
  path: ['a'],
  extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'req-1' },
};

describe('an error of a foreign subgraph', () => {
  it.each([
    ['failed and says why', { code: 'INTERNAL_SERVER_ERROR', reason: 'Prisma P1001', stacktrace: ['at /srv/db.js:1'] }],
    ['has a code that we do not know', { code: 'DATABASE_ERROR', reason: 'P1001' }],
    ['has a code that every object has', { code: 'toString', reason: 'P1001' }],
    ['has no reason', { code: 'FORBIDDEN' }],
  ])('that %s is masked and logged', (_what, extensions) => {
    expect(told('connect ECONNREFUSED 10.0.0.7:5432', extensions)).toEqual(masked);
    expect(lines.join()).toContain('10.0.0.7');
  });

  it('that is a refusal is shown, without its stack', () => {
    const stack = { stacktrace: ['at /srv/app.js:1'], exception: { stacktrace: ['at /srv/app.js:1'] } };

    expect(told('That is not yours.', { code: 'FORBIDDEN', reason: 'NOT_YOURS', hint: 'ask', ...stack })).toEqual({
      message: 'That is not yours.',
      path: ['a'],
      extensions: { code: 'FORBIDDEN', reason: 'NOT_YOURS', hint: 'ask', requestId: 'req-1' },
    });
    expect(lines).toEqual([]);
  });
});

it('a refusal of Foyer is shown with its facts', () => {
  const error = new GraphQLError('Too late.', {
    path: ['a'],
    originalError: new Refusal('CONFLICT', 'SALE_CLOSED', 'Too late.', { closedAt: 'noon' }),
  });

  expect(publicError(maskedAtSource(error, where), where).extensions).toEqual({
    code: 'CONFLICT',
    reason: 'SALE_CLOSED',
    closedAt: 'noon',
    requestId: 'req-1',
  });
});

it('an error of a database that went away is a refusal, wherever it was thrown', () => {
  const originalError = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'P1017' });
  const error = new GraphQLError('failed', { path: ['a'], originalError });
  const busy = { code: 'UPSTREAM_UNAVAILABLE', reason: 'DATABASE_BUSY', retryAfter: 1, requestId: 'req-1' };

  for (const shown of [publicError(error, where), publicError(maskedAtSource(error, where), where)])
    expect([shown.path, shown.extensions]).toMatchObject([['a'], busy]);
});
