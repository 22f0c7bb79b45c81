import { Writable } from 'node:stream';

import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { logOptions } from './log.ts';
import { secrets } from './without-secrets.ts';

/** What the log says of these fields. */
function logged(fields: object, { bindings }: { bindings?: object } = {}) {
  const lines: string[] = [];
  const stream = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const log = pino(logOptions('info'), stream);
  (bindings ? log.child(bindings) : log).info(fields, 'something happened');
  return { text: lines.join(''), line: JSON.parse(lines.join('')) };
}

const SECRET = 'correct horse battery staple';

/** Where a field may be in what is logged. */
const places: [where: string, at: (field: object) => object][] = [
  ['a line', (field) => field],
  ['an object', (field) => ({ answer: field })],
  ['a list', (field) => ({ answers: [{ one: 1 }, field] })],
  ['the seventh object', (field) => ({ a: { b: { c: { d: { e: { f: field } } } } } })],
  ['an object that says how it is written', (field) => ({ answer: { toJSON: 'by itself', ...field } })],
  ['a request', (field) => ({ req: { method: 'GET', url: '/', headers: field } })],
  ['an error', (field) => ({ err: Object.assign(new Error('refused'), field) })],
  [
    'what an error belongs to',
    (field) => ({ err: Object.assign(new Error('refused'), { options: { headers: field } }) }),
  ],
  [
    'the cause of an error',
    (field) => ({ err: new Error('refused', { cause: Object.assign(new Error('why'), field) }) }),
  ],
  ['an error that is the line itself', (field) => Object.assign(new Error('refused'), field)],
  ['an error in a list', (field) => ({ errors: [Object.assign(new Error('refused'), field)] })],
];

describe.each(places)('in %s', (_where, at) => {
  it.each(secrets)('the log does not show %s', (name) => {
    const { text } = logged(at({ [name]: SECRET, other: 'seen' }));
    expect(text).not.toContain(SECRET);
    expect(JSON.parse(text)).toMatchObject({ msg: expect.any(String) });
  });
});

describe('the log', () => {
  it('says where a secret was, and shows what is beside it', () => {
    const { line } = logged({ answer: { token: SECRET, status: 200, at: new Date(0) }, codes: [1, 2] });
    expect(line).toMatchObject({
      answer: { token: '[secret]', status: 200, at: '1970-01-01T00:00:00.000Z' },
      codes: [1, 2],
    });
  });

  it('shows no secret of what all lines of a request have in common', () => {
    expect(logged({}, { bindings: { authorization: SECRET } }).line).toMatchObject({ authorization: '[secret]' });
  });

  it('leaves what it was given as it was', () => {
    const fields = Object.freeze({ answer: Object.freeze({ token: SECRET }) });
    logged(fields);
    expect(fields.answer.token).toBe(SECRET);
  });

  it('ends a circle', () => {
    const fields: Record<string, unknown> = { token: SECRET };
    fields['itself'] = { fields };
    expect(logged({ fields }).line).toMatchObject({ fields: { token: '[secret]', itself: { fields: '[Circular]' } } });
  });

  it('shows five hundred objects of what refers to everything', () => {
    let everything: object = { token: SECRET };
    for (let depth = 0; depth < 6; depth += 1) everything = Array.from({ length: 40 }, () => everything);
    const { text } = logged({ everything });
    expect(text).not.toContain(SECRET);
    expect(text).toContain('[Object]');
    expect(text.length).toBeLessThan(300_000);
  });

  it('keeps the stack of an error that holds a secret', () => {
    const { line } = logged({ err: Object.assign(new Error('refused'), { token: SECRET }) });
    expect(line.err).toMatchObject({ type: 'Error', message: 'refused', token: '[secret]' });
    expect(line.err.stack).toContain('log.test.ts');
  });
});
