/** What ticketing needs of the payment gateway. */
export interface PaymentGateway {
  /**
   * Lists the banks of a mode; the last known list when the gateway does not answer.
   *
   * @throws {Refusal} `PAYMENT_GATEWAY_DOWN` when there is no list yet
   */
  banks(mode: PaymentMode): Promise<readonly Bank[]>;

  /** Makes the form that takes a browser to the bank, without a request. */
  form(payment: PaymentRequest): GatewayForm;

  /** Decrypts what the gateway sent with a returning browser, or directly. */
  readReturn(payload: string): Promise<ReadReturn>;

  /**
   * Queries the gateway about a payment, independently of any return.
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
  /** The random key of this form; a gateway accepts each once. */
  token: string;
  redirectUrl: string;
}

interface GatewayForm {
  action: string;
  fields: readonly { name: string; value: string }[];
}

/** An authenticated statement of the gateway about a payment. */
export interface PaymentClaims {
  /** Unique for each message. */
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
  /** 01 or 02, the mode in which the buyer reached the bank; empty for an unknown payment. */
  msgToken: string;
  paidAt: Date | null;
  /** The claims as they were received, to be stored. */
  raw: Record<string, unknown>;
}

type ReadReturn =
  | { kind: 'authentic'; claims: PaymentClaims }
  /** From the gateway, but expired: query it instead. */
  | { kind: 'expired'; claims: PaymentClaims }
  /** `why` is for our log. */
  | { kind: 'invalid'; why: string };
