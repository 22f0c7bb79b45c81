import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { marked, type Token, type Tokens } from 'marked';

const folder = join(import.meta.dirname, '../../../docs/spec');

/** A row of a table, or a sentence, of one of the three documents. */
export interface Anchor {
  id: string;
  /** `1-identity.md` */
  file: string;
  /** Its heading, and those above it. */
  section: string;
  /** What the document says there; the cells of a row are separated by bars. */
  text: string;
}

/** All rows and rules of the documents, in their order. */
export const anchors: readonly Anchor[] = ['1-identity.md', '2-ticketing.md', '3-media.md'].flatMap(anchorsOf);

function anchorsOf(file: string): Anchor[] {
  const headings: string[] = [];
  return marked.lexer(readFileSync(join(folder, file), 'utf8')).flatMap((token) => {
    if (token.type === 'heading') headings.splice(token['depth'] - 2, Infinity, token['text']);
    const section = headings.join(' › ');
    return textsOf(token).flatMap((text) =>
      [...text.matchAll(/<a id="([^"]+)"><\/a>((?:(?!<a id=).)*)/gs)].map(([, id = '', said = '']) => ({
        id,
        file,
        section,
        text: plain(said),
      })),
    );
  });
}

function textsOf(token: Token): string[] {
  if (token.type === 'list') return (token as Tokens.List).items.map(({ text }) => text);
  if (token.type === 'table')
    return (token as Tokens.Table).rows.map((cells) => cells.map(({ text }) => text).join(' | '));
  return token.type === 'paragraph' ? [(token as Tokens.Paragraph).text] : [];
}

/** The text of a cell without its Markdown. */
function plain(text: string): string {
  return text.replaceAll(/\\([*<])/g, '$1').trim();
}
