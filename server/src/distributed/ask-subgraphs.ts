import { setTimeout as sleep } from 'node:timers/promises';

import { SIGNED_CONTEXT, type SignContext, type SignedContext } from '@foyer/shared/graphql/signed-context';
import type { SubgraphName } from '@foyer/shared/graphql/subgraph';
import { readCapped } from '@foyer/shared/http/read-capped';

import { EDGE_PATH, wire, type Answered, type Asked, type Question } from './edge-records.ts';
import { subgraphUnavailable } from './refusals.ts';

export interface Subgraphs {
  /** The URL of each, without a slash at the end. */
  urls: Readonly<Record<SubgraphName, string>>;
  signContext: SignContext;
}

/**
 * Asks whichever process of a subgraph answers.
 *
 * @throws {Refusal} `SUBGRAPH_UNAVAILABLE` when none does in time
 */
export type AskSubgraphs = <Of extends Question>(
  question: Of,
  asked: Asked<Of>,
  signed?: Pick<SignedContext, 'viewer'>,
) => Promise<Answered<Of>>;

/** As long as authentication waits for its records. */
const TIMEOUT_MS = 2_000;
/** How long one process is waited for, before the next is asked, too. */
const NEXT_AFTER_MS = 500;
/** All sessions that ended within the lifetime of a token: more than a million. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/** The gateway itself, for what it asks on nobody's behalf. */
const ourselves = { address: '', userAgent: 'foyer-gateway' };

/** The headers that a subgraph trusts. */
export const headersOf = async ({ signContext }: Subgraphs, name: SubgraphName, viewer: SignedContext['viewer']) => ({
  'content-type': 'application/json',
  [SIGNED_CONTEXT]: await signContext(name, { viewer, client: ourselves }),
});

/**
 * Every process of a subgraph has the database, so each can answer: that one of them is away keeps nobody out. The one that
 * answered last is asked first.
 */
export function askSubgraphs(subgraphs: Subgraphs): AskSubgraphs {
  const { urls } = subgraphs;
  let names = Object.keys(urls) as SubgraphName[];

  return async <Of extends Question>(
    question: Of,
    asked: Asked<Of>,
    { viewer }: Pick<SignedContext, 'viewer'> = { viewer: null },
  ): Promise<Answered<Of>> => {
    const over = new AbortController();
    const endsAt = performance.now() + TIMEOUT_MS;
    const leftMs = () => Math.max(1, Math.ceil(endsAt - performance.now()));
    const body = JSON.stringify(asked);

    async function askOne(name: SubgraphName): Promise<Answered<Of>> {
      const answer = await fetch(`${urls[name]}${EDGE_PATH}/${question}`, {
        method: 'POST',
        headers: await headersOf(subgraphs, name, viewer),
        body,
        redirect: 'error',
        signal: AbortSignal.any([over.signal, AbortSignal.timeout(leftMs())]),
      });
      const text = await readCapped(answer, ANSWER_BYTES);
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
      const read = wire[question].answered.parse(JSON.parse(text)) as Answered<Of>;
      names = [name, ...names.filter((other) => other !== name)];
      return read;
    }

    const asking: Promise<Answered<Of>>[] = [];
    try {
      for (const name of names) {
        asking.push(askOne(name));
        const isAnswered = Promise.any(asking).then(
          () => true,
          () => false,
        );
        if (await Promise.race([isAnswered, sleep(NEXT_AFTER_MS, false, { signal: over.signal, ref: false })])) break;
      }
      return await Promise.any(asking);
    } catch (error) {
      throw subgraphUnavailable(error);
    } finally {
      over.abort();
    }
  };
}
