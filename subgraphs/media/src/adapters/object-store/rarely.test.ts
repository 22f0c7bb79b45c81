import { describe, expect, it } from 'vitest';

import { rarely } from './rarely.ts';

function aCheck() {
  const state = { calls: 0, now: 0, fails: false };
  const check = rarely(
    async () => {
      state.calls++;
      if (state.fails) throw new Error('full');
    },
    () => state.now,
  );
  return { state, check };
}

describe('a check of the store', () => {
  it('runs once in five seconds, however often it is asked for', async () => {
    const { state, check } = aCheck();
    await Promise.all([check(), check()]);
    state.now = 4_999;
    await check();
    expect(state.calls).toBe(1);
    state.now = 5_000;
    await check();
    expect(state.calls).toBe(2);
  });

  it('runs again after a second when it failed', async () => {
    const { state, check } = aCheck();
    state.fails = true;
    await expect(check()).rejects.toThrow('full');
    state.now = 999;
    await expect(check()).rejects.toThrow('full');
    expect(state.calls).toBe(1);
    state.fails = false;
    state.now = 1_000;
    await check();
    expect(state.calls).toBe(2);
  });
});
