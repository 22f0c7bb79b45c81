import { readFile } from 'node:fs/promises';

import { createGateway, foyerExamples, type Gateway, type GatewayOptions as Options } from '@foyer/gateway/app';

import { supergraphFile } from './gateway-config.ts';

interface GatewayOptions extends Omit<Options, 'supergraphSdl' | 'validated' | 'examples' | 'loginPath'> {
  stack: AsyncDisposableStack;
}

/** The gateway over Foyer's own subgraphs, wherever they are. */
export async function openGateway({ stack, ...options }: GatewayOptions): Promise<Gateway> {
  const supergraphSdl = await readFile(supergraphFile, 'utf8');
  const loginPath = '/login?redirect_uri=/graphql';
  const ours = { supergraphSdl, validated: true, examples: foyerExamples(), loginPath };
  return stack.adopt(await createGateway({ ...options, ...ours }), (open) => open.stop());
}
