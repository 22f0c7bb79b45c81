import type { Language } from '../units/language.ts';

/** The reason of a mail: to verify an address, to say that there is an account already, or to choose a new password. */
export type MailKind = 'verify' | 'known' | 'reset';

interface Words {
  /** BCP 47 */
  lang: string;
  greeting(name: string): string;
  /** What to do when somebody else caused the mail. */
  notYou: string;
  automatic: string;
  mails: Record<MailKind, { subject: string; lead: string; button: string }>;
}

export const mailWords: Record<Language, Words> = {
  bm: {
    lang: 'ms',
    greeting: (name) => `Hai ${name},`,
    notYou: 'Jika ini bukan anda, abaikan e-mel ini.',
    automatic: 'E-mel ini dihantar secara automatik.',
    mails: {
      verify: {
        subject: 'Sahkan alamat e-mel anda',
        lead: 'Alamat ini telah didaftarkan di Foyer. Pilih kata laluan untuk membuka akaun. Pautan ini sah selama satu jam.',
        button: 'Sahkan dan pilih kata laluan',
      },
      known: {
        subject: 'Anda sudah mempunyai akaun',
        lead: 'Seseorang cuba mendaftar dengan alamat ini, tetapi anda sudah mempunyai akaun. Log masuk seperti biasa, atau pilih kata laluan baharu.',
        button: 'Pilih kata laluan baharu',
      },
      reset: {
        subject: 'Pilih kata laluan baharu',
        lead: 'Pilih kata laluan baharu dengan pautan ini. Pautan ini sah selama satu jam, sekali sahaja.',
        button: 'Pilih kata laluan baharu',
      },
    },
  },
  en: {
    lang: 'en',
    greeting: (name) => `Hello ${name},`,
    notYou: 'If this was not you, ignore this e-mail.',
    automatic: 'This e-mail was sent automatically.',
    mails: {
      verify: {
        subject: 'Verify your e-mail address',
        lead: 'This address was registered with Foyer. Choose a password to open the account. The link is valid for one hour.',
        button: 'Verify and choose a password',
      },
      known: {
        subject: 'You already have an account',
        lead: 'Somebody tried to register with this address, but you already have an account. Sign in as usual, or choose a new password.',
        button: 'Choose a new password',
      },
      reset: {
        subject: 'Choose a new password',
        lead: 'Choose a new password with this link. It is valid for one hour, and once.',
        button: 'Choose a new password',
      },
    },
  },
  cn: {
    lang: 'zh-Hans',
    greeting: (name) => `${name}，您好：`,
    notYou: '如非本人操作，请忽略此邮件。',
    automatic: '此邮件由系统自动发送。',
    mails: {
      verify: {
        subject: '验证您的电子邮箱',
        lead: '此邮箱已在 Foyer 注册。请设置密码以开通账户。链接一小时内有效。',
        button: '验证并设置密码',
      },
      known: {
        subject: '您已有账户',
        lead: '有人尝试使用此邮箱注册，但您已有账户。请照常登录，或设置新密码。',
        button: '设置新密码',
      },
      reset: {
        subject: '设置新密码',
        lead: '请通过此链接设置新密码。链接一小时内有效，且只能使用一次。',
        button: '设置新密码',
      },
    },
  },
};
