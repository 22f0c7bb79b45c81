/** Runs in a process of its own, started by demo-media.ts: sharp would stay in the memory of the server. */
import { join } from 'node:path';

import { answerOnce } from '@foyer/shared/process/run-once';
import sharp from 'sharp';

import { shrink } from '#adapters/previews/shrink.ts';

/** Pictures to draw in the folder, each in the format that its file name says. */
export interface Drawings {
  folder: string;
  pictures: readonly { id: number; svg: string; fileName: string }[];
}

/** A picture that was drawn, and its preview: paths of files, and pixels. */
export interface Drawn {
  id: number;
  file: string;
  preview: string;
  size: { width: number; height: number };
}

answerOnce(async ({ folder, pictures }: Drawings) => {
  const drawn: Drawn[] = [];
  for (const { id, svg, fileName } of pictures) {
    const file = join(folder, fileName);
    const preview = `${file}.jpg`;
    const { width, height } = await sharp(Buffer.from(svg)).toFile(file);
    await shrink(sharp(file)).toFile(preview);
    drawn.push({ id, file, preview, size: { width, height } });
  }
  return drawn;
});
