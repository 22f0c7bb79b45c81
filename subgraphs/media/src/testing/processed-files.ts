// For tests: makes files with ffmpeg, and has a media subgraph with the programs of the system process them as if a client
// had uploaded them.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import type { Media as MediaRow } from '@foyer/prisma/client';

import { programEnv } from '../adapters/transcoder.ts';
import { ownTools, packaged } from './own-tools.ts';
import { openScratchMedia } from './scratch-media.ts';

const run = promisify(execFile);

export type ProcessedFiles = Awaited<ReturnType<typeof openProcessedFiles>>;

/** A file after processing. */
export interface ProcessedFile {
  media: MediaRow;
  /** What GraphQL shows of it. */
  shown: {
    normalization: { outcome: string; reason: string | null; type: string | null } | null;
    warnings: { code: string; message: string }[];
  };
  /** A copy of the stored file. */
  copy: string;
}

/** @param env configures the media subgraph */
export async function openProcessedFiles(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-files-'));
  const tools = await packaged();
  const { ffmpeg: FFMPEG_PATH, ffprobe: FFPROBE_PATH } = await ownTools();
  const server = await openScratchMedia({ FFMPEG_PATH, FFPROBE_PATH, ...env });

  const named = (name: string) => join(folder, name);

  /** Runs ffmpeg; the last argument is the name of the output. */
  async function make(...args: string[]): Promise<string> {
    const file = named(args.at(-1) ?? '');
    // Not the packaged one, which writes hardly any disposition.
    await run(FFMPEG_PATH, ['-v', 'error', '-y', ...args.slice(0, -1), file]);
    return file;
  }

  async function fetchKey(key: string, to: string): Promise<string> {
    const response = await fetch(`${server.url}/assets/${key}`);
    await mkdir(join(folder, 'copies'), { recursive: true });
    const file = join(folder, 'copies', to);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    return file;
  }

  return {
    server,
    named,
    make,
    ended: server.ended,
    fetchKey,
    /** Fetches objects and puts them into one file, one after another. */
    async joined(keys: readonly string[], to: string): Promise<string> {
      const parts = await Promise.all(
        keys.map(async (key) => Buffer.from(await (await fetch(`${server.url}/assets/${key}`)).arrayBuffer())),
      );
      await writeFile(named(`joined-${to}`), Buffer.concat(parts));
      return named(`joined-${to}`);
    },
    /** Makes a shorter copy, as of an upload that broke off. */
    async cut(file: string, share: number): Promise<string> {
      const bytes = await readFile(file);
      const shorter = named(`cut-${basename(file)}`);
      // Not at the end of a packet of MPEG-TS, of 188 bytes, where nothing shows that more would follow.
      await writeFile(shorter, bytes.subarray(0, 188 * Math.round((bytes.length * share) / 188) + 100));
      return shorter;
    },
    /** Uploads a file and waits until it is processed. */
    async process(file: string, input: Record<string, unknown> = {}): Promise<ProcessedFile> {
      const fileName = basename(file);
      const { size: fileSize } = await stat(file);
      const token = await server.prepare({ title: 'Test', originalName: 'x', fileName, fileSize, ...input });
      const url = await server.upload(file, token);
      const { id } = await server.db.media.findUniqueOrThrow({ where: { uploadId: url.split('/').at(-1) ?? '' } });
      const media = await server.ended(id);
      const { data } = await server.ask(
        'query ($id: ID!) { media(id: $id) { normalization { outcome reason type } warnings { code message } } }',
        { id: String(id) },
      );
      const shown = JSON.parse(JSON.stringify(data?.['media'])) as ProcessedFile['shown'];
      return { media, shown, copy: await fetchKey(media.storageKey, `${id}-${fileName}`) };
    },
    /** Describes each stream of a file. @param entries of a stream, in the words of ffprobe */
    async streamsOf(file: string, entries: string): Promise<Record<string, unknown>[]> {
      const { stdout } = await run(
        tools.ffprobe,
        ['-v', 'error', '-count_packets', '-show_entries', entries, '-of', 'json', file],
        { env: programEnv },
      );
      return (JSON.parse(stdout) as { streams: Record<string, unknown>[] }).streams;
    },
    /** Runs ffmpeg, and returns what it says. */
    async say(...args: string[]): Promise<string> {
      return (await run(tools.ffmpeg, ['-hide_banner', '-nostats', ...args], { maxBuffer: 1e8 })).stderr;
    },
    /** Returns the pixels of a frame, three bytes each. */
    async pixels(file: string, { at = 0, filter = 'null' } = {}): Promise<Buffer> {
      const args = ['-v', 'error', '-ss', String(at), '-i', file, '-frames:v', '1', '-vf', filter];
      const output = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
      const { stdout } = await run(tools.ffmpeg, [...args, ...output], { encoding: 'buffer', maxBuffer: 1e8 });
      return stdout;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
