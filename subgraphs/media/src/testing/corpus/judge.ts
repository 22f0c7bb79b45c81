// For tests: compares what came out of an odd source with what must come out.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import sharp from 'sharp';

import { combingOf } from '../combing.ts';
import { packaged } from '../own-tools.ts';
import { readWarnings } from '../../processing/warnings.ts';
import { measuredRate, secondsOf, type Rendition } from '../ladder-validator/rules.ts';
import { validateLadder, type LadderReport } from '../ladder-validator/validate-ladder.ts';
import type { ProcessedCorpus } from './process-corpus.ts';
import { usual, type ComesOut, type OddSource } from './source.ts';

const run = promisify(execFile);

/** Returns sentences about what is wrong with a processed source; none when all is right. */
export async function judge(processed: ProcessedCorpus, { file, out }: OddSource, folder: string): Promise<string[]> {
  const item = await processed.itemOf(file);
  const { transcodingStage: stage, failureReason: reason, manifestKey, smilKey, thumbnailKey } = item;
  if ('fails' in out) {
    const isAsWanted = stage === 'failed' && out.fails.test(reason ?? '');
    return isAsWanted ? [] : [`is ${stage}, with the reason "${reason}", instead of failed for ${String(out.fails)}`];
  }
  if (stage !== 'done' || !manifestKey || !smilKey) return [`is ${stage}: ${reason}`];

  const report = await validateLadder({ manifestKey, smilKey, read: processed.read, folder });
  const wanted = { ...usual, ...out };
  const faults = [...report.faults, ...compare(report, wanted)];
  const warnings = readWarnings(item.warnings).map(({ code }) => code);
  if (warnings.join() !== wanted.warnings.join())
    faults.push(`has the warnings [${warnings.join()}], not [${wanted.warnings.join()}]`);
  // Where a rung has far fewer lines than its source, no picture shows whether it was.
  if (out.deinterlaced && !processed.isDeinterlaced(file)) faults.push('is interlaced, but was not deinterlaced');
  if (!out.deinterlaced && processed.isDeinterlaced(file)) faults.push('is progressive, but was deinterlaced');
  const [top] = report.variants;
  if (top && out.deinterlaced) faults.push(...(await combed(top.rendition)));
  if (top && out.toneMapped) faults.push(...notMapped(top.rendition));
  if (out.soundFrom !== undefined) faults.push(...(await shifted(report, out.soundFrom)));
  const preview = thumbnailKey ? await processed.read(thumbnailKey) : null;
  faults.push(...(await wrongPreview(preview, wanted.aspect)));
  return faults;
}

type Wanted = Required<Pick<ComesOut, keyof typeof usual>>;

function compare({ variants, audio, subtitles }: LadderReport, wanted: Wanted): string[] {
  const faults: string[] = [];
  const differ = (what: string, is: unknown, should: unknown) =>
    faults.push(`${what}: ${String(is)}, not ${String(should)}`);
  const names = variants.map(({ name }) => name).join();
  if (names !== wanted.rungs.join()) differ('rungs', names, wanted.rungs);
  for (const { name, width, height, rendition } of variants) {
    if (!isOfShape({ width, height }, wanted.aspect)) differ(`shape of ${name}`, `${width}x${height}`, wanted.aspect);
    const seconds = secondsOf(rendition);
    if (Math.abs(seconds - wanted.seconds) > wanted.within) differ(`seconds of ${name}`, seconds, wanted.seconds);
    const rate = rendition.video ? measuredRate(rendition.video) : 0;
    if (wanted.rate !== null && rate > 0 && Math.abs(rate - wanted.rate) > 0.01 * wanted.rate)
      differ(`frames per second of ${name}`, rate, wanted.rate);
  }
  const languages = (tags: readonly string[]) => tags.map(canonical).toSorted().join();
  if (languages(audio) !== languages(wanted.audio)) differ('sound', audio, wanted.audio);
  if (languages(subtitles) !== languages(wanted.subtitles)) differ('subtitles', subtitles, wanted.subtitles);
  return faults;
}

/** Three letters and two may name the same language. */
const canonical = (tag: string) => Intl.getCanonicalLocales(tag)[0] ?? tag;

/** Sizes are even numbers of pixels: each side may be off by one. */
function isOfShape({ width, height }: { width: number; height: number }, aspect: number): boolean {
  const share = width / height / aspect;
  return Math.abs(share - 1) <= 1.01 / width + 1.01 / height;
}

async function saidBy(args: readonly string[]): Promise<string> {
  const { ffmpeg } = await packaged();
  const { stderr } = await run(ffmpeg, ['-hide_banner', '-nostdin', '-nostats', ...args, '-f', 'null', '-'], {
    timeout: 60_000,
  });
  return stderr;
}

/** Looks for lines of two moments in a frame of the middle. */
async function combed({ file, uri, video }: Rendition): Promise<string[]> {
  const { ffmpeg } = await packaged();
  const args = ['-v', 'error', '-nostdin', '-ss', '0.5', '-i', file, '-frames:v', '1'];
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-'];
  const { stdout } = await run(ffmpeg, [...args, ...raw], { encoding: 'buffer', timeout: 60_000 });
  const combing = combingOf(stdout, video?.width ?? 1);
  return stdout.length > 0 && combing < 1 ? [] : [`${uri}: its lines are of two moments (${combing.toFixed(2)})`];
}

function notMapped({ uri, video }: Rendition): string[] {
  const { color_transfer: transfer = 'unknown' } = video ?? {};
  return ['bt709', 'smpte170m', 'bt470bg', 'unknown'].includes(transfer) ? [] : [`${uri}: is still in ${transfer}`];
}

/** Looks for the first moment that can be heard, measured from the first frame. */
async function shifted({ variants }: LadderReport, soundFrom: number): Promise<string[]> {
  const [top] = variants;
  if (!top) return [];
  const { file, uri, video } = top.rendition;
  const said = await saidBy([
    '-i',
    file,
    '-map',
    '0:a:0',
    '-af',
    'aresample=async=1:first_pts=0,silencedetect=n=-60dB:d=0.1',
  ]);
  const begins = Number(/silence_end: ([\d.]+)/.exec(said)?.[1] ?? 0) - (video?.packets[0]?.from ?? 0);
  return Math.abs(begins - soundFrom) > 0.1 ? [`${uri}: sound begins at ${begins.toFixed(2)} s, not ${soundFrom}`] : [];
}

async function wrongPreview(bytes: Buffer | null, aspect: number): Promise<string[]> {
  if (!bytes) return ['has no preview'];
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  if (data.length === 0) return ['its preview is empty'];
  return isOfShape(info, aspect) ? [] : [`its preview is ${info.width}x${info.height}, not of the shape ${aspect}`];
}
