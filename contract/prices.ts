/** The price of premium, in cents: the single source. It imports no libraries, for the landing page. */
export const prices = { month: 1200, year: 9600, currency: "EUR" } as const;
