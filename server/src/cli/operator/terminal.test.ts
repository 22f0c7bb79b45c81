import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { openTerminal } from './terminal.ts';

/** A terminal on streams that record the output. */
function aTerminal({ isTTY, json = false }: { isTTY: boolean; json?: boolean }) {
  const out = new PassThrough();
  const err = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const terminal = openTerminal({ env: {}, out, err, signal: new AbortController().signal }, json);
  const written = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
  return { terminal, out: () => written(out), err: () => written(err) };
}

function work({ terminal }: ReturnType<typeof aTerminal>) {
  const progress = terminal.progress('orders');
  progress.to(1, 2);
  progress.to(2, 2);
  progress.end();
}

describe('a terminal', () => {
  it('shows a progress bar during long work, beside the result', () => {
    const watched = aTerminal({ isTTY: true });
    work(watched);
    expect(watched.err()).toMatch(/orders .*2\/2/);
    expect(watched.out()).toBe('');
  });

  it.each([{ isTTY: false }, { isTTY: true, json: true }])('shows none without a terminal: %j', (where) => {
    const unwatched = aTerminal(where);
    work(unwatched);
    expect(unwatched.err()).toBe('');
  });

  it('prints the result in words for people, and in JSON for scripts, with exact 64-bit ids', () => {
    const person = aTerminal({ isTTY: true });
    person.terminal.say({ id: 1n }, 'one');
    person.terminal.note('by the way');
    expect([person.out(), person.err()]).toEqual(['one\n', 'by the way\n']);

    const script = aTerminal({ isTTY: false, json: true });
    script.terminal.say({ id: 9_007_199_254_740_993n }, 'one');
    script.terminal.note('by the way');
    expect([script.out(), script.err()]).toEqual(['{"id":"9007199254740993"}\n', '']);
  });
});
