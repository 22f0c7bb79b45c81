/** A link to an export of orders. */
export interface OrderExport {
  url: string;
  expiresAt: Date;
  /** How many orders, as of now. */
  rows: number;
}
