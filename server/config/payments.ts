import type { StripeConfig } from "#server/subscription/stripe-billing.ts";
import { HttpUrl, refuse, setting, Text, type ValuesOf } from "./values.ts";

export const paymentVariables = {
  STRIPE_SECRET_KEY: setting(Text, "The secret key of Stripe, for real payments. Default: test payments without real money."),
  STRIPE_WEBHOOK_SECRET: setting(Text, "The secret of Stripe's webhook to <API origin>/webhooks/stripe."),
  STRIPE_PRICE_MONTH: setting(Text, "Stripe's id of the monthly price."),
  STRIPE_PRICE_YEAR: setting(Text, "Stripe's id of the yearly price."),
  STRIPE_API_URL: setting(HttpUrl, "Another server with Stripe's API, for tests."),
};

/** @returns undefined: test payments @throws ConfigError */
export function stripeOf(e: ValuesOf<typeof paymentVariables>): StripeConfig | undefined {
  if (e.STRIPE_SECRET_KEY === undefined) return undefined;
  const needed = (name: "STRIPE_WEBHOOK_SECRET" | "STRIPE_PRICE_MONTH" | "STRIPE_PRICE_YEAR") =>
    e[name] ?? refuse(`${name} is required with STRIPE_SECRET_KEY.`);
  const url = e.STRIPE_API_URL === undefined ? undefined : new URL(e.STRIPE_API_URL);
  return {
    secretKey: e.STRIPE_SECRET_KEY,
    webhookSecret: needed("STRIPE_WEBHOOK_SECRET"),
    prices: { month: needed("STRIPE_PRICE_MONTH"), year: needed("STRIPE_PRICE_YEAR") },
    server:
      url === undefined ? {} : { host: url.hostname, port: url.port, protocol: url.protocol === "http:" ? "http" : "https" },
  };
}
