import { useMutation, useQuery, useSubscription } from '@apollo/client/react';
import { useEffect, useState } from 'react';

import { serverNow } from '../client.ts';
import {
  OrderDocument,
  OrderStatusDocument,
  ReceiptDocument,
  ResendTicketsDocument,
  type OrderQuery,
} from '../generated/operations.ts';
import { Picture, Problem } from '../parts.tsx';
import { readAnew, useReadAgain } from '../read-again.ts';
import { goTo } from '../route.ts';
import { useCustomer } from '../sessions.ts';
import { inLanguage, say, useDay, useLanguage, useMoney, useWords } from '../words/language.ts';
import { Cancel } from './cancel.tsx';
import { draftOf, emailOf } from './drafts.ts';
import { LookUp } from './look-up.tsx';
import { Payment } from './payment.tsx';
import { shownStatus } from './shown-status.ts';

type Order = NonNullable<OrderQuery['order']>;
interface Names {
  orderNo: string;
  /** Whoever knows this and the order number may follow the order; the buyer who is signed in needs only the number. */
  email: string | null;
}

/** An order, followed until it is settled; or the form that asks who wants to see it. */
export function OrderPage({ orderNo }: { orderNo: string }) {
  const customer = useCustomer();
  const [email, setEmail] = useState(() => emailOf(orderNo).read() ?? null);
  if (email === null && !customer) return <LookUp orderNo={orderNo} found={setEmail} />;
  return <FollowedOrder orderNo={orderNo} email={email} found={setEmail} />;
}

function FollowedOrder({ orderNo, email, found }: Names & { found: (email: string) => void }) {
  const words = useWords();
  const read = useQuery(OrderDocument, {
    variables: { orderNo, email },
    fetchPolicy: 'cache-and-network',
    context: readAnew,
  });
  const { data, error, loading, refetch } = read;
  const readAgain = useReadAgain(read);
  const order = data?.order;
  // An event only says that the order is to be read: it does not have all of it, and an answer that is older might replace it.
  const { error: unfollowed, restart } = useSubscription(OrderStatusDocument, {
    variables: { orderNo, email },
    skip: !order,
    fetchPolicy: 'no-cache',
    onData: readAgain,
    onError: readAgain,
  });
  if (order) {
    return (
      <>
        <Problem of={unfollowed} again={restart} />
        <OrderView order={order} email={email} underReview={data.paymentState?.underReview ?? false} />
      </>
    );
  }
  if (loading) {
    return (
      <div className="card waiting" role="status">
        {words.loading}
      </div>
    );
  }
  return (
    <>
      <Problem of={error} again={() => void refetch().catch(() => undefined)} />
      <LookUp orderNo={orderNo} found={found} />
    </>
  );
}

/** The seconds until a time by the server's clock, counted down; 0 once it has passed. */
function useSecondsUntil(time: string | null): number {
  const left = () => (time ? Math.max(0, Math.ceil((Date.parse(time) - serverNow()) / 1_000)) : 0);
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1_000);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `left` reads the time only
  }, [time]);
  return seconds;
}

