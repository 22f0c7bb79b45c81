import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { inTime } from './in-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);

describe('a call that has a time limit', () => {
  it('is over when the time is, though it does not listen', async () => {
    const answer = inTime(5_000, never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answer).toMatchObject({ name: 'TimeoutError', message: 'no answer within 5000 ms' });
  });

  it('is told that the time is over', async () => {
    let heard: AbortSignal | undefined;
    const answer = inTime(5_000, (signal) => ((heard = signal), never())).catch(() => 'late');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(heard?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard?.aborted).toBe(true);
    expect(await answer).toBe('late');
  });

  it.each([
    ['an answer', () => Promise.resolve('hello')],
    ['a failure', () => Promise.reject(new Error('hello'))],
  ])('passes on %s, and leaves no timer', async (_what, call) => {
    const answer = await inTime(5_000, call).catch((error: Error) => error.message);
    expect([answer, vi.getTimerCount()]).toEqual(['hello', 0]);
  });
});
