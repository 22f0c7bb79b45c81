import { useMutation } from '@apollo/client/react';

import { CancelOrderDocument } from '../generated/operations.ts';
import { Problem } from '../parts.tsx';
import { useWords } from '../words/language.ts';

/** Gives the places of an unpaid order back, after asking once more. */
export function Cancel(names: { orderNo: string; email: string | null }) {
  const words = useWords();
  const [cancel, { error, loading }] = useMutation(CancelOrderDocument, { variables: names });
  function ask() {
    if (window.confirm(words.cancelOrderAsk)) void cancel().catch(() => undefined);
  }
  return (
    <>
      <Problem of={error} />
      <p className="row">
        <button className="quiet" type="button" disabled={loading} onClick={ask}>
          {words.cancelOrder}
        </button>
      </p>
    </>
  );
}
