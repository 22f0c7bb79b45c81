import { describe, expect, it } from 'vitest';

import { renderMail } from './mail-content.ts';

const content = {
  kind: 'invitation',
  name: '<img src=x onerror=alert(1)>',
  organization: 'Bird & Breakfast',
  username: 'mei@acme.test',
  url: 'https://foyer.example/auth/magic-link?token=a&b=<c>',
  minutes: 10,
} as const;

describe('an e-mail', () => {
  it('escapes everything in its HTML, and nothing in its text', () => {
    const { html, text, subject } = renderMail(content);

    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x');
    expect(html).toContain('Bird &amp; Breakfast');
    expect(html).toContain('token=a&amp;b=&lt;c&gt;');
    expect(text).toContain('Hello <img src=x onerror=alert(1)>,');
    expect(text).toContain('Accept the invitation: https://foyer.example/auth/magic-link?token=a&b=<c>\n');
    expect(subject).toBe('You are invited to Bird & Breakfast');
  });

  it('contains a code without a link', () => {
    const { html, text } = renderMail({ kind: 'verification-code', code: '004711', minutes: 10 });

    expect(text).toContain('Your code: 004711');
    expect(html).not.toContain('href');
  });
});
