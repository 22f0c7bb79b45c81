import { requestRequery, pendingOrders } from '@foyer/ticketing/request-requery';
import type { Id } from '@foyer/shared/ids';

import { auditOperator, openOperatorContextWithJobs } from '../operator/operator-context.ts';
import { forEach } from '../operator/for-each.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';
import { UsageError } from '../operator/usage-error.ts';

/** `foyer orders requery`: lets the server query the state of payments at the gateway at once. */
export async function requery(
  terminal: Terminal,
  orderNumbers: string[],
  { pending }: { pending: boolean },
): Promise<boolean> {
  if (pending === orderNumbers.length > 0) throw new UsageError('give order numbers, or --pending');
  return withInstallation(terminal.env, ['database'], async (installation, stack) => {
    const context = await openOperatorContextWithJobs(installation, stack);
    const wanted = pending ? await pendingOrders(context) : orderNumbers;
    const outcomes = await forEach(terminal, 'orders', wanted, async (orderNo) => {
      const { status, requested } = await requestRequery({ ...context, note: auditRequery }, orderNo);
      const said = requested
        ? `${orderNo} is ${status}: the gateway is asked`
        : `${orderNo} is ${status}: nothing to ask`;
      return { done: true, said, facts: { orderNo, status, asked: requested } };
    });
    if (!installation.process && outcomes.some(({ done }) => done))
      terminal.note('The server does it when it runs again.');
    return outcomes.every(({ done }) => done);
  });
}

const auditRequery = (tx: object, { orderNo, organizationId }: { orderNo: string; organizationId: Id }) =>
  auditOperator(tx, { organizationId, action: 'order.requeried', target: { kind: 'order', id: orderNo } });
