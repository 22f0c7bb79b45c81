import { waitsForALock } from '@foyer/prisma/testing/waits-for-a-lock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mediaFixture } from '../testing/media-fixture.ts';
import { editor, openScratchMedia, operator, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;

beforeAll(async () => {
  server = await openScratchMedia();
});
afterAll(() => server.stop());

type Answer = Awaited<ReturnType<ScratchMedia['ask']>>;
const reasonOf = ({ errors }: Answer) => errors?.[0]?.extensions['reason'];

const rung = { height: 360, videoBitrateKbps: 800, audioBitrateKbps: 96 };
const parts = 'id name category isDefault renditions { height videoBitrateKbps }';

const create = (input: object, viewer = operator) =>
  server.ask(
    `mutation ($input: CreateTranscodingProfileInput!) { profile: createTranscodingProfile(input: $input) { ${parts} } }`,
    { input: { renditions: [rung], ...input } },
    viewer,
  );
const update = (input: object, viewer = operator) =>
  server.ask(
    `mutation ($input: UpdateTranscodingProfileInput!) { profile: updateTranscodingProfile(input: $input) { ${parts} } }`,
    { input },
    viewer,
  );
const remove = (id: string, viewer = operator) =>
  server.ask('mutation ($id: ID!) { deleteTranscodingProfile(id: $id) }', { id }, viewer);

interface Profile {
  id: string;
  name: string;
  isDefault: boolean;
}
const list = async (category: string) => {
  const source = `query ($category: String) { transcodingProfiles(category: $category) { ${parts} } }`;
  const { data } = await server.ask(source, { category });
  return (data as unknown as { transcodingProfiles: Profile[] }).transcodingProfiles;
};
const created = async (input: object) => {
  const { data, errors } = await create(input);
  expect(errors).toBeUndefined();
  return (data as unknown as { profile: Profile }).profile;
};
const defaultsOf = async (category: string) =>
  (await list(category)).flatMap(({ name, isDefault }) => (isDefault ? [name] : []));

describe('transcoding profiles', () => {
  it('are managed by those who run the platform alone', async () => {
    const { id } = await created({ name: 'Of the platform' });

    for (const viewer of [editor, null]) {
      const reason = viewer ? 'FORBIDDEN' : 'UNAUTHENTICATED';
      const source = `mutation ($input: CreateTranscodingProfileInput!) { createTranscodingProfile(input: $input) { id } }`;
      const denied = await server.ask(source, { input: { name: 'Mine', renditions: [] } }, viewer);
      expect(reasonOf(denied)).toBe(reason);
    }
    expect(reasonOf(await update({ id, name: 'Mine' }, editor))).toBe('FORBIDDEN');
    expect(reasonOf(await remove(id, editor))).toBe('FORBIDDEN');
    expect((await list('video')).find((each) => each.id === id)?.name).toBe('Of the platform');
  });

  it('are created, changed and deleted', async () => {
    const { id } = await created({
      name: 'Evening',
      renditions: [rung, { ...rung, height: 720, videoBitrateKbps: 2_000 }],
    });

    const changed = await update({ id, name: 'Night' });
    const rungs = await update({ id, renditions: [{ ...rung, height: 240 }] });

    expect(changed.data).toEqual({
      profile: {
        id,
        name: 'Night',
        category: 'video',
        isDefault: false,
        renditions: [
          { height: 720, videoBitrateKbps: 2_000 },
          { height: 360, videoBitrateKbps: 800 },
        ],
      },
    });
    expect(rungs.data).toMatchObject({ profile: { name: 'Night', renditions: [{ height: 240 }] } });
    expect((await remove(id)).data).toEqual({ deleteTranscodingProfile: id });
    expect(reasonOf(await remove(id))).toBe('TRANSCODING_PROFILE_NOT_FOUND');
    expect(reasonOf(await update({ id: 'nonsense', name: 'x' }))).toBe('TRANSCODING_PROFILE_NOT_FOUND');
  });

  it('say what is wrong with an input, and keep nothing of it', async () => {
    const before = await list('video');

    const { errors } = await create({ name: '', renditions: [{ ...rung, height: 361 }] });

    expect(errors?.[0]?.extensions).toMatchObject({
      reason: 'VALIDATION_FAILED',
      errors: [{ path: 'name' }, { path: 'renditions' }],
    });
    const { id } = before.at(-1) ?? { id: '' };
    expect(reasonOf(await update({ id, name: '\0' }))).toBe('VALIDATION_FAILED');
    expect(await list('video')).toEqual(before);
  });

  it('have a name each, also of two that are created at a time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => create({ name: 'One of four' })));

    expect(outcomes.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    expect(outcomes.filter((each) => reasonOf(each) === 'TRANSCODING_PROFILE_EXISTS')).toHaveLength(3);
    const { id } = await created({ name: 'Other' });
    expect(reasonOf(await update({ id, name: 'One of four' }))).toBe('TRANSCODING_PROFILE_EXISTS');
  });

  it('of a category have exactly one default, however many are changed at a time', async () => {
    const names = ['A', 'B', 'C', 'D'];
    await Promise.all(names.map((name) => created({ name: `First ${name}`, category: 'audio', renditions: [] })));
    expect(await defaultsOf('audio')).toHaveLength(1);

    const profiles = await list('audio');
    const ofVideo = await defaultsOf('video');
    const answers = await Promise.all([
      ...profiles.map(({ id }) => update({ id, isDefault: true })),
      create({ name: 'New default', category: 'audio', isDefault: true, renditions: [] }),
    ]);

    expect(answers.map(reasonOf)).toEqual(answers.map(() => undefined));
    expect(await defaultsOf('audio')).toHaveLength(1);
    expect(ofVideo).toHaveLength(1);
    expect(await defaultsOf('video')).toEqual(ofVideo);
  });

  it('keep the default of a category as long as it has any profile', async () => {
    const first = await created({ name: 'Stills', category: 'image', renditions: [] });
    const second = await created({ name: 'Posters', category: 'image', renditions: [] });
    expect([first.isDefault, second.isDefault]).toEqual([true, false]);

    expect(reasonOf(await remove(first.id))).toBe('DEFAULT_PROFILE_NEEDED');
    expect(reasonOf(await update({ id: first.id, isDefault: false }))).toBe('DEFAULT_PROFILE_NEEDED');
    expect((await update({ id: second.id, isDefault: true })).data).toMatchObject({ profile: { isDefault: true } });
    expect(await defaultsOf('image')).toEqual(['Posters']);
    expect((await remove(first.id)).errors).toBeUndefined();
    expect((await remove(second.id)).errors).toBeUndefined();
    expect(await list('image')).toEqual([]);
  });

  it('in use are neither deleted nor turned into passthrough, but may get other rungs', async () => {
    const { id } = await created({ name: 'In use' });
    const media = await server.db.media.create({
      data: mediaFixture({ mediaType: 'video', transcodingProfileId: Number(id) }),
    });

    expect(reasonOf(await remove(id))).toBe('TRANSCODING_PROFILE_IN_USE');
    expect(reasonOf(await update({ id, renditions: [] }))).toBe('TRANSCODING_PROFILE_IN_USE');
    expect((await update({ id, renditions: [{ ...rung, height: 240 }] })).errors).toBeUndefined();

    await server.db.media.delete({ where: { id: media.id } });
    expect((await update({ id, renditions: [] })).data).toMatchObject({ profile: { renditions: [] } });
    expect((await remove(id)).errors).toBeUndefined();
  });

  it('are in use from the preparation of an upload on', async () => {
    const { id } = await created({ name: 'Prepared' });
    const file = { title: 'x', originalName: 'x', fileName: 'x.mp4', fileSize: 1, transcodingProfileId: id };
    await server.prepare(file);
    expect(reasonOf(await remove(id))).toBe('TRANSCODING_PROFILE_IN_USE');

    await server.db.uploadToken.updateMany({ data: { expiresAt: new Date(0) } });
    expect((await remove(id)).errors).toBeUndefined();
    await expect(server.prepare(file)).rejects.toThrow('There is no such transcoding profile.');
  });

  it('are never deleted under an upload that is prepared at the same time', async () => {
    const { id } = await created({ name: 'Raced' });
    const token = { tokenHash: 'raced', expiresAt: new Date(Date.now() + 60_000), title: 'x', mediaType: 'video' };
    const file = { mimeType: 'x/y', fileSize: 1, originalName: 'x', fileName: 'x', tenant: 't', folder: '' };

    const deleted = await server.db.$transaction(async (tx) => {
      await tx.uploadToken.create({ data: { ...token, ...file, transcodingProfileId: Number(id) } });
      const deletion = remove(id);
      await waitsForALock(server.db);
      return { deletion };
    });

    expect(reasonOf(await deleted.deletion)).toBe('TRANSCODING_PROFILE_IN_USE');
  });
});
