import { Hono } from "hono";
import { Problem } from "#server/errors/problem.ts";
import { readBytes } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { readsBody } from "#server/http/limits.ts";
import { cancelledPath } from "./billing.ts";
import { type Billing, isStripe, isTest } from "./open-billing.ts";
import { testPage } from "./test-page.ts";
import { pressable } from "./test-page-texts.ts";

interface Parts {
  billing: Billing;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Largest webhook body of a payment provider, in bytes. */
const eventBytes = 512 * 1024;

/** Webhooks of payment providers, and the pages of the test payments. */
export function billingRoutes({ billing, now }: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  if (isStripe(billing)) {
    app.post("/webhooks/stripe", readsBody(eventBytes), async (c) => {
      const body = await readBytes(c);
      await billing.receive(body.toString("utf8"), c.req.header("stripe-signature"));
      return c.json({ received: true });
    });
  }

  if (isTest(billing)) {
    app.get("/billing/test/:token", async (c) => {
      const page = await billing.open(c.req.param("token"));
      const [subscription, declined] = [await billing.subscriptionOf(page), c.req.query("declined") !== undefined];
      const { html, policy } = await testPage({ page, here: c.req.path, subscription, declined, now: now() });
      c.header("Content-Security-Policy", policy);
      return c.html(html, page.isOpen ? 200 : 404);
    });
    app.post("/billing/test/:token/:payment", async (c) => {
      const page = await billing.open(c.req.param("token"));
      const payment = pressable(page.kind, c.req.param("payment"));
      if (payment === undefined) throw new Problem("notFound");
      const here = `/billing/test/${c.req.param("token")}`;
      if (!page.isOpen && !page.done) return c.redirect(here, 303);
      const isPaid = await billing.press(page, payment);
      if (isPaid) return c.redirect(`${page.page}/subscription-success`, 303);
      if (payment === "decline") return c.redirect(`${here}?declined`, 303);
      return c.redirect(
        page.kind === "checkout" && payment === "cancel" ? `${page.page}${cancelledPath(page.interval)}` : here,
        303,
      );
    });
  }
  return app;
}
