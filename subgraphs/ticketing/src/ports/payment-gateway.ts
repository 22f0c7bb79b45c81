/** What ticketing asks of whoever moves the money. */
export interface PaymentGateway {
  /**
   * The banks of a mode; the last good list when the gateway does not answer.
   *
   * @throws {Refusal} `PAYMENT_GATEWAY_DOWN` when there is no list yet
   */
  banks(mode: PaymentMode): Promise<readonly Bank[]>;

  /** The form that takes a browser to the bank; asks nobody. */
  form(payment: PaymentRequest): GatewayForm;

  /** Opens what the gateway sent with a returning browser, or by itself. */
  readReturn(payload: string): Promise<ReadReturn>;

  /**
   * What the gateway knows of a payment, whatever a return may have claimed.
   *
   * @throws {Refusal} `PAYMENT_GATEWAY_DOWN` when no usable answer comes in time
   */
  requery(payment: { orderNo: string; billId: string }): Promise<PaymentClaims>;
}

/** 01: individual, 02: corporate. */
export type PaymentMode = '01' | '02';

export interface Bank {
  bankCode: string;
  bankName: string;
}

export interface PaymentRequest {
  orderNo: string;
  billId: string;
  productId: string;
  productDesc: string;
  transactionId: string;
  /** In sen (1 MYR = 100 sen). */
  amountSen: bigint;
  msgToken: string;
  bankCode: string;
  buyerName: string;
  buyerEmail: string;
  /** The random key of this form: a gateway takes each once. */
  token: string;
  redirectUrl: string;
}

interface GatewayForm {
  action: string;
  fields: readonly { name: string; value: string }[];
}

/** Something that only the gateway can have said. */
export interface PaymentClaims {
  /** Unlike in every other message. */
  jti: string;
  orderNo: string;
  billId: string;
  transactionId: string;
  gatewayTransactionId: string;
  /** 00 paid, 09 99 AP not decided yet, 76 not known, others rejected. */
  statusCode: string;
  statusMessage: string;
  /** In sen. */
  amountSen: bigint;
  currency: string;
  bankCode: string;
  bankName: string;
  /** 01 or 02, as the buyer came to the bank; empty where it knows of no payment. */
  msgToken: string;
  paidAt: Date | null;
  /** As they came, to be kept. */
  raw: Record<string, unknown>;
}

type ReadReturn =
  | { kind: 'authentic'; claims: PaymentClaims }
  /** From the gateway, but too old to act upon: ask again. */
  | { kind: 'expired'; claims: PaymentClaims }
  /** `why` is for our log. */
  | { kind: 'invalid'; why: string };
