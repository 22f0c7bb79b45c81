/** The file in which `tools/generate.ts` draws a diagram of a document, by its number there, from 1. */
export const drawingOf = (file: string, number: number): string =>
  `docs/images/${file
    .replace(/^docs\//, '')
    .replaceAll('/', '-')
    .replace(/\.md$/, '')}-${number}.svg`;
