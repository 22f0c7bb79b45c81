import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { allowedOriginsIn, origins, originVariables, parseConfig, readAll, seconds } from './config.ts';

const read = (given: string) => parseConfig(z.object({ ALLOWED_ORIGINS: origins }), { ALLOWED_ORIGINS: given });

describe('a variable with origins', () => {
  it('takes any number of exact origins', () => {
    expect(read('https://console.example, http://localhost:3000').ALLOWED_ORIGINS).toEqual([
      'https://console.example',
      'http://localhost:3000',
    ]);
    expect(read('').ALLOWED_ORIGINS).toEqual([]);
  });

  it.each(['*', 'https://*.example', 'https://console.example,*'])(
    'takes no patterns: %s is refused, with a reason',
    (given) => {
      expect(() => read(given)).toThrow(/^ALLOWED_ORIGINS\.\d: takes no wildcards, .* name each origin/);
    },
  );

  it.each([
    'console.example',
    'https://console.example/',
    'https://console.example:443',
    'null',
    'file://',
    'HTTPS://a.example',
  ])('takes scheme, host and port only: %s is refused', (given) => {
    expect(() => read(given)).toThrow('must be origins such as https://shop.example');
  });
});

describe('the base address of links in mails', () => {
  const allowed = (env: NodeJS.ProcessEnv) => allowedOriginsIn(parseConfig(z.object(originVariables), env));

  it('adds its origin to the allowed ones', () => {
    expect(allowed({ AUTH_FRONTEND_URL: 'http://localhost:3000/app/' })).toEqual(['http://localhost:3000']);
    const ALLOWED_ORIGINS = 'https://shop.example,https://login.example';
    expect(allowed({ ALLOWED_ORIGINS, AUTH_FRONTEND_URL: 'https://login.example/' })).toEqual([
      'https://shop.example',
      'https://login.example',
    ]);
    expect(allowed({ AUTH_FRONTEND_URL: '' })).toEqual([]);
  });

  it('allows no origin when an app opens it, because pages of an app have none', () => {
    expect(allowed({ AUTH_FRONTEND_URL: 'acme-login://open' })).toEqual([]);
  });
});

describe('several variables that can not be used', () => {
  const schema = (name: string) => z.object({ [name]: z.string(), LICENSE: z.string('must be set') });
  const readers = ['FIRST', 'SECOND'].map((name) => () => parseConfig(schema(name), {}));

  it('are all named, each in a line', () => {
    expect(readers[0]).toThrow(/^2 variables to set right:\n {2}FIRST: is missing\n {2}LICENSE: must be set$/);
  });

  it('are named once, whichever parts of a process read them', () => {
    expect(() => readAll(readers)).toThrow(
      /^3 variables to set right:\n {2}FIRST: is missing\n {2}LICENSE: must be set\n {2}SECOND: is missing$/,
    );
  });
});

describe('a duration', () => {
  it.each([
    ['900', 900],
    ['30s', 30],
    ['10m', 600],
    ['168h', 604_800],
    ['7d', 604_800],
    ['168h0m0s', 604_800],
    ['1h30m0s', 5_400],
    ['1.5h', 5_400],
    ['1500ms', 2],
  ])('of %s is %i seconds', (text, whole) => {
    expect(seconds.parse(text)).toBe(whole);
  });

  it.each(['h', '10 m', '1h30', '-5m', '1w', '1.5'])('is not %s', (text) => {
    expect(seconds.safeParse(text).success).toBe(false);
  });
});
