import { expect, it } from 'vitest';

import { isWebAddress } from './web-address.ts';

it.each(['https://example.my', 'HTTP://example.my/a?b=c', 'example.my', 'www.example.my/about', 'example.my:8080'])(
  'takes %s for a web site',
  (text) => expect(isWebAddress(text)).toBe(true),
);

it.each([
  '',
  'example',
  'localhost',
  'javascript:alert(1)',
  'javascript:1',
  'data:text/html,x.y',
  'mailto:a@example.my',
  'ftp://example.my',
  '//example.my',
  'user:word@example.my',
  'exa mple.my',
  'https://',
])('does not take %j for one', (text) => expect(isWebAddress(text)).toBe(false));
