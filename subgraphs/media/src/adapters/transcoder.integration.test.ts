import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CannotRead } from '../ports/transcoder.ts';
import { findTools, type Tools } from './tools.ts';
import { ffmpegTranscoder } from './transcoder.ts';

let folder: string;
let tools: Tools;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-transcoder-'));
  tools = await findTools();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Another program in ffmpeg's place: it runs under the same limits. */
async function withProgram(script: string) {
  const program = join(folder, `program-${Math.random()}`);
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return ffmpegTranscoder(async () => ({ ...tools, ffmpeg: program, ffprobe: program }));
}

const conversion = { input: 'film.mp4', after: [] };
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const pidIn = async (file: string) => Number(await readFile(join(folder, file), 'utf8'));

describe('a program that takes too long', () => {
  it('is killed, and the file counts as one that can not be read', async () => {
    const transcoder = await withProgram(`echo $$ > ${folder}/slow\nexec sleep 60`);
    const { signal } = new AbortController();

    await expect(transcoder.convert(conversion, { signal, timeoutMs: 3_000 })).rejects.toThrow(CannotRead);
    await expect.poll(async () => isThere(await pidIn('slow'))).toBe(false);
  });

  it('is killed when its result is no longer needed, which is no fault of the file', async () => {
    const transcoder = await withProgram(`echo $$ > ${folder}/unwanted\necho out_time_us=1000000\nexec sleep 60`);
    const controller = new AbortController();
    const running = transcoder.convert(conversion, {
      signal: controller.signal,
      timeoutMs: 60_000,
      onSeconds: () => controller.abort(new Error('deleted')),
    });

    await expect(running).rejects.toThrow('deleted');
    await expect.poll(async () => isThere(await pidIn('unwanted'))).toBe(false);
  });
});

describe('a program that is ended from outside', () => {
  it.each([
    ['that dies of it', 'kill -KILL $$'],
    ['that ends by itself, as ffmpeg does', 'exit 255'],
  ])('%s is no fault of the file', async (_, script) => {
    const transcoder = await withProgram(script);
    const running = transcoder.convert(conversion, { signal: new AbortController().signal, timeoutMs: 60_000 });

    await expect(running).rejects.not.toBeInstanceOf(CannotRead);
    await expect(running).rejects.toThrow('ffmpeg was ended by');
  });
});

describe('the limits of a program', () => {
  it('cover memory, file size and core dumps', async () => {
    const transcoder = await withProgram(`cat /proc/self/limits > ${folder}/limits`);
    await transcoder.convert(conversion, { signal: new AbortController().signal, timeoutMs: 10_000 });
    const limits = await readFile(join(folder, 'limits'), 'utf8');
    const soft = (name: string) => Number(new RegExp(`^Max ${name} +(\\S+)`, 'm').exec(limits)?.[1]);

    expect(tools.prlimit).not.toBeNull();
    expect([soft('address space'), soft('file size'), soft('core file size')]).toEqual([
      // A thread for each processor sets addresses aside of its own.
      (12 + Math.ceil(availableParallelism() / 4)) * 2 ** 30,
      200 * 2 ** 30,
      0,
    ]);
  });

  it('are the fault of the file when exceeded', async () => {
    const transcoder = await withProgram(`echo more > ${folder}/written`); // ffprobe has nothing to write
    const running = transcoder.probe('film.mp4', 'format', { signal: new AbortController().signal, timeoutMs: 10_000 });

    await expect(running).rejects.toThrow(CannotRead);
  });

  it('hide our environment', async () => {
    const transcoder = await withProgram(`env > ${folder}/environment`);
    await transcoder.convert(conversion, { signal: new AbortController().signal, timeoutMs: 10_000 });
    const lines = (await readFile(join(folder, 'environment'), 'utf8')).split('\n').filter(Boolean);
    const ours = lines.filter((line) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(line.split('=')[0] ?? ''));

    expect(ours).toEqual(['GCONV_PATH=/nonexistent']);
  });

  it('include a low priority, so that requests go first', async () => {
    const transcoder = await withProgram(`sleep 0.3; ps -o ni= -p $$ > ${folder}/nice`);
    await transcoder.convert(conversion, { signal: new AbortController().signal, timeoutMs: 10_000 });

    expect(await pidIn('nice')).toBe(10);
  });
});

describe('a program that can not write', () => {
  const words = 'No space left on device';
  it.each([`av_interleaved_write_frame(): ${words}`, `Error writing trailer of /work/out.mp4: ${words}`])(
    'is no fault of the file: %s',
    async (line) => {
      const transcoder = await withProgram(`echo '${line}' >&2; echo 'Conversion failed!' >&2; exit 1`);
      const { signal } = new AbortController();
      await expect(transcoder.convert(conversion, { signal, timeoutMs: 10_000 })).rejects.toMatchObject({
        code: 'ENOSPC',
      });
    },
  );

  it('is not believed from words in the file', async () => {
    const transcoder = await withProgram(`echo '    title           : x: ${words}' >&2; exit 1`);
    const { signal } = new AbortController();
    await expect(transcoder.convert(conversion, { signal, timeoutMs: 10_000 })).rejects.toThrow(CannotRead);
  });
});
