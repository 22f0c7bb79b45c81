import { MagicLinkDocument, RedeemMagicLinkDocument } from '../generated/operations.ts';
import type { Desk, Refused } from './desk.ts';
import { backToSignIn, showForm } from './form.ts';
import { goOn } from './sign-in.ts';

/** Only looks: a scanner that opens every link in a mail uses nothing up. */
export async function showMagicLink(desk: Desk) {
  const { words, asked } = desk;
  try {
    const { magicLink } = await desk.run(MagicLinkDocument, { token: asked['token'] ?? '' });
    const { status, organizationName, username } = magicLink;
    if (status !== 'VALID') return showUseless(desk, refusedAs(desk, `MAGIC_LINK_${status}`));
    return showForm(desk, {
      ...words.magicLink,
      lead: words.magicLink.lead(organizationName ?? '', username ?? ''),
      action: '/auth/magic-link',
      hidden: { token: asked['token'] ?? '' },
    });
  } catch (error) {
    return showUseless(desk, desk.explain(error));
  }
}

export async function acceptInvitation(desk: Desk) {
  try {
    const input = { token: desk.asked['token'] ?? '', platform: 'WEB' } as const;
    return goOn(desk, (await desk.run(RedeemMagicLinkDocument, { input })).redeemMagicLink);
  } catch (error) {
    return showUseless(desk, desk.explain(error));
  }
}

const refusedAs = ({ words }: Desk, code: 'MAGIC_LINK_INVALID' | 'MAGIC_LINK_EXPIRED'): Refused => ({
  code,
  status: 401,
  text: words.refusals[code],
  fields: [],
});

const showUseless = (desk: Desk, refused: Refused) =>
  desk.show(
    'message.eta',
    {
      title: desk.words.magicLink.refusedTitle,
      links: backToSignIn(desk),
    },
    refused,
  );
