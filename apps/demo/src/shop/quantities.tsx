import { inLanguage, say, useLanguage, useMoney, useWords } from '../words/language.ts';
import type { TicketGroup } from './groups.ts';

interface QuantitiesProps {
  group: TicketGroup;
  /** By item id. */
  counts: Record<string, number>;
  change: (counts: Record<string, number>) => void;
}

/** How many of each kind of admission. */
export function Quantities({ group, counts, change }: QuantitiesProps) {
  const words = useWords();
  const chosen = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <fieldset className="quantities">
      <legend>{words.howMany}</legend>
      {group.variants.map((variant) => (
        <Quantity
          key={variant.itemId}
          variant={variant}
          count={counts[variant.itemId] ?? 0}
          most={(counts[variant.itemId] ?? 0) + Math.max(0, group.orderTicketLimit - chosen)}
          change={(count) => change({ ...counts, [variant.itemId]: count })}
        />
      ))}
      <p className="small">{say(words.limit, { limit: group.orderTicketLimit })}</p>
    </fieldset>
  );
}

interface QuantityProps {
  variant: TicketGroup['variants'][number];
  count: number;
  most: number;
  change: (count: number) => void;
}

function Quantity({ variant, count, most, change }: QuantityProps) {
  const words = useWords();
  const language = useLanguage();
  const money = useMoney();
  const name = inLanguage(language, variant, 'name');
  const description = inLanguage(language, variant, 'desc');
  const set = (wanted: number) => change(Math.max(0, Math.min(most, Math.trunc(wanted) || 0)));
  return (
    <div className="quantity">
      <div>
        <strong>{name}</strong>
        {description && <span className="small">{description}</span>}
        <span className="small">{money(variant.unitPrice)}</span>
      </div>
      <div className="stepper">
        <button
          type="button"
          className="quiet"
          aria-label={say(words.fewer, { name })}
          disabled={count === 0}
          onClick={() => set(count - 1)}
        >
          −
        </button>
        <input
          type="number"
          inputMode="numeric"
          min={0}
          max={most}
          aria-label={name}
          name={`count-${variant.itemId}`}
          value={count}
          onChange={({ target }) => set(Number(target.value))}
        />
        <button
          type="button"
          className="quiet"
          aria-label={say(words.more, { name })}
          disabled={count >= most}
          onClick={() => set(count + 1)}
        >
          +
        </button>
      </div>
    </div>
  );
}
