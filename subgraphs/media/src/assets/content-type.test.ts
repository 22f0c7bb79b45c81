import { describe, expect, it } from 'vitest';

import { typeHeaders } from './content-type.ts';

describe('an uploaded file in a browser', () => {
  it.each([
    'page.html',
    'page.xhtml',
    'drawing.svg',
    'feed.xml',
    'style.xslt',
    'app.js',
    'film.mp4',
    'x.png',
    'x',
    'x.mhtml',
  ])('is in a sandbox where it is a page of its own: %s', (key) => {
    const headers = typeHeaders(`acme/${key}`);
    expect(headers['content-security-policy']).toMatch(/^sandbox(?:;|$)/);
    expect(headers['content-security-policy']).not.toContain('allow-');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('is no document that may load anything where it could run scripts', () => {
    expect(typeHeaders('drawing.svg')['content-security-policy']).toContain("default-src 'none'");
  });

  it('is shown where it is a PDF, which no sandbox lets in', () => {
    expect(typeHeaders('paper.pdf')).toEqual({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
    });
  });
});
