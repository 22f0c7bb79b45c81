import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';

const at = (CONTENT_ORIGIN: string) =>
  readConfig({ PUBLIC_URL: 'https://foyer.example', CONTENT_ORIGIN }).contentOrigin;

describe('the origin of foreign content', () => {
  it('needs a host of its own', () => {
    expect(at('https://foyer-content.example')).toBe('https://foyer-content.example');
    expect(readConfig({}).contentOrigin).toBeUndefined();
  });

  it.each(['https://foyer.example:8443', 'http://foyer.example', 'https://x.example/path', 'x.example'])(
    'is not %s',
    (origin) => {
      expect(() => at(origin)).toThrow('CONTENT_ORIGIN');
    },
  );
});
