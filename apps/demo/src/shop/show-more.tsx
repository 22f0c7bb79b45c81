import { useState } from 'react';

import { asError, Problem } from '../parts.tsx';
import { useWords } from '../words/language.ts';

/** A list with its next page; as it was where that could not be read. */
export const withNext = <Page extends { edges: readonly unknown[] }>(
  before: Page | null | undefined,
  next: Page | null,
): Page | null => (next ? { ...next, edges: [...(before?.edges ?? []), ...next.edges] } : (before ?? null));

/** The button that adds the next page to a list. What `fetchMore` throws is no error of the query of the list. */
export function ShowMore({ more }: { more: () => Promise<unknown> }) {
  const words = useWords();
  const [state, setState] = useState<{ busy: boolean; error?: Error }>({ busy: false });

  async function show() {
    setState({ busy: true });
    try {
      await more();
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error: asError(error) });
    }
  }
  if (state.error) return <Problem of={state.error} again={() => void show()} />;
  return (
    <button className="quiet" type="button" disabled={state.busy} onClick={() => void show()}>
      {words.showMore}
    </button>
  );
}
