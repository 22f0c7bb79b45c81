import type { Language } from '@foyer/shared/http/language';

/** A headline, and the paragraphs under it. */
interface Said {
  subject: string;
  paragraphs: string[];
}

/** All texts of identity's mails. */
export interface Words {
  greeting(name: string): string;
  greetingToAnybody: string;
  invitation(organization: string, minutes: number): Said;
  passwordReset(organization: string, minutes: number): Said;
  approved(organization: string): Said;
  code(code: string, minutes: number): Said;
  facts: Record<'companyCode' | 'username' | 'password' | 'code', string>;
  actions: Record<'accept' | 'choosePassword' | 'login', string>;
  unexpected: string;
  neverAsked: string;
}

export const wordsOf: Record<Language, Words> = {
  bm: {
    greeting: (name) => `Hai ${name},`,
    greetingToAnybody: 'Hai,',
    invitation: (organization, minutes) => ({
      subject: `Anda dijemput ke ${organization}`,
      paragraphs: [
        `Anda dijemput ke ${organization}. Buka pautan ini untuk log masuk buat kali pertama, dan pilih kata laluan.`,
        `Pautan ini berfungsi sekali sahaja, selama ${minutes} minit. Selepas itu, minta jemputan baharu.`,
      ],
    }),
    passwordReset: (organization, minutes) => ({
      subject: 'Pilih kata laluan baharu',
      paragraphs: [
        `Seseorang, mungkin anda, telah meminta kata laluan baharu di ${organization}.`,
        `Pautan ini berfungsi sekali sahaja, selama ${minutes} minit. Kata laluan baharu melog keluar anda di semua peranti.`,
      ],
    }),
    approved: (organization) => ({
      subject: `${organization} telah diluluskan`,
      paragraphs: [
        `${organization} telah diluluskan, dan anda pentadbirnya.`,
        'Log masuk dengan kata laluan sementara, dan pilih kata laluan anda sendiri.',
      ],
    }),
    code: (code, minutes) => ({
      subject: `${code} ialah kod anda`,
      paragraphs: [`Kod ini membuktikan bahawa alamat ini milik anda. Kod ini sah selama ${minutes} minit.`],
    }),
    facts: {
      companyCode: 'Kod syarikat',
      username: 'Nama pengguna anda',
      password: 'Kata laluan sementara',
      code: 'Kod anda',
    },
    actions: { accept: 'Terima jemputan', choosePassword: 'Pilih kata laluan baharu', login: 'Log masuk' },
    unexpected: 'Jika anda tidak menjangkakan e-mel ini, anda boleh mengabaikannya: tiada apa-apa yang berlaku.',
    neverAsked: 'Tiada sesiapa akan meminta kata laluan ini daripada anda.',
  },
  en: {
    greeting: (name) => `Hello ${name},`,
    greetingToAnybody: 'Hello,',
    invitation: (organization, minutes) => ({
      subject: `You are invited to ${organization}`,
      paragraphs: [
        `You are invited to ${organization}. Open the link to sign in for the first time, and choose a password.`,
        `The link works once, for ${minutes} minutes. Later, ask for another invitation.`,
      ],
    }),
    passwordReset: (organization, minutes) => ({
      subject: 'Choose a new password',
      paragraphs: [
        `Somebody, probably you, asked for a new password at ${organization}.`,
        `The link works once, for ${minutes} minutes. A new password signs you out everywhere.`,
      ],
    }),
    approved: (organization) => ({
      subject: `${organization} is approved`,
      paragraphs: [
        `${organization} is approved, and you administer it.`,
        'Sign in with the temporary password, and choose one of your own.',
      ],
    }),
    code: (code, minutes) => ({
      subject: `${code} is your code`,
      paragraphs: [`This code proves that the address is yours. It is valid for ${minutes} minutes.`],
    }),
    facts: {
      companyCode: 'Company code',
      username: 'Your user name',
      password: 'Temporary password',
      code: 'Your code',
    },
    actions: { accept: 'Accept the invitation', choosePassword: 'Choose a new password', login: 'Sign in' },
    unexpected: 'If you did not expect this e-mail, you can leave it unanswered: nothing happens.',
    neverAsked: 'Nobody will ever ask you for this password.',
  },
  cn: {
    greeting: (name) => `${name}，您好：`,
    greetingToAnybody: '您好：',
    invitation: (organization, minutes) => ({
      subject: `您受邀加入 ${organization}`,
      paragraphs: [
        `您受邀加入 ${organization}。请打开链接进行首次登录，并选择密码。`,
        `此链接只能使用一次，${minutes} 分钟内有效。过期后请索取新的邀请。`,
      ],
    }),
    passwordReset: (organization, minutes) => ({
      subject: '选择新密码',
      paragraphs: [
        `有人（可能是您）请求更改 ${organization} 的密码。`,
        `此链接只能使用一次，${minutes} 分钟内有效。设置新密码后，您的所有设备都会退出登录。`,
      ],
    }),
    approved: (organization) => ({
      subject: `${organization} 已获批准`,
      paragraphs: [`${organization} 已获批准，您是其管理员。`, '请使用临时密码登录，然后选择您自己的密码。'],
    }),
    code: (code, minutes) => ({
      subject: `${code} 是您的验证码`,
      paragraphs: [`此验证码证明该地址属于您，${minutes} 分钟内有效。`],
    }),
    facts: { companyCode: '公司代码', username: '您的用户名', password: '临时密码', code: '您的验证码' },
    actions: { accept: '接受邀请', choosePassword: '选择新密码', login: '登录' },
    unexpected: '如果您没有预料到这封邮件，无需理会：不会发生任何事情。',
    neverAsked: '任何人都不会向您索要此密码。',
  },
};
