import { describe, expect, it } from 'vitest';

import { languageOf } from './language.ts';

describe('the language of a page', () => {
  it('is the one asked for', () => expect(languageOf('bm', 'cn', 'en')).toBe('bm'));
  it('is else the one chosen before', () => expect(languageOf(undefined, 'cn', 'en')).toBe('cn'));
  it('is else the first that the browser names and we speak', () =>
    expect(languageOf(undefined, undefined, 'fr-FR,ms-MY;q=0.9,en;q=0.8')).toBe('bm'));
  it('takes every kind of Chinese for Chinese', () => expect(languageOf(undefined, undefined, 'zh-TW')).toBe('cn'));
  it.each(['constructor', '__proto__', 'toString'])('is no word of JavaScript, such as %s', (tag) =>
    expect(languageOf(tag, tag, tag)).toBe('en'),
  );
  it.each([['xx'], [['bm', 'en']], [{}]])('does not fall for %j', (requested) =>
    expect(languageOf(requested, '<script>', 'tlh')).toBe('en'),
  );
});
