import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeWhole } from '@foyer/shared/process/write-whole';

/** A payment as the bank keeps it. Money in sen, as text. */
export interface Payment {
  orderNo: string;
  billId: string;
  transactionId: string;
  amountSen: string;
  currency: string;
  msgToken: string;
  bankCode: string;
  productDesc: string;
  buyerName: string;
  agToken: string;
  redirectUrl: string;
  /** Who holds it may decide: it stands in the page that the buyer was shown. */
  pageKey: string;
  openedAt: string;
  decision: Decision | null;
}

/** What was decided, and what the bank says of it from when on. */
export interface Decision {
  outcome: string;
  gatewayTransactionId: string;
  statusCode: string;
  statusMessage: string;
  /** What the bank says it took. */
  amountSen: string;
  /** RFC 3339: before this the bank says that it does not know yet. */
  knownFrom: string;
  paid: boolean;
}

/** The bank's books: one file per payment, written whole, so that a killed process loses nothing. */
export interface Store {
  find(orderNo: string): Promise<Payment | null>;
  save(payment: Payment): Promise<void>;
  /** The newest first. */
  list(): Promise<Payment[]>;
  /** @returns false when this key was used before */
  spend(token: string): Promise<boolean>;
}

export async function openStore(folder: string): Promise<Store> {
  const payments = join(folder, 'payments');
  const tokens = join(folder, 'tokens');
  for (const path of [payments, tokens]) await mkdir(path, { recursive: true });
  const nameOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40);
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Payment;

  return {
    find: (orderNo) => read(join(payments, `${nameOf(orderNo)}.json`)).catch(() => null),
    save: (payment) => writeWhole(join(payments, `${nameOf(payment.orderNo)}.json`), JSON.stringify(payment, null, 2)),
    async list() {
      const files = (await readdir(payments)).filter((name) => name.endsWith('.json'));
      const all = await Promise.all(files.map((name) => read(join(payments, name))));
      return all.toSorted((a, b) => b.openedAt.localeCompare(a.openedAt));
    },
    async spend(token) {
      try {
        await writeFile(join(tokens, nameOf(token)), '', { flag: 'wx' }); // only one may make it
        return true;
      } catch {
        return false;
      }
    },
  };
}
