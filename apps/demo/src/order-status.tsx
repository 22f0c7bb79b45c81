import { useMutation, useQuery, useSubscription } from '@apollo/client/react';
import { useEffect, useRef } from 'react';

import { OrderStatusDocument, ReceiptDocument, StartPaymentDocument } from './generated/operations.ts';
import { Problem } from './parts.tsx';
import { useWords } from './words.ts';

interface Names {
  orderNo: string;
  /** Whoever knows this and the order number may follow the order. */
  email: string;
}

/** An order, followed until it is settled. */
export function OrderStatus({ orderNo, email }: Names) {
  const words = useWords();
  const { data, error } = useSubscription(OrderStatusDocument, { variables: { orderNo, email } });
  const order = data?.orderStatusChanged;
  const paid = order?.transactionStatus === 'SUCCESS' || order?.transactionStatus === 'FREE';

  return (
    <section className="card">
      <h2>
        {words.order} {orderNo}
      </h2>
      <Problem of={error} />
      {order && (
        <>
          <p>
            {order.admitDate} · RM {order.totalAmount.toFixed(2)}
          </p>
          <p role="status" className={`verdict ${order.transactionStatus}`}>
            {words[order.transactionStatus]}
          </p>
        </>
      )}
      {(order?.transactionStatus === 'INITIATED' || order?.transactionStatus === 'PENDING') && (
        <Payment orderNo={orderNo} begun={order.transactionStatus === 'PENDING'} />
      )}
      {paid && <Receipt orderNo={orderNo} email={email} />}
    </section>
  );
}

/**
 * A form that posts the fields signed by Foyer to the payment gateway, in a new tab.
 * It stays on the page while the buyer pays: the event may come before the fields, and the browser may have blocked the tab.
 */
function Payment({ orderNo, begun }: Pick<Names, 'orderNo'> & { begun: boolean }) {
  const words = useWords();
  const form = useRef<HTMLFormElement>(null);
  const [start, { data, error, loading }] = useMutation(StartPaymentDocument, { variables: { orderNo } });
  const payment = data?.startPayment;
  useEffect(() => {
    if (payment) form.current?.submit();
  }, [payment]);

  if (payment) {
    return (
      <form ref={form} method="post" action={payment.action} target="_blank" rel="noopener">
        {payment.fields.map((field) => (
          <input key={field.name} type="hidden" name={field.name} value={field.value} />
        ))}
        <button className="quiet">{words.pay}</button>
      </form>
    );
  }
  return (
    <>
      <Problem of={error} />
      {!begun && (
        <>
          <p className="small">{words.payNote}</p>
          <button type="button" disabled={loading} onClick={() => void start().catch(() => undefined)}>
            {words.pay}
          </button>
        </>
      )}
    </>
  );
}

const LOOK_AGAIN_MS = 1_000;

function Receipt(names: Names) {
  const words = useWords();
  const { data, error, stopPolling } = useQuery(ReceiptDocument, { variables: names, pollInterval: LOOK_AGAIN_MS });
  const file = data?.order?.receipt;
  useEffect(() => {
    if (file) stopPolling();
  }, [file, stopPolling]);

  if (!file) return error ? <Problem of={error} /> : <p className="small">{words.making}</p>;
  return (
    <p>
      <a href={`data:${file.contentType};base64,${file.base64}`} download={file.filename}>
        {words.receipt}
      </a>
    </p>
  );
}
