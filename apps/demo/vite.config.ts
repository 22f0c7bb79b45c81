import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, 'generated');

/** Writes each file compressed beside itself, so that the server compresses nothing. */
const compressed: Plugin = {
  name: 'compressed',
  async closeBundle() {
    const files = await readdir(outDir, { recursive: true });
    await Promise.all(
      files.filter((file) => /\.(js|css|html)$/.test(file)).map((file) => compress(join(outDir, file))),
    );
  },
};

async function compress(file: string) {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}

/** Built at generate time into a folder that is not committed; the server serves it. */
export default defineConfig({
  base: '/demo/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic' } },
  plugins: [compressed],
  build: {
    outDir: 'generated',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // hls.js is loaded when something is played, and is as big as all the rest.
    chunkSizeWarningLimit: 700,
  },
});
