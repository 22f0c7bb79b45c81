import type { IncomingMessage } from 'node:http';

/**
 * Returns whether a request may become a WebSocket, which a handler accepts only under these paths. Elsewhere the
 * upgrade is ignored and the request answered as usual: unanswered, its socket would stay open forever.
 */
export const mayUpgrade =
  (paths: readonly string[]) =>
  ({ url = '' }: IncomingMessage): boolean => {
    const [path = ''] = url.split('?', 1);
    return paths.some((own) => path === own || path.startsWith(`${own}/`));
  };
