import { createHash, randomBytes, randomInt } from 'node:crypto';

import { networkOf } from '@foyer/shared/http/addresses/address';
import { badInput, Refusal } from '@foyer/shared/errors';
import { newId, type Id } from '@foyer/shared/ids';
import { ulid } from 'ulid';

import { dayOf, stampOf } from '../units/calendar.ts';
import type { Context, Settings } from '../context.ts';
import type { Buyer } from '../catalogue/order-reads.ts';
import { priceOffer } from '../catalogue/price-offer.ts';
import { dateClosed, soldOut, ticketGroupNotFound } from '../catalogue/refusals.ts';
import { checkBuyer } from './check-buyer.ts';
import { guestIdOf } from './guest-id.ts';
import { readOrderInput, type CreateOrderInput, type ReadOrderInput } from './order-input.ts';
import { ORDER_NO_RANDOM_BYTES, orderNo, type OrderInView } from '../orders/order.ts';
import { checkPayable } from '../orders/payable.ts';
import { keyReused, notFree, tooManyOpen, tooManyOpenFrom } from '../orders/refusals.ts';
import type { Placement } from '../capacity/reservations.ts';

interface Needs extends Pick<Context, 'viewer' | 'client' | 'db' | 'clock' | 'orderReads' | 'reservations'> {
  settings: Pick<Settings, 'holdMinutes' | 'openOrdersPerBuyer' | 'openOrdersPerAddress'>;
}

interface Request {
  input: CreateOrderInput;
  idempotencyKey?: string | null | undefined;
}

/**
 * Places an order that must be paid, and holds its capacity for a while.
 *
 * @throws {Refusal} see `priceOffer`, `checkBuyer`, `checkPayable`; `SOLD_OUT`, `TOO_MANY_OPEN_ORDERS`,
 *   `IDEMPOTENCY_KEY_REUSED`, `ORDER_UNCERTAIN`
 */
export async function createOrder(needs: Needs, request: Request): Promise<OrderInView> {
  return placeOrder(needs, request, { payerOf: checkPayable, isFree: false });
}

/**
 * Places an order that costs nothing. It is FREE with its tickets and its mail, in one transaction: of an order that is
 * not confirmed, nothing is left.
 *
 * @throws {Refusal} as `createOrder`, and `NOT_FREE`
 */
export async function createFreeOrder(needs: Needs, request: Request): Promise<OrderInView> {
  return placeOrder(needs, request, { payerOf: checkFree, isFree: true });
}

/** @throws {Refusal} `NOT_FREE` */
function checkFree(totalSen: bigint): '01' {
  if (totalSen > 0n) throw notFree();
  return '01';
}

interface Way {
  /** @returns whose banks pay, unless the payment form chooses others */
  payerOf(totalSen: bigint, wanted: '01' | '02' | null): '01' | '02';
  isFree: boolean;
}

async function placeOrder(
  needs: Needs,
  { input, idempotencyKey }: Request,
  { payerOf, isFree }: Way,
): Promise<OrderInView> {
  const { custId: named, ...read } = readOrderInput(input, needs.viewer);
  if (idempotencyKey && !/^[\x20-\x7E]{1,200}$/.test(idempotencyKey)) {
    throw badInput([{ path: 'idempotencyKey', message: 'must be 1 to 200 printable characters' }]);
  }
  const wanted = { ...read, custId: named ?? guestIdOf(read.buyerEmail, idempotencyKey || null) };
  const [offer, customer] = await Promise.all([
    needs.orderReads.offer(wanted),
    named ? checkBuyer(needs, named) : null, // a guest without an id gets a new one, so there is nothing to check
  ]);
  const repeat = idempotencyKey ? { key: idempotencyKey, bodyHash: hashOf(wanted), isFree } : null;
  const before = repeat && (await findPlaced(needs, wanted.custId, repeat));
  if (before) return before;

  const priced = priceOffer(needs, offer, wanted);
  const msgToken = payerOf(priced.totalSen, wanted.msgToken);
  const placement = drawUp(needs, { wanted, priced, repeat, msgToken, customer, isFree });
  const { result, order } = await needs.reservations.place(placement).catch(async (error: unknown) => {
    if (error instanceof Refusal) throw error;
    const isThere = await needs.db.ticketGroup.findUnique({ where: { ticketGroupId: priced.group.ticketGroupId } });
    throw isThere ? error : ticketGroupNotFound(); // staff has just deleted it
  });
  if (result === 'SOLD_OUT') throw soldOut();
  if (result === 'CLOSED') throw dateClosed();
  if (result === 'TOO_MANY_OPEN') throw tooManyOpen(needs.settings.openOrdersPerBuyer ?? 0);
  if (result === 'TOO_MANY_OPEN_FROM') throw tooManyOpenFrom(needs.settings.openOrdersPerAddress ?? 0);
  if (result === 'DUPLICATE' && repeat) {
    const first = await findPlaced(needs, wanted.custId, repeat);
    if (first) return first;
  }
  if (!order) throw new Error(`no order was placed: ${result}`);
  return { ...order, seenBy: 'buyer' };
}

