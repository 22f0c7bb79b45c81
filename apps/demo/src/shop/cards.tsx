import type { AdvertisementFragment, GroupFragment } from '../generated/operations.ts';
import { Picture } from '../parts.tsx';
import { inLanguage, say, useDay, useLanguage, useMoney, useWords } from '../words/language.ts';
import { pricesOf } from './groups.ts';

/** A ticket group; the whole card is its link. */
export function GroupCard({ group, eager }: { group: GroupFragment; eager: boolean }) {
  const words = useWords();
  const language = useLanguage();
  const name = inLanguage(language, group, 'groupName');
  const price = usePriceText(group);
  return (
    <article className="card offer">
      <Picture of={group} eager={eager} />
      <div className="inside">
        <h3>
          <a href={`#/tickets/${group.ticketGroupId}`} aria-label={words.choose + words.colon + name}>
            {name}
          </a>
        </h3>
        <p className="small">{group.location}</p>
        <p>{inLanguage(language, group, 'groupDesc')}</p>
        {price && <p className="price">{price}</p>}
      </div>
    </article>
  );
}

/** What a ticket group costs, in the words of its organizer if there are any; empty if nothing is offered. */
function usePriceText(group: GroupFragment): string {
  const words = useWords();
  const language = useLanguage();
  const money = useMoney();
  const prices = pricesOf(group);
  if (prices.length === 0) return '';
  const paid = prices.filter((each) => each > 0);
  const price = money(paid[0] ?? 0);
  const before = inLanguage(language, group, 'pricePrefix');
  const after = inLanguage(language, group, 'priceSuffix');
  if (before || after) return `${before} ${price} ${after}`;
  const text = paid.length > 1 ? say(words.from, { price }) : price;
  const isFreeForSome = paid.length > 0 && paid.length < prices.length;
  return isFreeForSome ? say(words.freeOr, { price: text }) : text;
}

/** An advertising ticket, as its type asks to be shown. Each of its texts may be empty. */
export function AdvertisementCard({ advertisement: card }: { advertisement: AdvertisementFragment }) {
  const words = useWords();
  const language = useLanguage();
  const day = useDay();
  const { advertisementType: type, color, redirectUrl, activeEndDate } = card;
  const title = inLanguage(language, card, 'title');
  const header = inLanguage(language, card, 'header');
  const text = inLanguage(language, card, 'desc');
  const action = card.actionButton.trim();
  const label = [words.advertisement, card.advertiser.trim()].filter(Boolean);
  const isPainted = type === 'coupon' || type === 'typographic';
  return (
    <article
      className={`card advertisement ${type}`}
      aria-label={label.join(words.colon)}
      {...(isPainted && { style: { background: color, color: inkOn(color) } })}
    >
      {type !== 'typographic' && (card.image || card.imageUrl) && <Picture of={card} />}
      <div className="inside">
        <p className="small label">{label.join(' · ')}</p>
        {title && <h3>{title}</h3>}
        {header && <p className="header">{header}</p>}
        {text && <p>{text}</p>}
        {type === 'coupon' && activeEndDate && (
          <p className="small">{say(words.validUntil, { day: day(activeEndDate, { dateStyle: 'medium' }) })}</p>
        )}
        {action && redirectUrl && (
          <p>
            <a className="button" href={redirectUrl} target="_blank" rel="noopener noreferrer sponsored">
              {action}
            </a>
          </p>
        )}
      </div>
    </article>
  );
}

/** Black or white, whichever is easier to read on a color: one of them always has a contrast of 4.5 or more. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? '#000000' : '#ffffff';
}
