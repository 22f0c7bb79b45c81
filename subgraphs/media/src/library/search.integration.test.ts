import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mediaFixture } from '../testing/media-fixture.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;

interface Row {
  title: string;
  originalName?: string;
  fileName?: string;
  fileSize?: number;
  duration?: number | null;
  folder?: string;
  mediaType?: string;
  createdAt?: string;
}

/** In this order: the last one is the newest. */
const rows: Row[] = [
  { title: 'Zebra', fileSize: 5, duration: 12.25, folder: 'news', createdAt: '2026-01-01T00:00:00Z' },
  { title: 'apple', fileSize: 7, duration: null, folder: 'news/2026', createdAt: '2026-02-01T00:00:00Z' },
  { title: 'Apple', fileSize: 7, duration: 0.1, folder: 'news/2026/11', createdAt: '2026-03-01T00:00:00Z' },
  { title: 'apple', fileSize: 7, duration: 12.25, folder: 'newsreel', createdAt: '2026-04-01T00:00:00Z' },
  { title: '100% true', originalName: 'take_1.mov', fileSize: 1, duration: null, folder: 'ne_s' },
  { title: '100 times true', originalName: 'takeX1.mov', fileSize: 2, duration: 900, folder: 'ne_s/x' },
  { title: 'Back\\slash', fileName: 'İstanbul.mp4', fileSize: 2 ** 40, duration: 3, folder: '' },
  { title: 'Sound', mediaType: 'audio', fileSize: 0, duration: 3, folder: '' },
];

beforeAll(async () => {
  server = await openScratchMedia();
  for (const [at, row] of rows.entries()) {
    await server.db.media.create({
      data: mediaFixture({
        mediaType: 'video',
        fileName: `${at}.bin`,
        originalName: `${at}.raw`,
        status: at % 2 === 0 ? 'ready' : 'processing',
        transcodingStage: at % 2 === 0 ? 'done' : 'failed',
        failureReason: at % 2 === 0 ? null : 'unreadable',
        ...row,
      }),
    });
  }
});
afterAll(() => server.stop());

interface List {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  edges: { cursor: string; node: { id: string; title: string; folder: string } }[];
}
const source = `query ($filter: MediaFilter, $sort: MediaSort, $first: Int, $after: String, $offset: Int) {
  mediaList(filter: $filter, sort: $sort, first: $first, after: $after, offset: $offset) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id title folder } }
  }
}`;
const ask = (variables: object) => server.ask(source, { filter: { workspaceId: 'w1' }, ...variables });

async function list(variables: object): Promise<List> {
  const { data, errors } = await ask(variables);
  expect(errors).toBeUndefined();
  return (data as unknown as { mediaList: List }).mediaList;
}
const titles = async (variables: object) => (await list(variables)).edges.map(({ node }) => node.title);
const find = async (filter: object) =>
  (await titles({ filter: { workspaceId: 'w1', ...filter } })).toSorted((one, other) => one.localeCompare(other));
const problemOf = async (variables: object) => {
  const { errors } = await ask(variables);
  return errors?.[0]?.extensions['reason'];
};

const sorts = ['NEWEST', 'OLDEST', 'TITLE', 'LARGEST', 'LONGEST'] as const;

describe('the order of the library', () => {
  it.each([
    ['NEWEST', ['Sound', 'Back\\slash', '100 times true', '100% true', 'apple', 'Apple', 'apple', 'Zebra']],
    ['OLDEST', ['Zebra', 'apple', 'Apple', 'apple', '100% true', '100 times true', 'Back\\slash', 'Sound']],
    ['TITLE', ['100 times true', '100% true', 'apple', 'Apple', 'apple', 'Back\\slash', 'Sound', 'Zebra']],
    ['LARGEST', ['Back\\slash', 'apple', 'Apple', 'apple', 'Zebra', '100 times true', '100% true', 'Sound']],
    ['LONGEST', ['100 times true', 'apple', 'Zebra', 'Sound', 'Back\\slash', 'Apple', '100% true', 'apple']],
  ] as const)('may be %s', async (sort, expected) => {
    expect(await titles({ sort, first: 100 })).toEqual(expected);
  });

  it.each(sorts)('%s has each item once, however it is cut into pages', async (sort) => {
    const whole = await list({ sort, first: 100 });
    for (const first of [1, 2, 3]) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page: List = await list({ sort, first, after });
        expect(page.totalCount).toBe(rows.length);
        seen.push(...page.edges.map(({ node }) => node.id));
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      expect(seen).toEqual(whole.edges.map(({ node }) => node.id));
    }
    expect((await list({ sort, first: 3, offset: 2 })).edges).toEqual(whole.edges.slice(2, 5));
  });

  it('follows a title that is changed', async () => {
    const { id } = await server.db.media.findFirstOrThrow({ where: { title: 'Zebra' } });
    await server.db.media.update({ where: { id }, data: { title: 'aardvark' } });
    expect((await titles({ sort: 'TITLE', first: 3 })).at(2)).toBe('aardvark');
    await server.db.media.update({ where: { id }, data: { title: 'Zebra' } });
  });

  it.each(sorts)('%s continues no cursor of another order, and nothing that is no cursor', async (sort) => {
    for (const other of sorts) {
      const { pageInfo } = await list({ sort: other, first: 1 });
      const problem = await problemOf({ sort, after: pageInfo.endCursor });
      expect(problem).toBe(other === sort ? undefined : 'VALIDATION_FAILED');
    }
    const forged = [
      [],
      [sort],
      [sort, '', '0'],
      [sort, '', '-1'],
      [sort, '', '99999999999'],
      [sort, '', '1', '2'],
      ['constructor', '', '1'],
    ].map((values) => Buffer.from(JSON.stringify(values)).toString('base64url'));
    for (const after of ['x', '%', Buffer.from('media:1').toString('base64url'), ...forged])
      expect(await problemOf({ sort, after })).toBe('VALIDATION_FAILED');
  });

  it('takes no value that its column can not have', async () => {
    const cursor = (...values: string[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const value of ['x', '-1', '1.5', '9'.repeat(40), ''])
      expect(await problemOf({ sort: 'LARGEST', after: cursor('LARGEST', value, '1') })).toBe('VALIDATION_FAILED');
    for (const value of ['x', '1e999', 'NaN'])
      expect(await problemOf({ sort: 'LONGEST', after: cursor('LONGEST', value, '1') })).toBe('VALIDATION_FAILED');
  });
});