/** Finds the order that the same request placed before, if it did. */
async function findPlaced(
  { db, clock }: Needs,
  custId: Id,
  { key, bodyHash, isFree }: { key: string; bodyHash: string; isFree: boolean },
): Promise<OrderInView | null> {
  const used = await db.idempotencyKey.findUnique({ where: { custId_key: { custId, key } } });
  if (!used || used.expiresAt <= clock.now()) return null;
  if (used.bodyHash !== bodyHash) throw keyReused();
  const { orderTicketGroupId } = used;
  const order = await db.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } });
  if ((order.totalAmountSen === 0n) !== isFree) throw keyReused(); // an unpaid order is no answer to who orders a free one
  return { ...order, seenBy: 'buyer' };
}

type Wanted = ReadOrderInput & { custId: Id };

/** Hashes what makes two requests the same; the spelling of the language and the e-mail does not count. */
function hashOf({ langSent: _asWritten, ...wanted }: Wanted): string {
  const said = { ...wanted, buyerEmail: wanted.buyerEmail.toLowerCase() };
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

interface Draft {
  wanted: Wanted;
  /** Null for a guest without a record. */
  customer: Buyer | null;
  priced: ReturnType<typeof priceOffer>;
  repeat: { key: string; bodyHash: string } | null;
  msgToken: '01' | '02';
  isFree: boolean;
}

/** For `ulid`, which by default asks the system for each character. */
const randomFraction = () => randomInt(2 ** 32) / 2 ** 32;

function drawUp({ client, clock, settings }: Needs, draft: Draft): Placement {
  const { wanted, customer, priced, repeat, msgToken, isFree } = draft;
  const { group, lines, quantity, totalSen } = priced;
  const now = clock.now();
  return {
    orderNo: orderNo(dayOf(now), randomBytes(ORDER_NO_RANDOM_BYTES)),
    billId: `BILL-${ulid(now.getTime(), randomFraction)}`,
    transactionId: newId(),
    productId: `TG${group.ticketGroupId}`,
    productDesc: wanted.productDesc || group.groupNameEn,
    ticketGroupId: String(group.ticketGroupId),
    organizationId: group.organizationId,
    workspaceId: group.workspaceId,
    admitDate: wanted.admitDate,
    custId: wanted.custId,
    isNewGuest: customer === null,
    placedFrom: customer?.hasLogin ? null : networkOf(client.address) || null,
    langChosen: wanted.langChosen,
    langSent: wanted.langSent,
    msgToken,
    buyerName: wanted.buyerName,
    buyerEmail: wanted.buyerEmail,
    totalAmountSen: String(totalSen),
    quantity,
    holdExpiresAt: new Date(now.getTime() + settings.holdMinutes * 60_000).toISOString(),
    placedAt: now.toISOString(),
    idempotencyKey: repeat?.key ?? null,
    bodyHash: repeat?.bodyHash ?? null,
    isFree,
    stamp: isFree ? stampOf(now) : null,
    // A free order is never open.
    mostOpen: isFree ? null : settings.openOrdersPerBuyer,
    mostOpenFrom: isFree ? null : settings.openOrdersPerAddress,
    items: lines.map(({ variant, quantityBought }) => ({
      ticketVariantId: String(variant.ticketVariantId),
      itemId: variant.itemId,
      unitPriceSen: String(variant.unitPriceSen),
      itemDesc1: variant.nameBm,
      itemDesc2: variant.nameEn,
      itemDesc3: variant.nameCn,
      variant: variant.variant,
      quantityBought,
    })),
  };
}
