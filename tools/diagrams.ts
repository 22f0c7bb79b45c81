import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { renderMermaidSVG } from 'beautiful-mermaid';

import { drawingOf } from '../server/src/docs-site/drawing.ts';

/** The drawings load no font, and follow the color scheme of the reader. */
const FONT = /@import url\([^)]*\);\s*/;
const dark =
  '<style>@media (prefers-color-scheme: dark) { svg { --bg: #16181d !important; --fg: #e8e8ea !important; } }</style>';

/** Draws the Mermaid diagrams of all documents. @returns the drawings by their file */
export function diagrams(root: string): Map<string, string> {
  const drawings = new Map<string, string>();
  for (const file of globSync(['README.md', 'docs/**/*.md'], { cwd: root }).toSorted()) {
    const blocks = readFileSync(join(root, file), 'utf8').matchAll(/^```mermaid\n(.*?)^```/gms);
    [...blocks].forEach(([, source = ''], at) => {
      const svg = renderMermaidSVG(source, { font: 'sans-serif' }).replace(FONT, '');
      drawings.set(drawingOf(file, at + 1), `${svg.replace('</svg>', `${dark}</svg>`)}\n`);
    });
  }
  return drawings;
}
