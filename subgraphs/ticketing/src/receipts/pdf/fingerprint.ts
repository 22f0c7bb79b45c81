import { createHash } from 'node:crypto';
import { globSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { FAMILIES } from './fonts/font-files.ts';

const require = createRequire(import.meta.url);

/**
 * Identifies everything besides the content of a receipt that decides its bytes: this folder, the packages with their
 * fonts, and Node, whose dates, scripts and compression they use.
 */
export function fingerprint(): string {
  const hash = createHash('sha256').update(JSON.stringify(process.versions));
  const pdfkit = createRequire(require.resolve('pdfmake')).resolve('pdfkit');
  const packages = ['pdfmake', 'fontkit', 'bidi-js', 'uqr', 'wawoff2'].map((name) => require.resolve(name));
  const fonts = FAMILIES.map((family) => require.resolve(`@fontsource-variable/${family}/unicode.json`));
  for (const file of [pdfkit, ...packages, ...fonts]) hash.update(versionOf(file));
  for (const file of globSync('**/*.ts', { cwd: import.meta.dirname }).toSorted()) {
    hash.update(file).update(readFileSync(join(import.meta.dirname, file)));
  }
  return hash.digest('hex');
}

/** pnpm names the folder of a package by its version; what is before that differs from machine to machine. */
const versionOf = (file: string): string => realpathSync(file).replace(/^.*\.pnpm/, '');
