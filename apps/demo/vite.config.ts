import { defineConfig } from 'vite';

/** Built at generate time into a folder that is not committed; the server serves it. */
export default defineConfig({
  base: '/demo/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: 'generated',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // hls.js is loaded when something is played, and is as big as all the rest.
    chunkSizeWarningLimit: 700,
  },
});
