import { describe, expect, it } from 'vitest';

import { allowedRedirect } from './redirect-uri.ts';

const origins = ['https://foyer.example', 'https://console.example'];

describe('redirect_uri', () => {
  it.each([
    ['https://console.example/orders?page=2#top', 'https://console.example/orders?page=2#top'],
    // At whatever address of this server the visitor is: another one has none of their cookies.
    ['/login/devices?page=2#top', '/login/devices?page=2#top'],
    ['/.//evil.example', 'https://foyer.example//evil.example'],
  ])('%s is honoured', (requested, where) => expect(allowedRedirect(requested, origins)).toBe(where));

  it.each([
    ['https://evil.example/'],
    ['//evil.example/'],
    ['/\\evil.example'],
    ['https://console.example@evil.example/'],
    ['https://console.example.evil.example/'],
    ['https://someone:secret@console.example/'],
    ['http://console.example/'],
    ['javascript:alert(1)'],
    ['data:text/html,hello'],
    ['blob:https://console.example/7c0ffee0-0000-4000-8000-000000000000'],
    ['https://'],
    [['https://console.example/']],
    [undefined],
  ])('%j is not', (requested) => expect(allowedRedirect(requested, origins)).toBeUndefined());
});
