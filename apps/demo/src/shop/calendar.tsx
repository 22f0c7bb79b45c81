import { useSubscription } from '@apollo/client/react';
import { useMemo, useState } from 'react';

import { AvailabilityDocument, type AvailabilitySubscription } from '../generated/operations.ts';
import { Problem } from '../parts.tsx';
import { say, tags, useDay, useLanguage, useWords } from '../words/language.ts';
import type { TicketGroup } from './groups.ts';
import { daysOf, daysOnSale, monthOf, monthsAfter, weekdayOf } from './months.ts';

type Day = AvailabilitySubscription['availabilityChanged'][number];

/** The days of a month as they are now: the first event has all of them, later ones those that have changed. */
function useAvailability(ticketGroupId: string, dates: string[]) {
  const [days, setDays] = useState<Record<string, Day>>({});
  const { error } = useSubscription(AvailabilityDocument, {
    variables: { ticketGroupId, dates },
    onData: ({ data: { data } }) =>
      setDays((known) => ({
        ...known,
        ...Object.fromEntries((data?.availabilityChanged ?? []).map((day) => [day.date, day])),
      })),
  });
  return { days, error };
}

interface CalendarProps {
  group: TicketGroup;
  chosen: string;
  choose: (date: string) => void;
}

/** The calendar of a month, of which a day is chosen like an option of a list. */
export function Calendar({ group, chosen, choose }: CalendarProps) {
  const words = useWords();
  const day = useDay();
  const [first, last] = useMemo(() => daysOnSale(group), [group]);
  const [month, setMonth] = useState(monthOf(chosen && chosen >= first && chosen <= last ? chosen : first));
  const dates = useMemo(() => weeksFrom(first, daysOf(month)), [first, month]);
  const { days, error } = useAvailability(group.ticketGroupId, dates);
  const name = day(`${month}-01`, { month: 'long', year: 'numeric' });
  const isKnown = dates.every((date) => days[date]);
  const isEmpty = isKnown && !dates.some((date) => days[date]?.status === 'AVAILABLE');

  return (
    <fieldset className="calendar" aria-busy={!isKnown}>
      <legend>{words.day}</legend>
      <div className="month">
        <Turn label={words.previousMonth} off={month <= monthOf(first)} go={() => setMonth(monthsAfter(month, -1))}>
          ‹
        </Turn>
        <strong aria-live="polite">{name}</strong>
        <Turn label={words.nextMonth} off={month >= monthOf(last)} go={() => setMonth(monthsAfter(month, 1))}>
          ›
        </Turn>
      </div>
      <Weekdays />
      <div className="days">
        {dates.map((date, index) => (
          <DayChoice
            key={date}
            date={date}
            day={days[date]}
            column={index === 0 ? weekdayOf(date) : undefined}
            isChosen={date === chosen}
            choose={choose}
          />
        ))}
      </div>
      <p className="small" role="status">
        {isEmpty ? words.noDays : chosen ? day(chosen) : words.live}
      </p>
      <Problem of={error} />
    </fieldset>
  );
}

/** Without the weeks that are over. */
const weeksFrom = (first: string, dates: string[]) => {
  const at = dates.indexOf(first);
  return at < 0 ? dates : dates.slice(Math.max(0, at - weekdayOf(first) + 1));
};

const Turn = ({ label, off, go, children }: { label: string; off: boolean; go: () => void; children: string }) => (
  <button className="quiet turn" type="button" aria-label={label} disabled={off} onClick={go}>
    {children}
  </button>
);

function Weekdays() {
  const tag = tags[useLanguage()];
  const format = new Intl.DateTimeFormat(tag, { weekday: tag === 'zh-Hans' ? 'narrow' : 'short', timeZone: 'UTC' });
  return (
    <div className="days weekdays" aria-hidden>
      {daysOf('2024-01') // which began on a Monday
        .slice(0, 7)
        .map((date) => (
          <span key={date}>{format.format(new Date(date))}</span>
        ))}
    </div>
  );
}

interface DayChoiceProps {
  date: string;
  /** Undefined while it is not known. */
  day: Day | undefined;
  /** The weekday of the first day, which places the others. */
  column: number | undefined;
  isChosen: boolean;
  choose: (date: string) => void;
}

function DayChoice({ date, day: found, column, isChosen, choose }: DayChoiceProps) {
  const words = useWords();
  const day = useDay();
  const status = found?.status ?? 'CLOSED';
  const said = found?.remaining ? say(words.left, { count: found.remaining }) : words[status];
  return (
    <label
      className={`day ${found ? status : 'unknown'} ${found?.remaining ? 'few' : ''}`}
      {...(column && { style: { gridColumnStart: column } })}
    >
      <input
        type="radio"
        name="admitDate"
        value={date}
        checked={isChosen}
        disabled={status !== 'AVAILABLE' && !isChosen}
        onChange={() => choose(date)}
      />
      <span aria-hidden>{Number(date.slice(8))}</span>
      <span className="unseen">
        {day(date, { weekday: 'long', day: 'numeric', month: 'long' }) + words.colon}
        {found ? said : words.loading}
      </span>
      <span className="left" aria-hidden>
        {found?.remaining ?? ''}
      </span>
    </label>
  );
}
