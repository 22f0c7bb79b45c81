import {
  ConfirmCustomerPasswordResetDocument,
  RequestCustomerPasswordResetDocument,
  VerifyCustomerDocument,
} from '../generated/operations.ts';
import type { Desk, Refused } from './desk.ts';
import { showForm } from './form.ts';
import { rulesOf } from './passwords.ts';

/** Pages for customers of the storefront: where their mails lead. Looking at one uses nothing up. */
const forgotten = '/account/forgot';

export const showVerification = (desk: Desk, refused?: Refused) =>
  choosePassword(desk, { action: '/account/verify', words: desk.words.account.verify }, refused);

export async function verify(desk: Desk) {
  const { token = '', newPassword: password = '' } = desk.asked;
  try {
    await desk.run(VerifyCustomerDocument, { token, password });
    return desk.show('message.eta', {
      title: desk.words.account.readyTitle,
      lead: desk.words.account.ready,
      links: [],
    });
  } catch (error) {
    return showVerification(desk, desk.explain(error));
  }
}

export const showCustomerReset = (desk: Desk, refused?: Refused) =>
  choosePassword(desk, { action: '/account/reset-password', words: desk.words.reset }, refused);

export async function confirmCustomerReset(desk: Desk) {
  const { token = '', newPassword: password = '' } = desk.asked;
  try {
    await desk.run(ConfirmCustomerPasswordResetDocument, { token, password });
    return desk.show('message.eta', {
      title: desk.words.account.readyTitle,
      lead: desk.words.account.ready,
      links: [],
    });
  } catch (error) {
    return showCustomerReset(desk, desk.explain(error));
  }
}

export function showCustomerForgotten(desk: Desk, refused?: Refused) {
  return showForm(desk, { ...desk.words.forgot, action: forgotten, fields: ['email'] }, refused);
}

export async function askForCustomerReset(desk: Desk) {
  const { words, language: langChosen, asked } = desk;
  try {
    await desk.run(RequestCustomerPasswordResetDocument, { email: asked['email'] ?? '', langChosen });
    return desk.show('message.eta', { title: words.forgot.sentTitle, lead: words.forgot.sent, links: [] });
  } catch (error) {
    return showCustomerForgotten(desk, desk.explain(error));
  }
}

async function choosePassword(
  desk: Desk,
  { action, words }: { action: string; words: { title: string; lead: string; submit: string } },
  refused?: Refused,
) {
  const hidden = { token: desk.asked['token'] ?? '' };
  const links = [{ href: forgotten, text: desk.words.forgot.title }];
  return showForm(
    desk,
    { ...words, action, fields: ['newPassword'], hidden, rules: await rulesOf(desk), links },
    refused,
  );
}
