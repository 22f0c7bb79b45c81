import type { IncomingMessage } from 'node:http';

/**
 * Whether a request may become a WebSocket: only under these paths does somebody take it over. Elsewhere it is
 * a request like any other and gets its answer; unanswered, its socket would stay open for good.
 */
export const mayUpgrade =
  (paths: readonly string[]) =>
  ({ url = '' }: IncomingMessage): boolean => {
    const [path = ''] = url.split('?', 1);
    return paths.some((own) => path === own || path.startsWith(`${own}/`));
  };
