import { readFile, rename, writeFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nonsenseInTheMiddle } from '../testing/corpus/edits.ts';
import { openProcessedFiles, type ProcessedFiles } from '../testing/processed-files.ts';

let files: ProcessedFiles;

beforeAll(async () => {
  files = await openProcessedFiles();
});
afterAll(() => files.stop());

const input = (source: string, ...before: string[]) => [...before, '-f', 'lavfi', '-i', source];
const picture = (seconds: number) => input(`testsrc2=s=160x90:r=25:d=${seconds}`);
const tone = (seconds: number, gain: number, pitch = 440) =>
  input(`sine=f=${pitch}:r=48000:d=${seconds},volume=${gain}dB`);
const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'.split(' ');

const ends = 'stream=codec_type,start_time,duration:stream_tags=DURATION';

/** Integrated loudness of a track after EBU R128, in LUFS. */
async function loudnessOf(file: string, track: number): Promise<number> {
  const said = await files.say('-i', file, '-map', `0:a:${track}`, '-af', 'ebur128', '-f', 'null', '-');
  return Number(/I:\s+(-?[\d.]+) LUFS/.exec(said.slice(said.lastIndexOf('Summary:')))?.[1]);
}

const subtitles = '1\n00:00:00,500 --> 00:00:01,500\nSelamat datang\n';

/** A film with two sounds, one quiet and one loud, and subtitles. */
async function twoSounds(name: string, subtitleCodec: string): Promise<string> {
  await writeFile(files.named('words.srt'), subtitles);
  const inputs = [...picture(3), ...tone(3, -30), ...tone(3, -3, 880), '-i', files.named('words.srt')];
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=msa'];
  const titles = ['-metadata:s:a:1', 'title=Komentar', '-metadata:s:a:1', 'handler_name=Komentar'];
  const purposes = ['-disposition:a:0', 'default', '-disposition:a:1', 'comment'];
  const words = ['-c:s', subtitleCodec, '-metadata:s:s:0', 'language=msa'];
  const maps = ['-map', '0', '-map', '1', '-map', '2', '-map', '3'];
  return files.make(...inputs, ...maps, ...codecs, ...languages, ...titles, ...purposes, ...words, name);
}

