import type { Identity } from '../app.ts';
import { obstruct, type ObstructedProvider } from './obstructed-provider.ts';
import { startTestIdentity, type TestIdentity } from './test-identity.ts';

/** An identity with a second instance, whose calls to the provider a test can hold back. */
export interface ObstructedIdentity {
  identity: TestIdentity;
  provider: ObstructedProvider;
  /** The second instance. */
  instance: Identity;
  stop(): Promise<void>;
}

export async function startObstructedIdentity(): Promise<ObstructedIdentity> {
  const identity = await startTestIdentity();
  const provider = await obstruct(identity.providerUrl);
  const instance = await identity.open({ IDP_URL: provider.url });
  await instance.startUp();
  return {
    identity,
    provider,
    instance,
    async stop() {
      await instance.stop();
      await provider.stop();
      await identity.stop();
    },
  };
}
