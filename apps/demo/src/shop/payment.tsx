import { useMutation } from '@apollo/client/react';
import { useEffect, useRef } from 'react';

import { StartPaymentDocument } from '../generated/operations.ts';
import { Problem } from '../parts.tsx';
import { say, useMoney, useWords } from '../words/language.ts';

/**
 * A form that posts the fields signed by Foyer to the payment gateway. The bank sends the browser back to
 * /payment/success or /payment/failure, and those pages lead back to the order.
 */
export function Payment({ orderNo, amount, begun }: { orderNo: string; amount: number; begun: boolean }) {
  const words = useWords();
  const money = useMoney();
  const form = useRef<HTMLFormElement>(null);
  const [start, { data, error, loading, reset }] = useMutation(StartPaymentDocument, { variables: { orderNo } });
  const payment = data?.startPayment;
  useEffect(() => {
    if (payment) form.current?.submit();
  }, [payment]);
  // A buyer who goes back from the bank finds this page as they left it, with a form that was used already.
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, [reset]);

  return (
    <>
      {payment && (
        <form ref={form} method="post" action={payment.action}>
          {payment.fields.map((field) => (
            <input key={field.name} type="hidden" name={field.name} value={field.value} />
          ))}
        </form>
      )}
      <Problem of={error} />
      <p className="row">
        <button
          type="button"
          disabled={loading || payment !== undefined}
          onClick={() => void start().catch(() => undefined)}
        >
          {begun ? words.payAgain : say(words.pay, { price: money(amount) })}
        </button>
        <span className="small">{words.payNote}</span>
      </p>
    </>
  );
}
