import GithubSlugger from 'github-slugger';
import { Marked, type Tokens } from 'marked';

/** A heading of a document; `id` is the anchor that GitHub gives it, which links between documents use. */
export interface Heading {
  level: number;
  text: string;
  id: string;
}

/** A document as HTML. */
export interface Document {
  title: string;
  html: string;
  headings: readonly Heading[];
}

/** The address that documents name, where a server runs without variables. */
const NAMED = 'http://localhost:4000';

interface Options {
  publicUrl: string;
  /** The path of a drawing, by the number of the diagram in the document, from 1. */
  drawing: (number: number) => string;
  /** Whether this server has what a relative link names. */
  isServed: (href: string) => boolean;
}

const isRelative = (href: string) => !/^(?:[a-z]+:|\/|#)/i.test(href);

/**
 * Renders Markdown. Addresses of the server become those of this one, diagrams become the drawings made of them, and links to
 * files that the server does not have become their text.
 */
export function renderMarkdown(markdown: string, { publicUrl, drawing, isServed }: Options): Document {
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  let diagrams = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth: level }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const text = textOf(html);
        const id = slugger.slug(text);
        headings.push({ level, text, id });
        return `<h${level} id="${id}">${html}</h${level}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return isRelative(href) && !isServed(href) ? this.parser.parseInline(tokens) : false;
      },
      code({ lang }: Tokens.Code) {
        if (lang !== 'mermaid') return false;
        diagrams += 1;
        const what = headings.at(-1)?.text ?? '';
        const [source, alt] = [drawing(diagrams), `Diagram: ${what.replaceAll('"', '&quot;')}`];
        return `<p><a href="${source}"><img src="${source}" alt="${alt}"></a></p>\n`;
      },
    },
  });
  const html = marked.parse(markdown.replaceAll(NAMED, publicUrl), { async: false });
  return { title: headings.find(({ level }) => level === 1)?.text ?? '', html: reachable(html), headings };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of HTML. */
export const textOf = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name] ?? '');

/** Makes elements that scroll sideways scrollable by keyboard, too. */
const reachable = (html: string) =>
  html.replaceAll('<pre>', '<pre tabindex="0">').replaceAll('<table>', '<table tabindex="0">');
