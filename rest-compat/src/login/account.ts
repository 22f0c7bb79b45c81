import {
  ConfirmCustomerPasswordResetDocument,
  RequestCustomerPasswordResetDocument,
  VerifyCustomerDocument,
} from '../generated/operations.ts';
import type { PageContext, Refused } from './page-context.ts';
import { showForm } from './form.ts';
import { rulesOf } from './passwords.ts';

/** The pages that mails to customers of the storefront link. Opening one doesn't use its token. */
const forgotten = '/account/forgot';

const toShop = ({ shop, words }: PageContext) => (shop ? [{ href: shop, text: words.account.toShop }] : []);

const showReady = (context: PageContext) =>
  context.show('message.eta', {
    title: context.words.account.readyTitle,
    lead: context.words.account.ready,
    links: toShop(context),
  });

export const showVerification = (context: PageContext, refused?: Refused) =>
  choosePassword(context, { action: '/account/verify', words: context.words.account.verify }, refused);

export async function verify(context: PageContext) {
  const { token = '', newPassword: password = '' } = context.params;
  try {
    await context.run(VerifyCustomerDocument, { token, password });
    return showReady(context);
  } catch (error) {
    return showVerification(context, context.explain(error));
  }
}

export const showCustomerReset = (context: PageContext, refused?: Refused) =>
  choosePassword(context, { action: '/account/reset-password', words: context.words.reset }, refused);

export async function confirmCustomerReset(context: PageContext) {
  const { token = '', newPassword: password = '' } = context.params;
  try {
    await context.run(ConfirmCustomerPasswordResetDocument, { token, password });
    return showReady(context);
  } catch (error) {
    return showCustomerReset(context, context.explain(error));
  }
}

export function showCustomerForgotten(context: PageContext, refused?: Refused) {
  return showForm(context, { ...context.words.forgot, action: forgotten, fields: ['email'] }, refused);
}

export async function askForCustomerReset(context: PageContext) {
  const { words, language: langChosen, params } = context;
  try {
    await context.run(RequestCustomerPasswordResetDocument, { email: params['email'] ?? '', langChosen });
    return context.show('message.eta', {
      title: words.forgot.sentTitle,
      lead: words.forgot.sent,
      links: toShop(context),
    });
  } catch (error) {
    return showCustomerForgotten(context, context.explain(error));
  }
}

async function choosePassword(
  context: PageContext,
  { action, words }: { action: string; words: { title: string; lead: string; submit: string } },
  refused?: Refused,
) {
  const hidden = { token: context.params['token'] ?? '' };
  const links = [{ href: forgotten, text: context.words.forgot.title }];
  return showForm(
    context,
    { ...words, action, fields: ['newPassword'], hidden, rules: await rulesOf(context), links },
    refused,
  );
}
