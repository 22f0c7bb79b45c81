import { describe, expect, it } from 'vitest';

import { MailContent, renderMail } from './mail-content.ts';

const content = {
  kind: 'invitation',
  name: '<img src=x onerror=alert(1)>',
  organization: 'Bird & Breakfast',
  companyCode: 'BIRD',
  username: 'mei@acme.test',
  url: 'https://foyer.example/auth/magic-link?token=a&b=<c>',
  minutes: 10,
} as const;

describe('an e-mail', () => {
  it('escapes everything in its HTML, and nothing in its text', () => {
    const { html, text, subject } = renderMail(content, 'en');

    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x');
    expect(html).toContain('Bird &amp; Breakfast');
    expect(html).toContain('token=a&amp;b=&lt;c&gt;');
    expect(text).toContain('Hello <img src=x onerror=alert(1)>,');
    expect(text).toContain('Accept the invitation: https://foyer.example/auth/magic-link?token=a&b=<c>\n');
    expect(subject).toBe('You are invited to Bird & Breakfast');
  });

  it('contains a code without a link', () => {
    const { html, text } = renderMail({ kind: 'verification-code', code: '004711', minutes: 10 }, 'en');

    expect(text).toContain('Your code: 004711');
    expect(html).not.toContain('href');
  });

  it.each([
    ['bm', 'ms', 'Anda dijemput ke Bird & Breakfast', 'Kod syarikat: BIRD'],
    ['en', 'en', 'You are invited to Bird & Breakfast', 'Company code: BIRD'],
    ['cn', 'zh-Hans', '您受邀加入 Bird & Breakfast', '公司代码: BIRD'],
  ] as const)('is written in %s, and names the company code', (language, lang, title, companyCode) => {
    const { html, text, subject } = renderMail(content, language);

    expect([subject, text.includes(companyCode)]).toEqual([title, true]);
    expect(html).toContain(`<html lang="${lang}">`);
  });

  it('that was queued before invitations named the code has none', () => {
    const { companyCode: _before, ...queued } = content;

    expect(renderMail(MailContent.parse(queued), 'en').text).not.toContain('Company code');
  });
});
