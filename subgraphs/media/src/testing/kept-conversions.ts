// For tests: a transcoder that keeps what ffmpeg and ffprobe made of a file, so that the same work is done once.
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';

import type { RunOptions, Transcoder } from '#ports/transcoder.ts';
import { playlistsIn } from './playlists-in.ts';

type Conversion = Parameters<Transcoder['convert']>[0];

/** The random name of a folder below that of an attempt, in which a ladder is made. */
const making = /\/own\/([0-9a-f]{8})(?=\/)/g;

/**
 * Wraps a transcoder. Its answers depend on the bytes of the input and on the arguments only: who does the same to the same
 * file again gets copies of the outputs. Inputs are read whole, so it suits small files.
 */
export async function keepingConversions(transcoder: Transcoder) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-kept-'));
  const probed = new Map<string, Promise<unknown>>();
  const converted = new Map<string, ReturnType<typeof convert>>();

  async function convert({ input, before, after }: Conversion, outputs: string, options: RunOptions) {
    await mkdir(outputs, { recursive: true });
    for (const path of [...playlistsIn(after), ...after.filter((word) => word.startsWith(outputs))])
      await mkdir(dirname(path), { recursive: true });
    let seconds = 0;
    const onSeconds = (done: number) => (seconds = Math.max(seconds, done));
    const conversion = { input, after, ...(before && { before }) };
    return transcoder.convert(conversion, { ...options, onSeconds }).then(
      (said) => ({ said, error: null, seconds }),
      (error: unknown) => ({ said: '', error, seconds }),
    );
  }

  const keeping: Transcoder = {
    ...transcoder,
    async probe(file, entries, options) {
      const key = await keyOf(file, [entries]);
      const answer = probed.get(key) ?? transcoder.probe(file, entries, options);
      probed.set(key, answer);
      return structuredClone(await answer);
    },
    async convert({ input, before = [], after }, options) {
      const own = dirname(input);
      const words = after.map((word) => word.replaceAll(own, '/own'));
      const [random = 'made'] = words.flatMap((word) => [...word.matchAll(making)].map(([, name]) => name ?? ''));
      const named = words.map((word) => word.replaceAll(making, '/own/made'));
      const key = await keyOf(input, [...before, '-i', ...named]);
      const outputs = join(folder, key);
      const kept = named.map((word) => word.replaceAll('/own', outputs));
      const conversion = converted.get(key) ?? convert({ input, before, after: kept }, outputs, options);
      converted.set(key, conversion);
      const { said, error, seconds } = await conversion;
      for (const name of await readdir(outputs))
        await cp(join(outputs, name), join(own, name === 'made' ? random : name), { recursive: true });
      if (error) throw error;
      options.onSeconds?.(seconds);
      return said;
    },
  };
  return { transcoder: keeping, close: () => rm(folder, { recursive: true, force: true }) };
}

/** The extension counts: some programs look at it. */
async function keyOf(file: string, words: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(await readFile(file));
  return hash
    .update(JSON.stringify([extname(file), ...words]))
    .digest('hex')
    .slice(0, 24);
}
