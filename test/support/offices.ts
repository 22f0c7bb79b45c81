import { accessIn } from './access.ts';
import { openOffice } from './office.ts';
import { sharedServer } from './shared-server.ts';

/** The shared server with an office where Mei and Raj work, and another office. */
export async function openOffices() {
  const house = await sharedServer();
  const [office, other] = [await openOffice(house), await openOffice(house)];
  const [mei, raj] = [await office.join('mei'), await office.join('raj')];
  return { house, office, other, mei, raj, access: accessIn(house, office) };
}

export type Offices = Awaited<ReturnType<typeof openOffices>>;
