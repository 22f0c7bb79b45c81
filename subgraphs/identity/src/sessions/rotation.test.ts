import { describe, expect, it } from 'vitest';

import { judge } from './rotation.ts';

const [current, previous, older] = [1, 2, 3].map((byte) => new Uint8Array([byte])) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const rotatedAt = new Date('2030-01-01T12:00:00Z');
const after = (seconds: number) => new Date(rotatedAt.getTime() + seconds * 1_000);
const session = { tokenHash: current, prevHash: previous, rotatedAt, expiresAt: after(604_800) };

describe('a refresh token', () => {
  it('counts while it is the current one and the session lives', () => {
    expect(judge(session, current, after(60))).toBe('current');
    expect(judge(session, current, after(604_800))).toBe('expired');
  });

  it('has lost a race when it is the one before, up to ten seconds after the exchange', () => {
    expect(judge(session, previous, after(0))).toBe('rotated');
    expect(judge(session, previous, after(10))).toBe('rotated');
    expect(judge(session, previous, after(10.001))).toBe('reused');
  });

  it('was used before when it is older, however soon', () => {
    expect(judge(session, older, after(1))).toBe('reused');
    expect(judge({ ...session, prevHash: null, rotatedAt: null }, older, after(1))).toBe('reused');
  });
});
