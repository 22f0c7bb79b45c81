import { expect, it } from 'vitest';

import { assertPortIsFree } from './port.ts';

it.each(['203.0.113.9', 'no such host'])('an address that this machine does not have names HOST: %s', async (host) => {
  await expect(assertPortIsFree(4000, host)).rejects.toThrow(`HOST: ${host} is no address of this machine`);
});
