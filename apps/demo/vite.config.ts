import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, 'generated');

/** Writes each file compressed beside itself, so that the server compresses nothing. */
const compressed: Plugin = {
  name: 'compressed',
  closeBundle() {
    for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|html)$/.test(file)) continue;
      const content = readFileSync(join(outDir, file));
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      writeFileSync(join(outDir, `${file}.br`), brotliCompressSync(content, { params }));
      writeFileSync(join(outDir, `${file}.gz`), gzipSync(content, { level: 9 }));
    }
  },
};

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
