import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Server } from '../servers/server-process.ts';
import type { Json } from '../json.ts';
import { send } from '../fixtures/people.ts';
import { UNUSED_ID } from '../unused-id.ts';

/** One method of one path of the server. */
export interface RestRoute {
  /** `POST /api/media/prepare` */
  key: string;
  method: string;
  /** With an unused id for every parameter: what is sent to a shared server must not change what other tests use. */
  path: string;
  /** The documented type of the body. */
  takes: string[];
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Every route that the server documents: all mounted ones (openapi.test.ts). */
export async function documentedRoutes(server: Server): Promise<RestRoute[]> {
  const { paths } = (await send(server, 'GET', '/openapi.json')).json;
  return Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([method]) => method !== 'trace') // fetch can't send TRACE
      .map(([method, operation]) => ({
        key: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, UNUSED_ID),
        takes: Object.keys(operation.requestBody?.content ?? {}),
      })),
  );
}

/** The pages with forms of the login app. */
export function loginForms(): RestRoute[] {
  const file = fileURLToPath(new URL('../../../rest-compat/src/login/routes.ts', import.meta.url));
  const pages = [...readFileSync(file, 'utf8').matchAll(/mountPage\(app, edge, '([^']+)'/g)].map(
    ([, path = '']) => path,
  );
  const takes = ['application/x-www-form-urlencoded'];
  return pages.map((path) => ({ key: `POST ${path}`, method: 'POST', path, takes }));
}

/** Those that may change something. */
export const changing = (routes: readonly RestRoute[]) => routes.filter(({ method }) => !safe.has(method));
