/**
 * Simulates the waiting room that docs/scaling.md plans for the moment a sale opens; nothing of it is built:
 *
 *     pnpm bench:waiting-room [--people 1000000] [--capacity 100000] [--per-second 1667]
 *
 * People arrive around the opening, get a place, ask the CDN for the number that is being served, and order when it is
 * theirs. Some give up, some take long, and the places of those who do not pay come back. Printed: when the sale is sold
 * out, how long people waited, and the requests that reach the CDN and the origin. Exits with 1 when more was sold than
 * there is, or somebody overtook.
 */
import { parseArgs } from 'node:util';

import { print, printFacts } from './print.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    capacity: { type: 'string', default: '100000' },
    'per-second': { type: 'string', default: '1667' },
    seed: { type: 'string', default: '1' },
  },
});
const people = Number(values.people);
const capacity = Number(values.capacity);
const perSecond = Number(values['per-second']);

/** Seconds from the opening of the waiting room to that of the sale. */
const OPENS = 600;
/** How often a browser asks for the number being served, in seconds; the CDN asks the origin each second. */
const POLL_SECONDS = 5;
const CDN_PLACES = 100;
/** An admitted buyer has as long to order. */
const ADMITTED_SECONDS = 300;
/** Of those admitted: who never orders, and who orders and never pays. */
const ABANDONS = 0.15;
const NEVER_PAYS = 0.1;
const HOLD_SECONDS = 900;
const GIVES_UP_AFTER = 3_600;
const END = 4 * 3_600;

const random = generator(Number(values.seed));

/** When people come: four of ten before the opening, most of the others within its first minutes. */
const arrivals = Float64Array.from({ length: people }, () =>
  random() < 0.4 ? random() * OPENS : OPENS + -Math.log(1 - random()) * 180,
).toSorted();
const early = arrivals.findIndex((at) => at > OPENS);
/** Those who came before the opening are shuffled: nobody gains by coming first. */
const place = Int32Array.from({ length: people }, (_, at) => at);
for (let at = early - 1; at > 0; at--) {
  const other = Math.floor(random() * (at + 1));
  [place[at], place[other]] = [place[other] ?? 0, place[at] ?? 0];
}
/** Who has each place. */
const holder = new Int32Array(people);
place.forEach((its, person) => (holder[its] = person));

const ordersAt = new Int32Array(END + ADMITTED_SECONDS + 1);
const returnsAt = new Int32Array(END + ADMITTED_SECONDS + HOLD_SECONDS + 2);
const waits: number[] = [];
let [serving, arrived, left, sold, admitted, gaveUp, late] = [0, 0, capacity, 0, 0, 0, 0];
let [busiestCdn, busiestOrders] = [0, 0];
let soldOutAt = 0;

for (let second = 0; second < END; second++) {
  while (arrived < people && (arrivals[arrived] ?? Infinity) <= second) arrived++;
  busiestCdn = Math.max(busiestCdn, Math.round((arrived - serving) / POLL_SECONDS));
  left += returnsAt[second] ?? 0;
  sold -= returnsAt[second] ?? 0;
  // No more are admitted than could still buy: the others wait for places that come back.
  const underWay = ordersAt.subarray(second).reduce((sum, orders) => sum + orders, 0);
  for (let free = second < OPENS ? 0 : Math.min(perSecond, left - underWay); free > 0 && serving < arrived; serving++) {
    const waited = second - Math.max(arrivals[holder[serving] ?? 0] ?? 0, OPENS);
    if (waited > GIVES_UP_AFTER) {
      gaveUp++;
      continue;
    }
    free--;
    admitted++;
    waits.push(Math.max(waited, 0));
    if (random() < ABANDONS) continue;
    const takes = Math.min(ADMITTED_SECONDS, Math.round(20 - Math.log(1 - random()) * 60));
    ordersAt[second + takes] = (ordersAt[second + takes] ?? 0) + 1;
  }
  const orders = ordersAt[second] ?? 0;
  busiestOrders = Math.max(busiestOrders, orders);
  const placed = Math.min(orders, left);
  late += orders - placed;
  left -= placed;
  sold += placed;
  for (let order = 0; order < placed; order++)
    if (random() < NEVER_PAYS) returnsAt[second + HOLD_SECONDS] = (returnsAt[second + HOLD_SECONDS] ?? 0) + 1;
  if (left === 0 && soldOutAt === 0) soldOutAt = second;
}

waits.sort((one, other) => one - other);
const quantile = (share: number) => Math.round(waits[Math.floor(share * (waits.length - 1))] ?? 0);
print(`${people} people, ${capacity} places, ${perSecond} admitted a second`);
printFacts('first sold out', `${soldOutAt - OPENS} s after the opening`);
printFacts('sold at the end', String(sold), `${left} left`);
printFacts('admitted', String(admitted), `${late} of them found nothing`, `${gaveUp} had given up before`);
printFacts('the admitted waited', `median ${quantile(0.5)} s`, `99 of 100 at most ${quantile(0.99)} s`);
printFacts('orders per second', `at most ${busiestOrders}`);
printFacts('requests per second', `CDN at most ${busiestCdn}`, `origin ${CDN_PLACES}, for the number being served`);
if (sold > capacity || late > 0) process.exitCode = 1;

/** mulberry32: the same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