const clock = (seconds: number) => {
  const minutes = Math.floor(seconds / 60);
  const parts = minutes >= 60 ? [Math.floor(minutes / 60), minutes % 60, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
};

function OrderView({ order, email, underReview }: { order: Order; email: string | null; underReview: boolean }) {
  const words = useWords();
  const { transactionStatus: status, orderNo } = order;
  const seconds = useSecondsUntil(order.holdExpiresAt);
  const isOpen = status === 'INITIATED' || status === 'PENDING';
  const hasEnded = status === 'INITIATED' && seconds === 0;
  const shown = hasEnded ? ('EXPIRED' as const) : shownStatus(order);
  const isBought = status === 'SUCCESS' || status === 'FREE';

  return (
    <article className="card order-view">
      <div role="status" className={`outcome ${underReview ? 'REVIEW' : shown}`}>
        <h1>{underReview ? words.REVIEW : words[shown]}</h1>
        <p>{say(underReview ? words.REVIEW_LEAD : words[`${shown}_LEAD`], { email: order.buyerEmail })}</p>
      </div>
      {isOpen && !hasEnded && !underReview && (
        <>
          {seconds > 0 && (
            <p className="countdown">
              <span role="timer">{say(words.held, { time: clock(seconds) })}</span>
            </p>
          )}
          <Payment orderNo={orderNo} amount={order.totalAmount} begun={status === 'PENDING'} />
          {status === 'INITIATED' && <Cancel orderNo={orderNo} email={email} />}
        </>
      )}
      {isBought && <Tickets orderNo={orderNo} email={email} />}
      <Details order={order} />
      <p className="row">
        {(status === 'FAILED' || hasEnded) && !underReview && <OrderAgain order={order} />}
        <a className="button quiet" href="#/">
          {words.backToShop}
        </a>
      </p>
    </article>
  );
}

function Details({ order }: { order: Order }) {
  const words = useWords();
  const language = useLanguage();
  const money = useMoney();
  const day = useDay();
  const { ticketGroup: group, items } = order;
  return (
    <>
      <div className="bought">
        <Picture of={group} />
        <div>
          <h2>{inLanguage(language, group, 'groupName')}</h2>
          <p>
            {day(order.admitDate)}
            <span className="small">{group.location}</span>
          </p>
        </div>
      </div>
      <table>
        <tbody>
          {items.map((item) => (
            <tr key={item.orderTicketInfoId}>
              <td>
                {item.quantityBought} × {{ bm: item.itemDesc1, en: item.itemDesc2, cn: item.itemDesc3 }[language]}
              </td>
              <td className="amount">{money(item.unitPrice * item.quantityBought)}</td>
            </tr>
          ))}
          <tr className="sum">
            <th scope="row">{words.total}</th>
            <td className="amount">{money(order.totalAmount)}</td>
          </tr>
        </tbody>
      </table>
      <p className="small">
        {words.orderNo} <code>{order.orderNo}</code>
      </p>
    </>
  );
}

/** Opens the tickets with the same choice; the day is kept if it can still be ordered. */
function OrderAgain({ order }: { order: Order }) {
  const words = useWords();
  function again() {
    const counts = Object.fromEntries(order.items.map(({ itemId, quantityBought }) => [itemId, quantityBought]));
    const { ticketGroupId } = order.ticketGroup;
    draftOf(ticketGroupId).write({ date: order.admitDate, counts, email: order.buyerEmail, name: order.buyerName });
    goTo(`tickets/${ticketGroupId}`);
  }
  return (
    <button type="button" onClick={again}>
      {words.orderAgain}
    </button>
  );
}

const LOOK_AGAIN_MS = 1_000;

function Tickets(names: Names) {
  const words = useWords();
  const { data, error, stopPolling } = useQuery(ReceiptDocument, { variables: names, pollInterval: LOOK_AGAIN_MS });
  const [resend, { data: resent, error: unsent, loading }] = useMutation(ResendTicketsDocument, { variables: names });
  const file = data?.order?.receipt;
  useEffect(() => {
    if (file) stopPolling();
  }, [file, stopPolling]);

  return (
    <div className="tickets">
      {/* The same row before and after: nothing below it moves. */}
      <p className="row">
        {file ? (
          <a className="button" href={`data:${file.contentType};base64,${file.base64}`} download={file.filename}>
            {words.receipt}
          </a>
        ) : (
          <button type="button" disabled>
            {words.receipt}
          </button>
        )}
        <button
          className="quiet"
          type="button"
          disabled={loading || !file}
          onClick={() => void resend().catch(() => undefined)}
        >
          {words.resend}
        </button>
      </p>
      <Problem of={file ? unsent : error} />
      <p role="status">{resent ? words.resent : file || error ? '' : words.making}</p>
    </div>
  );
}
