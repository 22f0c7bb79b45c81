import { describe, expect, it } from 'vitest';

import { isContinued, isKnown } from './validators.ts';

const object = { size: 10, etag: 'a', modifiedAt: new Date('2030-01-01T12:00:00.700Z') };
const [before, then, after] = [59, 60, 61].map((second) =>
  new Date(Date.UTC(2030, 0, 1, 11, 59, second)).toUTCString(),
);

describe('an object that the client has', () => {
  it('has not changed since the time that the client names', () => {
    expect(isKnown({ 'if-modified-since': then }, object)).toBe(true);
    expect(isKnown({ 'if-modified-since': after }, object)).toBe(true);
    expect(isKnown({ 'if-modified-since': before }, object)).toBe(false);
    expect(isKnown({ 'if-modified-since': 'yesterday' }, object)).toBe(false);
    expect(isKnown({}, object)).toBe(false);
  });

  it('is known by its ETag rather than by its time', () => {
    expect(isKnown({ 'if-none-match': '"b"', 'if-modified-since': after }, object)).toBe(false);
    expect(isKnown({ 'if-none-match': '"a"', 'if-modified-since': before }, object)).toBe(true);
  });

  it('is continued by a part of the same version', () => {
    const later = new Date('2030-01-01T13:00:00Z');
    expect(isContinued(undefined, object, later)).toBe(true);
    expect(isContinued('"a"', object, later)).toBe(true);
    expect(isContinued('W/"a"', object, later)).toBe(false);
    expect(isContinued(then, object, later)).toBe(true);
    expect(isContinued(after, object, later)).toBe(false);
    expect(isContinued(before, object, later)).toBe(false);
  });

  it('may have changed again within the second in which it was changed', () => {
    expect(isContinued(then, object, new Date('2030-01-01T12:00:00.900Z'))).toBe(false);
  });
});
