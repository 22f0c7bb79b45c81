import { describe, expect, it } from 'vitest';

import { openSealer } from './sealer.ts';

const sealer = openSealer('a secret');

describe('a sealed secret', () => {
  it('is read again by the same key, for the same purpose', () => {
    expect(sealer.open(sealer.seal('geheim 密码', 'mail'), 'mail')).toBe('geheim 密码');
  });

  it('can not be opened for another purpose, with another key, or with one bit changed', () => {
    const sealed = sealer.seal('geheim', 'mail');
    const changed = sealed.with(14, (sealed[14] ?? 0) ^ 1);

    expect(() => sealer.open(sealed, 'profile')).toThrow();
    expect(() => openSealer('another secret').open(sealed, 'mail')).toThrow();
    expect(() => sealer.open(changed, 'mail')).toThrow();
  });

  it('never looks the same twice', () => {
    expect(sealer.seal('geheim', 'mail')).not.toEqual(sealer.seal('geheim', 'mail'));
  });
});
