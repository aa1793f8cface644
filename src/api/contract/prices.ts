/** What premium costs, in cents: the one place where it is decided. Free of libraries, for the landing page. */
export const prices = { month: 1200, year: 9600, currency: "EUR" } as const;
