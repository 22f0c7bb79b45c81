import { expect, it } from 'vitest';

import { renderMarkdown, textOf } from './markdown.ts';

const options = {
  publicUrl: 'http://localhost:4123',
  drawing: (number: number) => `/drawn-${number}.svg`,
  isServed: (href: string) => href.endsWith('.md'),
};
const render = (markdown: string) => renderMarkdown(markdown, options);

it('a heading has the anchor that GitHub gives it, also for a second one of the same words', () => {
  const { headings, html, title } = render('# Foyer\n\n## `pnpm start`, & more\n\n## Notes\n\n## Notes\n');
  expect(headings.map(({ id }) => id)).toEqual(['foyer', 'pnpm-start--more', 'notes', 'notes-1']);
  expect(headings[1]?.text).toBe('pnpm start, & more');
  expect(html).toContain('<h2 id="notes-1">Notes</h2>');
  expect(title).toBe('Foyer');
});

it('an address of the server follows its port, in links, text and commands', () => {
  const { html } = render('Open http://localhost:4000/demo.\n\n```sh\ncurl http://localhost:4000/health/live\n```\n');
  expect(html).toContain('href="http://localhost:4123/demo"');
  expect(html).toContain('curl http://localhost:4123/health/live');
  expect(html).not.toContain(':4000');
});

it('a diagram is the drawing that was made of it, with a description', () => {
  const { html } = render('# Layout "now"\n\n```mermaid\nflowchart LR\n```\n');
  expect(html).toContain('<img src="/drawn-1.svg" alt="Diagram: Layout &quot;now&quot;">');
  expect(html).not.toContain('flowchart');
});

it('the text of HTML has no tags and no entities', () => {
  expect(textOf('<p>A &lt;b&gt; &amp; <code>c</code></p>')).toBe('A <b> & c');
});

it('a link to a file that the server does not have is its text', () => {
  const { html } = render(
    '[`here`](there.md), [not](../.env.example), [`by *name*`](#anchor), [out](https://foyer.test)',
  );
  expect(html).toContain('<a href="there.md"><code>here</code></a>, not, <a href="#anchor">');
  expect(html).toContain('<a href="https://foyer.test">out</a>');
});
