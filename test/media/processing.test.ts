import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ffmpeg, madeByFfmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { asset, ended, processed, profileId } from '../support/fixtures/media.ts';
import { send } from '../support/fixtures/people.ts';
import { testVideo } from '../support/fixtures/video.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-processing-'));
  server = await sharedServer();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const aFile = async (name: string, content: string | Uint8Array) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};
const aPdfWithoutPages = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 1>>endobj
trailer<</Root 1 0 R>>`;
const slides = { mediaType: 'slides', mimeType: 'application/vnd.oasis.opendocument.presentation' };
const kindOf = async (media: Json) => (await asset(server, media.thumbnailKey)).headers.get('content-type');

describe('a video', () => {
  it('with a ladder profile gets a ladder, in a folder of its own', async () => {
    const media = await processed(server, await testVideo(folder, { seconds: 2 }), {
      folder: 'ladder',
      transcodingProfileId: await profileId(server, 'Compact'),
    });
    expect(media).toMatchObject({
      transcodingStage: 'done',
      progress: 100,
      storageKey: `acme/ladder/${media.id}/source/test-picture-2.mp4`,
      manifestKey: `acme/ladder/${media.id}/hls/master.m3u8`,
      smilKey: `acme/ladder/${media.id}/smil/ladder.smil`,
      videoCodec: 'h264',
      pixelFormat: 'yuv420p',
      audioCodec: 'aac',
    });
  });

  it('with the passthrough profile gets none, but a folder of its own', async () => {
    const media = await processed(server, await testVideo(folder, { seconds: 2 }), {
      folder: 'passthrough',
      transcodingProfileId: await profileId(server, 'Passthrough'),
    });
    expect(media).toMatchObject({ transcodingStage: 'done', manifestKey: null, smilKey: null });
    expect(media.storageKey).toBe(`acme/passthrough/${media.id}/source/test-picture-2.mp4`);
  });

  it('without a profile has a flat key', async () => {
    const media = await processed(server, await testVideo(folder, { seconds: 2 }), { folder: 'flat' });
    expect(media).toMatchObject({
      transcodingStage: 'done',
      storageKey: 'acme/flat/test-picture-2.mp4',
      manifestKey: null,
      smilKey: null,
    });
    expect(await kindOf(media)).toBe('image/jpeg');
  });
});

describe('the answer for a video', () => {
  async function aFilm(name: string): Promise<string> {
    const file = join(folder, name);
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=2', '-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=2'];
    await madeByFfmpeg(file, [...inputs, '-pix_fmt', 'yuv420p', '-c:a', 'mp2']);
    return file;
  }
  const answered = async (file: string) => {
    const { normalization, warnings, status } = await processed(server, file, { folder: 'answers' });
    return { normalization, warnings, status };
  };
  const normalized = { outcome: 'applied', reason: null, type: 'linear' };

  it('says that it was normalized', async () => {
    expect(await answered(await aFilm('whole.mkv'))).toEqual({
      status: 'ready',
      normalization: normalized,
      warnings: [],
    });
  });

  it('says why it was not', async () => {
    expect(await answered(await aFilm('kept.avi'))).toEqual({
      status: 'ready',
      normalization: {
        outcome: 'skipped',
        reason: 'Files of the format "avi" are kept as they are.',
        type: null,
      },
      warnings: [],
    });
  });

  it('warns that it breaks off', async () => {
    const file = await aFilm('cut.mkv');
    await truncate(file, Math.floor((await stat(file)).size * 0.6));

    expect(await answered(file)).toEqual({
      status: 'ready',
      normalization: normalized,
      warnings: [{ code: 'TRUNCATED', message: expect.stringMatching(/after 1\.\d/) }],
    });
  });
});

describe('a hostile file', () => {
  const failed = async (file: string) => {
    const media = await processed(server, file, { folder: 'hostile' });
    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'failed', failureReason: expect.any(String) });
    expect(media.failureReason).not.toContain(server.dataDir);
    return media;
  };

  it.each([
    ['playlist.mp4', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n'],
    ['concat.mp4', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    ['remote.mp4', '#EXTM3U\n#EXTINF:10,\nhttp://169.254.169.254/latest/meta-data\n#EXT-X-ENDLIST\n'],
    ['session.mp4', 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n'],
    ['dash.mp4', '<?xml version="1.0"?><MPD><Period><BaseURL>file:///etc/passwd</BaseURL></Period></MPD>'],
  ])('that refers to other files opens none of them: %s', async (name, content) => {
    const media = await failed(await aFile(name, content));

    expect(await (await asset(server, media.storageKey)).text()).toBe(content);
  });

  it('that is truncated fails with a reason, and is kept unchanged', async () => {
    const file = join(folder, 'cut-off.mp4');
    execFileSync('cp', [await testVideo(folder, { seconds: 3 }), file]);
    await truncate(file, 20_000);
    const media = await failed(file);

    expect(Number((await asset(server, media.storageKey)).headers.get('content-length'))).toBe(20_000);
  });

  it('of no bytes fails with a reason', async () => {
    expect((await failed(await aFile('nothing.mp4', ''))).fileSize).toBe(0);
  });

  it('that unpacks to a picture of a billion pixels is not unpacked', async () => {
    const file = join(folder, 'bomb.mkv');
    const huge = ['-f', 'lavfi', '-i', 'color=c=black:s=16000x16000:d=0.04:r=25', '-c:v', 'png'];
    execFileSync(await ffmpeg(), ['-v', 'error', '-y', ...huge, file]);
    const media = await processed(server, file, {
      folder: 'hostile',
      transcodingProfileId: await profileId(server, 'Compact'),
    });

    expect(media).toMatchObject({ transcodingStage: 'failed', failureReason: expect.any(String), manifestKey: null });
  });

  it('that claims to be an image of billions of pixels gets no preview', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"><rect width="9" height="9"/></svg>';
    const media = await processed(server, await aFile('bomb.svg', svg), {
      folder: 'hostile',
      mediaType: 'image',
      mimeType: 'image/svg+xml',
    });

    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done', thumbnailKey: null });
  });

  it.each([
    ['junk.pdf', '%PDF-1.4 nothing', { mediaType: 'document', mimeType: 'application/pdf' }],
    ['no-page.pdf', aPdfWithoutPages, { mediaType: 'document', mimeType: 'application/pdf' }],
    ['junk.odp', 'PK nothing', slides],
    ['junk.png', 'nothing', { mediaType: 'image', mimeType: 'image/png' }],
  ])('of another type than declared gets no preview: %s', async (name, content, what) => {
    const media = await processed(server, await aFile(name, content), { folder: 'hostile', ...what });

    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done', thumbnailKey: null });
  });

  it('can be processed again, and fails again with its reason', async () => {
    const { id } = await failed(await aFile('again.mp4', 'this is no video'));
    expect((await send(server, 'POST', `/api/media/${id}/process`)).status).toBe(200);

    expect(await ended(server, id)).toMatchObject({ transcodingStage: 'failed', failureReason: expect.any(String) });
  });
});
