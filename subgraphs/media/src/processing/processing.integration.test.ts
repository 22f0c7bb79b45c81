import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse, type types } from 'hls-parser';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packaged } from '../testing/own-tools.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;
let tools: Awaited<ReturnType<typeof packaged>>;
let files: string;

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'foyer-files-'));
  tools = await packaged();
  server = await openScratchMedia();
});
afterAll(async () => {
  await server.stop();
  await rm(files, { recursive: true, force: true });
});

/** A picture that moves, and a tone that ends half a second before it. */
function aVideo(name: string): string {
  const file = join(files, name);
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=4'];
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=3.5'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  execFileSync(tools.ffmpeg, ['-v', 'error', '-y', ...picture, ...tone, '-af', 'volume=-20dB', ...codecs, file]);
  return file;
}

async function upload(file: string, input: Record<string, unknown>): Promise<number> {
  const token = await server.prepare({ title: 'Test', originalName: 'x', fileSize: (await stat(file)).size, ...input });
  const url = await server.upload(file, token);
  const { id } = await server.db.media.findUniqueOrThrow({ where: { uploadId: url.split('/').at(-1) ?? '' } });
  return id;
}

const ended = (id: number) => server.ended(id);

describe('processing an uploaded file', () => {
  it('makes a video ready, trimmed, normalized, probed and with a preview', async () => {
    const file = aVideo('tone.mp4');
    const media = await ended(await upload(file, { fileName: 'tone.mp4' }));

    expect(media).toMatchObject({
      fileSize: BigInt((await stat(file)).size), // as it was uploaded
      status: 'ready',
      transcodingStage: 'done',
      progress: 100,
      storageKey: 'acme/tests/tone.mp4',
      normalizedKey: 'acme/tests/tone.mp4',
      thumbnailKey: `acme/tests/.thumbnails/${media.id}.jpg`,
      normalizationType: 'linear',
      videoCodec: 'h264',
      pixelFormat: 'yuv420p',
      audioCodec: 'aac',
      width: 640,
      height: 360,
    });
    expect(media.duration).toBeCloseTo(3.5, 0);
    const url = `${server.url}/assets/media/acme/tests/tone.mp4`;
    const whole = await (await fetch(url)).arrayBuffer();
    const bytes = await fetch(url, { headers: { range: 'bytes=4-7' } });
    expect([bytes.status, await bytes.text(), bytes.headers.get('content-range')]).toEqual([
      206,
      'ftyp',
      `bytes 4-7/${whole.byteLength}`,
    ]);
    const preview = await fetch(`${server.url}/assets/${media.thumbnailKey}`);
    expect(preview.headers.get('content-type')).toBe('image/jpeg');
  });

  it('makes a playable ladder and publishes all of it', async () => {
    const { id: profile } = await server.db.transcodingProfile.findFirstOrThrow({
      where: { name: { startsWith: 'Compact' } },
    });
    const input = { fileName: 'ladder.mp4', transcodingProfileId: String(profile) };

    const media = await ended(await upload(aVideo('ladder.mp4'), input));

    const prefix = `acme/tests/${media.id}`;
    expect(media).toMatchObject({
      transcodingStage: 'done',
      storageKey: `${prefix}/source/ladder.mp4`,
      thumbnailKey: `${prefix}/thumbnail.jpg`,
      manifestKey: `${prefix}/hls/master.m3u8`,
      smilKey: `${prefix}/smil/ladder.smil`,
    });
    const master = parse(
      await (await fetch(`${server.url}/assets/${media.manifestKey}`)).text(),
    ) as types.MasterPlaylist;
    expect(master.variants.map(({ uri, resolution }) => [uri, resolution])).toEqual([
      ['360p/index.m3u8', { width: 640, height: 360 }],
      ['audio-1-und/index.m3u8', undefined], // the sound alone
    ]);
    const rung = parse(
      await (await fetch(`${server.url}/assets/${prefix}/hls/360p/index.m3u8`)).text(),
    ) as types.MediaPlaylist;
    expect(rung.segments.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(3.5, 0);
    const smil = await (await fetch(`${server.url}/assets/${media.smilKey}`)).text();
    expect(smil).toContain('src="../hls/360p/index.m3u8"');
  });

  it('makes no ladder for the passthrough profile, but gives it a folder of its own', async () => {
    const { id: profile } = await server.db.transcodingProfile.findFirstOrThrow({ where: { name: 'Passthrough' } });
    const input = { fileName: 'plain.mp4', transcodingProfileId: String(profile) };

    const media = await ended(await upload(aVideo('plain.mp4'), input));

    expect(media).toMatchObject({ transcodingStage: 'done', manifestKey: null, smilKey: null });
    expect(media.storageKey).toBe(`acme/tests/${media.id}/source/plain.mp4`);
  });

  it('does not open a playlist that is named like a video', async () => {
    const file = join(files, 'hostile.mp4');
    await writeFile(file, '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n');

    const media = await ended(await upload(file, { fileName: 'hostile.mp4' }));

    expect(media.transcodingStage).toBe('failed');
    expect(media.failureReason).toMatch(/can not be read as media/);
    expect(media.failureReason).not.toContain(server.folder);
  });

  it('gives two files of one name a key each', async () => {
    const file = join(files, 'notes.txt');
    await writeFile(file, 'notes');
    const input = { fileName: 'notes.txt', mediaType: 'text', mimeType: 'text/plain' };
    const first = await ended(await upload(file, input));
    const second = await ended(await upload(file, input));

    expect(first).toMatchObject({ storageKey: 'acme/tests/notes.txt', mediaType: 'other', thumbnailKey: null });
    expect(second.storageKey).toBe(`acme/tests/notes-${second.id}.txt`);
  });

  it('draws a preview of an image, and of a PDF its first page', async () => {
    const image = join(files, 'poster.png');
    await sharp({ create: { width: 12, height: 16, channels: 3, background: 'navy' } }).toFile(image);
    const pdf = join(files, 'page.pdf');
    await writeFile(pdf, aPdf());

    const picture = await ended(
      await upload(image, { fileName: 'poster.png', mediaType: 'image', mimeType: 'image/png' }),
    );
    const page = await ended(
      await upload(pdf, { fileName: 'page.pdf', mediaType: 'document', mimeType: 'application/pdf' }),
    );

    expect(picture).toMatchObject({ width: 12, height: 16, thumbnailKey: expect.any(String) });
    expect(page).toMatchObject({ transcodingStage: 'done', thumbnailKey: expect.any(String) });
  });

  it('skips the preview of a file that is not really an image', async () => {
    const file = join(files, 'junk.png');
    await writeFile(file, 'this is no image');

    const media = await ended(await upload(file, { fileName: 'junk.png', mediaType: 'image', mimeType: 'image/png' }));

    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done', thumbnailKey: null });
  });

  it('processes again on request, and does not normalize the sound twice', async () => {
    const { id, etag } = await ended(await upload(aVideo('again.mp4'), { fileName: 'again.mp4' }));

    const { errors } = await server.ask('mutation ($id: ID!) { processMedia(id: $id) { transcodingStage } }', {
      id: String(id),
    });
    const again = await ended(id);

    expect(errors).toBeUndefined();
    expect(again).toMatchObject({ run: 2, transcodingStage: 'done', etag });
  });
});

const aPdf = () =>
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Contents 4 0 R>>endobj
4 0 obj<</Length 30>>stream
1 0 0 rg 20 20 160 260 re f   
endstream endobj
trailer<</Root 1 0 R>>`;
