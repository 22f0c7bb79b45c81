import type { AdvertisementFragment, GroupFragment } from '../generated/operations.ts';
import { Picture } from '../parts.tsx';
import { inLanguage, say, useDay, useLanguage, useMoney, useWords } from '../words/language.ts';
import { leastPrice } from './groups.ts';

/** A ticket group; the whole card is its link. */
export function GroupCard({ group, eager }: { group: GroupFragment; eager: boolean }) {
  const words = useWords();
  const language = useLanguage();
  const money = useMoney();
  const name = inLanguage(language, group, 'groupName');
  const least = leastPrice(group);
  const before = inLanguage(language, group, 'pricePrefix');
  const after = inLanguage(language, group, 'priceSuffix');
  const price = least === undefined ? '' : money(least);
  const isRange = group.variants.some(({ unitPrice }) => unitPrice !== least);
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
        {price && (
          <p className="price">
            {before || after ? `${before} ${price} ${after}` : isRange ? say(words.from, { price }) : price}
          </p>
        )}
      </div>
    </article>
  );
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
