import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { origins, parseConfig } from './config.ts';

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
