/**
 * The routes that pages of any site may call, and which pages do. None of them uses a session, so a page of another
 * site can't act as its visitor. The only such table; keys are `METHOD /pattern/of/the/route`.
 */
export const crossSite: Readonly<Record<string, string>> = {
  'POST /payment/process': 'storefronts on any origin post it as a form (spec 2, "Payment")',
  'GET /payment/return': 'the bank sends the customer back with it (spec 2, "Payment")',
  'POST /sim/bank/*': 'the bank simulator is a site of its own, under our address in development',
};

/** Whether pages of any site may call a route. */
export const isCrossSite = (method: string, url: string | undefined): boolean => `${method} ${url}` in crossSite;
