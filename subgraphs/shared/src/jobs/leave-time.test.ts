import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, expect, it } from 'vitest';

import { leavingTime } from './leave-time.ts';

let isBusy = false;
afterEach(() => {
  isBusy = false;
});

const cell = new Int32Array(new SharedArrayBuffer(4));
const blockFor = (ms: number) => Atomics.wait(cell, 0, 0, ms);

/** Keeps the event loop busy, as many requests do, until the end of the test. */
function keepBusy() {
  isBusy = true;
  const turn = () => {
    blockFor(5);
    if (isBusy) setImmediate(turn);
  };
  turn();
}

it('runs a job at once that follows no other', async () => {
  const leaveTime = leavingTime();
  keepBusy();
  let hasBegun = false;

  const done = leaveTime(async () => void (hasBegun = true));

  expect(hasBegun).toBe(true);
  await done;
});

it('lets a job of a backlog wait while the event loop is busy, but not for ever', async () => {
  const leaveTime = leavingTime();
  keepBusy();
  await leaveTime(() => nextTurn());
  let hasBegun = false;

  const done = leaveTime(async () => void (hasBegun = true));

  expect(hasBegun).toBe(false);
  await done;
  expect(hasBegun).toBe(true);
});

it('hands on what a job returns or throws', async () => {
  const leaveTime = leavingTime();

  expect(await leaveTime(async () => 'sent')).toBe('sent');
  await expect(leaveTime(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
