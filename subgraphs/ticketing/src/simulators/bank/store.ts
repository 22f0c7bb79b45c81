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
  /** The key to decide the payment; only the page that the buyer was shown holds it. */
  pageKey: string;
  openedAt: string;
  decision: Decision | null;
}

/** The decision, and from when on the bank reports it. */
export interface Decision {
  outcome: string;
  gatewayTransactionId: string;
  statusCode: string;
  statusMessage: string;
  /** The amount that the bank reports. */
  amountSen: string;
  /** RFC 3339: before this the bank reports the payment as undecided. */
  knownFrom: string;
  paid: boolean;
}

/** The store of the bank: one file per payment, written atomically, so that a killed process loses nothing. */
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
        await writeFile(join(tokens, nameOf(token)), '', { flag: 'wx' }); // fails when the file exists
        return true;
      } catch {
        return false;
      }
    },
  };
}
