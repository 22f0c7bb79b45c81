import { describe, expect, it } from 'vitest';

import { languageOf } from './language.ts';

describe('the language of a page', () => {
  it('is the requested one', () => expect(languageOf('bm', 'cn', 'en')).toBe('bm'));
  it('or else the one chosen before', () => expect(languageOf(undefined, 'cn', 'en')).toBe('cn'));
  it('or else the first known one of the browser', () =>
    expect(languageOf(undefined, undefined, 'fr-FR,ms-MY;q=0.9,en;q=0.8')).toBe('bm'));
  it('accepts every variant of Chinese', () => expect(languageOf(undefined, undefined, 'zh-TW')).toBe('cn'));
  it.each(['constructor', '__proto__', 'toString'])('is no word of JavaScript, such as %s', (tag) =>
    expect(languageOf(tag, tag, tag)).toBe('en'),
  );
  it.each([['xx'], [['bm', 'en']], [{}]])('does not fall for %j', (requested) =>
    expect(languageOf(requested, '<script>', 'tlh')).toBe('en'),
  );
});
