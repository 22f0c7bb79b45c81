import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Example } from './landing-page.ts';

const folder = join(import.meta.dirname, '../../examples');

/** Example operations for Foyer, in the order of their files; the comment on the first line is the title. */
export const foyerExamples = (): Example[] =>
  globSync('*.graphql', { cwd: folder })
    .toSorted()
    .map((file) => {
      const [title = '', ...document] = readFileSync(join(folder, file), 'utf8').split('\n');
      return { title: title.replace(/^#\s*/, ''), document: document.join('\n') };
    });
