import { answered } from '../answered.ts';
import { MagicLinkDocument, RedeemMagicLinkDocument } from '../generated/operations.ts';
import type { PageContext, Refused } from './page-context.ts';
import { backToLogin, showForm } from './form.ts';
import { continueAfterLogin } from './login.ts';

/** Shows the invitation without redeeming it: mail scanners open every link. */
export async function showMagicLink(context: PageContext) {
  const { words, params } = context;
  try {
    const { magicLink } = await context.run(MagicLinkDocument, { token: params['token'] ?? '' });
    const { status, organizationName, username, companyCode } = answered(magicLink);
    if (status !== 'VALID') return showUseless(context, refusedAs(context, `MAGIC_LINK_${status}`));
    return showForm(context, {
      ...words.magicLink,
      lead: words.magicLink.lead(organizationName ?? '', username ?? '', companyCode ?? ''),
      action: '/auth/magic-link',
      hidden: { token: params['token'] ?? '' },
    });
  } catch (error) {
    return showUseless(context, context.explain(error));
  }
}

export async function acceptInvitation(context: PageContext) {
  try {
    const input = { token: context.params['token'] ?? '', platform: 'WEB' } as const;
    return continueAfterLogin(context, (await context.run(RedeemMagicLinkDocument, { input })).redeemMagicLink);
  } catch (error) {
    return showUseless(context, context.explain(error));
  }
}

const refusedAs = ({ words }: PageContext, code: 'MAGIC_LINK_INVALID' | 'MAGIC_LINK_EXPIRED'): Refused => ({
  code,
  status: 401,
  text: words.refusals[code],
  fields: [],
});

const showUseless = (context: PageContext, refused: Refused) =>
  context.show(
    'message.eta',
    {
      title: context.words.magicLink.refusedTitle,
      links: backToLogin(context),
    },
    refused,
  );
