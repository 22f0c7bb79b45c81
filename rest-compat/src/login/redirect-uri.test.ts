import { describe, expect, it } from 'vitest';

import { allowedRedirect } from './redirect-uri.ts';

const origins = ['https://foyer.example', 'https://console.example'];

describe('redirect_uri', () => {
  it.each([
    ['https://console.example/orders?page=2#top', 'https://console.example/orders?page=2#top'],
    ['/login/devices', 'https://foyer.example/login/devices'],
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
    ['https://'],
    [['https://console.example/']],
    [undefined],
  ])('%j is not', (requested) => expect(allowedRedirect(requested, origins)).toBeUndefined());
});
