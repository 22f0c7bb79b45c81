import { askAgain, pendingOrders } from '@foyer/ticketing/ask-again';
import type { Id } from '@foyer/shared/ids';

import { noteOperator, openWorkDesk } from '../desk.ts';
import { forEach } from '../for-each.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `foyer orders requery`: has the house ask the gateway at once what became of payments. */
export async function requery(
  terminal: Terminal,
  orderNumbers: string[],
  { pending }: { pending: boolean },
): Promise<boolean> {
  if (pending === orderNumbers.length > 0) throw new UsageError('give order numbers, or --pending');
  return withHouse(terminal.env, ['database'], async (reached, later) => {
    const desk = await openWorkDesk(reached, later);
    const wanted = pending ? await pendingOrders(desk) : orderNumbers;
    const outcomes = await forEach(terminal, 'orders', wanted, async (orderNo) => {
      const { status, asked } = await askAgain({ ...desk, note: noteOrder }, orderNo);
      const said = asked ? `${orderNo} is ${status}: the gateway is asked` : `${orderNo} is ${status}: nothing to ask`;
      return { done: true, said, facts: { orderNo, status, asked } };
    });
    if (!reached.process && outcomes.some(({ done }) => done))
      terminal.note('It is done as soon as the house is open.');
    return outcomes.every(({ done }) => done);
  });
}

const noteOrder = (tx: object, { orderNo, organizationId }: { orderNo: string; organizationId: Id }) =>
  noteOperator(tx, { organizationId, action: 'order.requeried', target: { kind: 'order', id: orderNo } });