describe('a search in the library', () => {
  it('finds a text in titles and names, in any case, sign by sign', async () => {
    expect(await find({ text: 'APP' })).toEqual(['apple', 'apple', 'Apple']);
    expect(await find({ text: '100%' })).toEqual(['100% true']);
    expect(await find({ text: 'take_1' })).toEqual(['100% true']);
    expect(await find({ text: '\\' })).toEqual(['Back\\slash']);
    expect(await find({ text: 'stanbul.MP4' })).toEqual(['Back\\slash']);
    expect(await find({ text: '  zebra ' })).toEqual(['Zebra']);
    expect(await find({ text: 'nothing like it' })).toEqual([]);
    expect(await find({ text: "' OR true; --" })).toEqual([]);
    expect(await find({ text: 'a\0pple' })).toEqual(['apple', 'apple', 'Apple']);
  });

  it("finds names however their letters are composed: a Mac's folders have them apart", async () => {
    const names = { tenant: 'café', folder: 'été/à', title: 'Zürich' };
    const { id } = await server.db.media.findFirstOrThrow({ where: { title: 'Zebra' } });
    await server.db.media.update({ where: { id }, data: names });
    const apart = (text: string) => text.normalize('NFD');
    const filters = [{ text: 'zür' }, { folderTree: 'été' }, { folder: 'été/à' }, { tenant: 'café' }];
    for (const filter of filters) {
      const [[name, value] = ['', '']] = Object.entries(filter);
      expect(apart(value)).not.toBe(value);
      expect([name, await find({ [name]: apart(value) }), await find(filter)]).toEqual([name, ['Zürich'], ['Zürich']]);
    }
    await server.db.media.update({ where: { id }, data: { tenant: 't', folder: 'news', title: 'Zebra' } });
  });

  it('has at most 200 characters', async () => {
    expect(await problemOf({ filter: { workspaceId: 'w1', text: 'x'.repeat(201) } })).toBe('VALIDATION_FAILED');
  });

  it('can be narrowed to a folder with all below it, and to no folder that only begins like it', async () => {
    expect(await find({ folderTree: 'news' })).toEqual(['apple', 'Apple', 'Zebra']);
    expect(await find({ folderTree: '/news/2026/' })).toEqual(['apple', 'Apple']);
    expect(await find({ folderTree: 'ne_s' })).toEqual(['100 times true', '100% true']);
    expect(await find({ folderTree: '' })).toHaveLength(rows.length);
    expect(await find({ folder: 'news' })).toEqual(['Zebra']);
  });

  it('can be narrowed to a type, a state, a stage and a time', async () => {
    const from = '2026-02-01T00:00:00Z';
    const before = '2026-04-01T00:00:00Z';
    expect(await find({ type: 'audio' })).toEqual(['Sound']);
    expect(await find({ status: 'ready', text: 'apple' })).toEqual(['Apple']);
    expect(await find({ transcodingStage: 'failed', text: 'apple' })).toEqual(['apple', 'apple']);
    expect(await find({ createdFrom: from, createdBefore: before })).toEqual(['apple', 'Apple']);
    const reversed = { workspaceId: 'w1', createdFrom: before, createdBefore: from };
    expect(await problemOf({ filter: reversed })).toBe('VALIDATION_FAILED');
    const atYearZero = { workspaceId: 'w1', createdFrom: '0001-01-01T00:00:00+14:00' };
    expect(await problemOf({ filter: atYearZero })).toBe('VALIDATION_FAILED');
  });

  it('counts what it finds', async () => {
    const found = await list({ filter: { workspaceId: 'w1', text: 'apple' }, first: 1, sort: 'TITLE' });
    expect([found.totalCount, found.edges.length]).toEqual([3, 1]);
  });
});
