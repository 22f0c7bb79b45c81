import { setTimeout as sleep } from 'node:timers/promises';

import type { SubgraphName } from '@foyer/shared/graphql/subgraph';
import type { Log } from '@foyer/shared/telemetry/log';

import { askSubgraphs, headersOf, type Subgraphs } from './ask-subgraphs.ts';
import { EDGE_PATH, signs, type EdgeRecords } from './edge-records.ts';

interface Needs extends Subgraphs {
  log: Log;
}

const RETRY_MS = 500;
/** A process gives a sign of life every second. */
const SILENCE_MS = 5_000;

/** The records in the database of the subgraphs, for a gateway without one. */
export function remoteRecords(needs: Needs): EdgeRecords {
  const ask = askSubgraphs(needs);
  return {
    tokens: {
      async readRevoked() {
        const { blocks, endedSessions } = await ask('revoked', {});
        return { blocks: new Map(blocks), endedSessions: new Set(endedSessions) };
      },
      watchRevoked(onChange) {
        const stopping = new AbortController();
        void follow(needs, onChange, stopping.signal);
        return () => stopping.abort();
      },
      isMember: async ({ userId, organizationId }) => (await ask('membership', { userId, organizationId })).isMember,
    },
    readCustomerStanding: async ({ custId, sessionId, issuedAt }) =>
      (await ask('customer', { custId, sessionId, issuedAt })).standing,
    evaluatePolicies: async (policies, { viewer }) =>
      new Set((await ask('policies', { policies: [...policies] }, { viewer })).granted),
  };
}

/** Follows the changes of one process after another, as long as each is there. */
async function follow(needs: Needs, onChange: () => void, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    for (const name of Object.keys(needs.urls) as SubgraphName[]) {
      await followOne(needs, name, { onChange, stopping }).catch((error: unknown) => {
        if (!stopping.aborted) needs.log.info({ err: error, subgraph: name }, 'changes can not be followed');
      });
      await sleep(RETRY_MS, undefined, { signal: stopping, ref: false }).catch(() => undefined);
      if (stopping.aborted) return;
    }
  }
}

interface Following {
  onChange: () => void;
  stopping: AbortSignal;
}

/** Settles when the process ends its stream, or is silent. A new stream begins with a change, for those in between. */
async function followOne(needs: Needs, name: SubgraphName, { onChange, stopping }: Following): Promise<void> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error('no sign of life')), SILENCE_MS).unref();
  try {
    const answer = await fetch(`${needs.urls[name]}${EDGE_PATH}/changes`, {
      headers: await headersOf(needs, name, null),
      redirect: 'error',
      signal: AbortSignal.any([stopping, silent.signal]),
    });
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
    for await (const chunk of answer.body ?? []) {
      timer.refresh();
      if (chunk.includes(signs.changed.charCodeAt(0))) onChange();
    }
  } finally {
    clearTimeout(timer);
  }
}
