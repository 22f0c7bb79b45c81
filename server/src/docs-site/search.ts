import MiniSearch from 'minisearch';

/** A part of a document, from one heading to the next. */
export interface Section {
  file: string;
  /** The title of its document. */
  document: string;
  /** The anchor of its heading; empty for what precedes the first one. */
  anchor: string;
  heading: string;
  text: string;
}

export type Found = Omit<Section, 'text'> & { excerpt: string };

const MOST = 30;
const LONGEST_QUERY = 200;
const EXCERPT = 160;

/** Returns a function that finds the sections with these words, the best first: words may begin so, or have a typing error. */
export function searchIn(sections: readonly Section[]): (query: string) => Found[] {
  const index = new MiniSearch<Section & { id: number }>({
    fields: ['heading', 'document', 'text'],
    searchOptions: {
      boost: { heading: 4, document: 2 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query) =>
    index
      .search(query.slice(0, LONGEST_QUERY))
      .slice(0, MOST)
      .flatMap(({ id, terms }) => {
        const section = sections[id as number];
        return section ? [{ ...section, excerpt: excerptOf(section.text, terms) }] : [];
      });
}

/** The words around the first that was found. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(0, ...terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0));
  const from = at < EXCERPT / 2 ? 0 : lower.indexOf(' ', at - EXCERPT / 2) + 1;
  const excerpt = text.slice(from, from + EXCERPT).trim();
  return `${from > 0 ? '… ' : ''}${excerpt}${from + EXCERPT < text.length ? ' …' : ''}`;
}
