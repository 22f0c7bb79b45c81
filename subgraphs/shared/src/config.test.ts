import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { origins, parseConfig, seconds } from './config.ts';

const read = (given: string) => parseConfig(z.object({ ALLOWED_ORIGINS: origins }), { ALLOWED_ORIGINS: given });

describe('origins that a variable names', () => {
  it('are exact, and as many as one likes', () => {
    expect(read('https://console.example, http://localhost:3000').ALLOWED_ORIGINS).toEqual([
      'https://console.example',
      'http://localhost:3000',
    ]);
    expect(read('').ALLOWED_ORIGINS).toEqual([]);
  });

  it.each(['*', 'https://*.example', 'https://console.example,*'])(
    'are no patterns: %s is refused, and why',
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
  ])('are scheme, host and port: %s is refused', (given) => {
    expect(() => read(given)).toThrow('must be origins such as https://shop.example');
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
