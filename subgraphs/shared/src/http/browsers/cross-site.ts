/**
 * What pages of any site may send to us, and who does. Nothing behind these routes looks at a session: a page of
 * another site can't act as the person before it. The only such table; keys are `METHOD /pattern/of/the/route`.
 */
export const crossSite: Readonly<Record<string, string>> = {
  'POST /payment/process': 'storefronts on any origin post it as a form (spec 2, "Payment")',
  'GET /payment/return': 'the bank sends the customer back with it (spec 2, "Payment")',
  'POST /sim/bank/*': 'the bank simulator is a site of its own, under our address in development',
};

/** Whether a route is in the table of what any page may send. */
export const isCrossSite = (method: string, url: string | undefined): boolean => `${method} ${url}` in crossSite;