describe('normalizing', () => {
  it.each([
    ['two-sounds.mp4', 'mov_text'],
    ['two-sounds.mkv', 'subrip'],
  ])('keeps every track of %s, with its language, title and purpose', async (name, subtitleCodec) => {
    const { shown, copy } = await files.process(await twoSounds(name, subtitleCodec));

    expect(shown).toEqual({ normalization: { outcome: 'applied', reason: null, type: 'linear' }, warnings: [] });
    const entries = 'stream=codec_type,codec_name:stream_tags=language,title,handler_name:stream_disposition=comment';
    const [, first, second, words] = await files.streamsOf(copy, entries);
    expect(first).toMatchObject({ codec_name: 'aac', tags: { language: 'eng' }, disposition: { comment: 0 } });
    expect(second).toMatchObject({ codec_name: 'aac', tags: { language: 'msa' }, disposition: { comment: 1 } });
    expect(JSON.stringify(second)).toContain('Komentar');
    expect(words).toMatchObject({ codec_name: subtitleCodec, tags: { language: 'msa' } });
  });

  it('brings each track to the target loudness by its own measure', async () => {
    const { copy } = await files.process(await twoSounds('each-loudness.mp4', 'mov_text'));

    expect(await loudnessOf(copy, 0)).toBeCloseTo(-23, 0);
    expect(await loudnessOf(copy, 1)).toBeCloseTo(-23, 0);
  });

  it.each(['late.mp4', 'late.mkv', 'late.ts'])(
    'does not cut the picture of %s, whose sound starts late',
    async (name) => {
      const late = input('sine=r=48000:d=2', '-itsoffset', '2');
      const { media, shown, copy } = await files.process(
        await files.make(...picture(4), ...late, ...codecs, '-map', '0', '-map', '1', name),
      );

      expect(shown).toMatchObject({ normalization: { outcome: 'applied' }, warnings: [] });
      expect(media.duration).toBeCloseTo(4, 0);
      const streams = await files.streamsOf(copy, ends);
      const [begins = 0, sounds = 0] = streams.map(({ start_time: at }) => Number(at));
      expect(sounds - begins).toBeCloseTo(2, 0);
    },
  );

  it('leaves a pause in the sound as long as it was', async () => {
    const pause = input("sine=r=48000:d=4,aselect='not(between(t,1,3))'");
    const { copy } = await files.process(await files.make(...picture(4), ...pause, ...codecs, 'pause.mkv'));

    const said = await files.say('-i', copy, '-af', 'silencedetect=noise=-50dB:d=1', '-f', 'null', '-');
    expect(Number(/silence_duration: ([\d.]+)/.exec(said)?.[1])).toBeCloseTo(2, 0);
  });

  it('recognizes the container by content, whatever the file is named', async () => {
    const film = await files.make(...picture(2), ...tone(2, -30), ...codecs, 'film.mp4');
    const nameless = files.named('film-without-extension');
    await rename(film, nameless);

    const { media, shown, copy } = await files.process(nameless);

    expect(shown.normalization).toEqual({ outcome: 'applied', reason: null, type: 'linear' });
    expect(media.storageKey).toBe('acme/tests/film-without-extension');
    expect(await loudnessOf(copy, 0)).toBeCloseTo(-23, 0);
    const bytes = (await readFile(copy)).toString('latin1');
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  it('says why a file is kept as it is', async () => {
    const film = await files.make(...picture(1), ...tone(1, -30), '-c:v', 'mpeg4', '-c:a', 'mp2', 'film.avi');

    const { shown, media } = await files.process(film);

    expect(shown.normalization).toEqual({
      outcome: 'skipped',
      reason: 'Files of the format "avi" are kept as they are.',
      type: null,
    });
    expect(media).toMatchObject({ transcodingStage: 'done', normalizedKey: null });
  });

  it('copies a silent track as it is, and normalizes the others', async () => {
    const film = [...picture(2), ...input('anullsrc=r=48000:cl=stereo', '-t', '2'), ...tone(2, -30)];
    const maps = ['-map', '0', '-map', '1', '-map', '2'];
    const { shown, copy } = await files.process(await files.make(...film, ...maps, ...codecs, 'one-silent.mp4'));

    expect(shown.normalization).toMatchObject({ outcome: 'applied', type: 'linear' });
    expect(await loudnessOf(copy, 1)).toBeCloseTo(-23, 0);
  });
});

describe('a file that breaks off', () => {
  const film = (name: string, ...more: string[]) =>
    files.make(...picture(4), ...tone(4, -20), ...codecs, ...more, name);

  it.each([
    ['mp4', ['-movflags', '+faststart']],
    ['mkv', []],
    ['ts', []],
    ['flv', []],
  ])('is ready with a warning: %s', async (extension, more) => {
    const whole = await film(`whole.${extension}`, ...more);
    const { media, shown } = await files.process(await files.cut(whole, 0.6));

    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done' });
    expect(shown).toMatchObject({ normalization: { outcome: 'applied' }, warnings: [{ code: 'TRUNCATED' }] });
    expect(shown.warnings[0]?.message).toMatch(/after 2\.\d/);
  });

  it('has no warning when it is whole', async () => {
    for (const name of ['sound.mp4', 'sound.mkv', 'sound.ts', 'sound.flv'])
      expect((await files.process(await film(name))).shown.warnings).toEqual([]);
  });

  it('is ready with a warning as webm, whose recorder stated no duration', async () => {
    const webm = '-c:v libvpx -deadline realtime -c:a libopus -live 1'.split(' ');
    const whole = await files.make(...picture(4), ...tone(4, -20), ...webm, 'live.webm');
    const { shown } = await files.process(await files.cut(whole, 0.6));

    expect(shown).toMatchObject({ normalization: { outcome: 'applied' }, warnings: [{ code: 'TRUNCATED' }] });
  });

  it('is ready with a warning as a sound', async () => {
    const whole = await files.make(...tone(4, -20), 'sound.flac');
    const { media, shown } = await files.process(await files.cut(whole, 0.5), {
      mediaType: 'audio',
      mimeType: 'audio/flac',
    });

    expect(media.transcodingStage).toBe('done');
    expect(shown).toMatchObject({ normalization: null, warnings: [{ code: 'TRUNCATED' }] });
  });

  it('is ready with a warning as a picture, and has none when it is whole', async () => {
    const whole = await files.make(...picture(1), '-frames:v', '1', 'picture.png');
    const claimed = { mediaType: 'image', mimeType: 'image/png' };
    const { media, shown } = await files.process(await files.cut(whole, 0.6), claimed);

    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done' });
    expect(shown.warnings).toMatchObject([{ code: 'TRUNCATED' }]);
    expect((await files.process(whole, claimed)).shown.warnings).toEqual([]);
  });

  it('is failed, with the reason, as an MP4 whose index was to come last', async () => {
    const { media } = await files.process(await files.cut(await film('index-last.mp4'), 0.6));

    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'failed' });
    expect(media.failureReason).toContain('breaks off before its index (moov)');
  });

  it('keeps its warning when it is processed again', async () => {
    const { media } = await files.process(await files.cut(await film('again.mkv'), 0.6));
    await files.server.ask('mutation ($id: ID!) { processMedia(id: $id) { id } }', { id: String(media.id) });

    expect(await files.ended(media.id)).toMatchObject({ run: 2, warnings: [{ code: 'TRUNCATED' }] });
  });
});

describe('sound that is damaged in the middle', () => {
  const noise = input('anoisesrc=r=48000', '-t', '4');
  const damage = async (file: string) => {
    await writeFile(file, nonsenseInTheMiddle(6000)(await readFile(file)));
    return file;
  };

  it.each([
    ['alone', 'sound.m4a', [], { mediaType: 'audio', mimeType: 'audio/mp4' }],
    ['beside a picture without a ladder', 'film.mp4', input('color=s=32x32:r=5', '-t', '4'), {}],
  ] as const)('is ready with a warning: %s', async (_, name, beside, claimed) => {
    const file = await files.make(...beside, ...noise, ...codecs, '-b:a', '256k', '-movflags', '+faststart', name);
    const { media, shown } = await files.process(await damage(file), claimed);

    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done' });
    expect(shown.warnings).toEqual([{ code: 'DAMAGED', message: expect.stringContaining('of the sound') }]);
  });
});
