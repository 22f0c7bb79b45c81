import { useQuery } from '@apollo/client/react';

import { MyOrdersDocument, type OrderSummaryFragment } from '../generated/operations.ts';
import { Empty, Picture, Problem } from '../parts.tsx';
import { useCustomer } from '../sessions.ts';
import { inLanguage, useDay, useLanguage, useMoney, useWords } from '../words/language.ts';
import { LookUp } from './look-up.tsx';
import { shownStatus } from './shown-status.ts';
import { ShowMore, withNext } from './show-more.tsx';

/** The orders of the customer who is signed in, and the form that finds any other order. */
export function MyOrders() {
  const words = useWords();
  const customer = useCustomer();
  return (
    <>
      {customer ? (
        <OrderList key={customer.custId} />
      ) : (
        <p>
          <a className="button quiet" href="#/account/sign-in/orders">
            {words.loginForOrders}
          </a>
        </p>
      )}
      <LookUp />
    </>
  );
}

function OrderList() {
  const words = useWords();
  const { data, error, loading, fetchMore, refetch } = useQuery(MyOrdersDocument, { fetchPolicy: 'network-only' });
  const orders = data?.myOrders?.edges.map(({ node }) => node) ?? [];
  const { hasNextPage, endCursor } = data?.myOrders?.pageInfo ?? {};
  const more = () =>
    fetchMore({
      variables: { after: endCursor ?? null },
      updateQuery: (before, { fetchMoreResult: { myOrders: next } }) => ({
        ...before,
        myOrders: withNext(before.myOrders, next),
      }),
    });

  if (!data && loading) {
    return (
      <div className="card waiting" role="status">
        {words.loading}
      </div>
    );
  }
  if (!data) return <Problem of={error} again={() => void refetch().catch(() => undefined)} />;
  if (orders.length === 0) {
    return (
      <Empty title={words.noOrders}>
        <p>{words.noOrdersLead}</p>
        <p>
          <a className="button" href="#/">
            {words.backToShop}
          </a>
        </p>
      </Empty>
    );
  }
  return (
    <>
      <ul className="orders">
        {orders.map((order) => (
          <OrderRow key={order.orderNo} order={order} />
        ))}
      </ul>
      {hasNextPage && <ShowMore more={more} />}
    </>
  );
}

function OrderRow({ order }: { order: OrderSummaryFragment }) {
  const words = useWords();
  const language = useLanguage();
  const money = useMoney();
  const day = useDay();
  const { orderNo, ticketGroup: group } = order;
  const status = shownStatus(order);
  return (
    <li className="card">
      <Picture of={group} />
      <div>
        <h2>
          <a href={`#/orders/${encodeURIComponent(orderNo)}`}>{inLanguage(language, group, 'groupName')}</a>
        </h2>
        <p className="small">
          {day(order.admitDate)} · {money(order.totalAmount)}
        </p>
        <p className={`tag ${status}`}>{words[status]}</p>
      </div>
    </li>
  );
}
