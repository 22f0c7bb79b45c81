/** Runs a simulator as the main process of a container: `identity-provider` or `mail`. */
import { readFile, writeFile } from 'node:fs/promises';

import { startIdentityProvider } from '@foyer/identity/simulators/identity-provider';
import { startInbox } from '@foyer/ticketing/simulators/inbox';

const { ZITADEL_FIRSTINSTANCE_ORG_NAME, ...env } = process.env;

const simulators: Record<string, () => Promise<{ stop(): Promise<void> }>> = {
  async 'identity-provider'() {
    const provider = await startIdentityProvider({
      folder: '/state',
      host: '0.0.0.0',
      port: 8080,
      platform: {
        name: ZITADEL_FIRSTINSTANCE_ORG_NAME ?? '',
        admin: {
          username: env['ZITADEL_FIRSTINSTANCE_ORG_HUMAN_USERNAME'] ?? '',
          password: env['ZITADEL_FIRSTINSTANCE_ORG_HUMAN_PASSWORD'] ?? '',
        },
      },
    });
    // In a volume for those that call it, who are other users.
    await writeFile(env['ZITADEL_FIRSTINSTANCE_PATPATH'] ?? '', await readFile(provider.tokenFile), { mode: 0o644 });
    return provider;
  },
  mail: () => startInbox({ folder: '/tmp/inbox', host: '0.0.0.0', smtpPort: 1025, webPort: 8025 }),
};

const simulator = await simulators[process.argv[2] ?? '']?.();
process.on('SIGTERM', () => void simulator?.stop().then(() => process.exit(0)));
