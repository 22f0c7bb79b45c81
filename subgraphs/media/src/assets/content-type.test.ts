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
  ])('is sandboxed when opened as a page: %s', (key) => {
    const headers = typeHeaders(`acme/${key}`);
    expect(headers['content-security-policy']).toMatch(/^sandbox(?:;|$)/);
    expect(headers['content-security-policy']).not.toContain('allow-');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('may load nothing when it could run scripts', () => {
    expect(typeHeaders('drawing.svg')['content-security-policy']).toContain("default-src 'none'");
  });

  it('is not sandboxed when it is a PDF, which browsers refuse to show in a sandbox', () => {
    expect(typeHeaders('paper.pdf')).toEqual({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
    });
  });
});
