import { describe, expect, it } from 'vitest';

import { checkProfile } from './profile.ts';

const rung = (height: number, videoBitrateKbps = height * 4, audioBitrateKbps = 128) => ({
  height,
  videoBitrateKbps,
  audioBitrateKbps,
});
const fields = { name: 'Evening', category: 'video', renditions: [rung(480), rung(1080)] };

describe('a transcoding profile', () => {
  it('keeps its rungs highest first, and its name without blanks around it', () => {
    expect(checkProfile({ ...fields, name: '  Cafe\u0301 ' })).toEqual({
      name: 'Café',
      category: 'video',
      renditions: [rung(1080), rung(480)],
    });
    expect(checkProfile({ ...fields, category: 'audio', renditions: [] }).renditions).toEqual([]);
  });

  it.each([
    [{ name: '  ' }, /name must have 1 to 100/],
    [{ name: 'x'.repeat(101) }, /name must have 1 to 100/],
    [{ name: 'a\nb' }, /one line/],
    [{ name: 'a\0b' }, /one line/],
    [{ name: '\ud800' }, /one line/],
    [{ category: 'film' }, /category must be video or audio/],
    [{ category: 'audio' }, /only video has a ladder/],
    [{ renditions: [rung(481)] }, /481 must be even/],
    [{ renditions: [rung(0, 100)] }, /0 must have height from 2 to 4320/],
    [{ renditions: [rung(4322, 9_000)] }, /4322 must have height from 2 to 4320/],
    [{ renditions: [rung(-2, 100)] }, /-2 must have height/],
    [{ renditions: [rung(480, 49)] }, /videoBitrateKbps from 50 to 100000/],
    [{ renditions: [rung(480, 100_001)] }, /videoBitrateKbps from 50 to 100000/],
    [{ renditions: [rung(480, 900, 8)] }, /audioBitrateKbps from 16 to 1024/],
    [{ renditions: [rung(480, 900), rung(480, 1_000)] }, /480 is named twice/],
    [{ renditions: [rung(480, 900), rung(720, 900)] }, /720 must have more videoBitrateKbps than 480/],
    [{ renditions: [rung(480, 900, 192), rung(720, 1_800, 128)] }, /720 must not have less audioBitrateKbps than 480/],
    [{ renditions: Array.from({ length: 11 }, (_, at) => rung(100 + 2 * at)) }, /at most 10/],
  ])('is refused with %j', (given, message) => {
    expect(() => checkProfile({ ...fields, ...given })).toThrow(message);
  });
});
