import { CHECK_TIMEOUT_MS } from '@foyer/shared/http/health';

/** Checks that another process of this installation is ready. Checks at the same time are one request. */
export const processCheck = (url: string) => {
  let running: Promise<boolean> | undefined;
  return () => (running ??= isReady(url).finally(() => (running = undefined)));
};

async function isReady(url: string): Promise<boolean> {
  const { ok, body } = await fetch(`${url}/health/ready`, {
    redirect: 'error',
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  });
  await body?.cancel(); // an unread body would hold the connection
  return ok;
}

/** Checks that at least one of several is ready; those that hang do not matter then. */
export const anyOf = (checks: readonly (() => Promise<boolean>)[]) => () =>
  Promise.any(
    checks.map(async (check) => {
      if (!(await check())) throw new Error('not ready');
    }),
  );
