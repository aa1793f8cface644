import { html } from "hono/html";
import { prices } from "#contract/index.ts";
import type { SubscriptionRow } from "./queries.ts";
import type { BillingPage, TestPayment } from "./test-billing.ts";

const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action *; base-uri 'none'; frame-ancestors 'none'";

const buttons: Record<BillingPage["kind"], Partial<Record<TestPayment, string>>> = {
  checkout: { pay: "Pay (test)", decline: "Pay with a card that is declined", cancel: "Cancel" },
  portal: {
    renew: "Pay the next period now",
    fail: "Let the next payment fail",
    cancel: "Cancel at the end of the period",
    resume: "Don't cancel after all",
    end: "End it at once",
  },
};

/** The buttons of a page of this kind. */
export function pressable(kind: BillingPage["kind"], name: string): TestPayment | undefined {
  const payments: TestPayment[] = ["pay", "decline", "cancel", "resume", "renew", "fail", "end"];
  return payments.find((payment) => payment === name && payment in buttons[kind]);
}

interface TestPageParts {
  page: BillingPage;
  /** Its own path. */
  here: string;
  subscription: SubscriptionRow | undefined;
  declined: boolean;
}

/** A checkout or a billing portal without money; in English, like all pages for operators only. */
export function testPage({ page, here, subscription, declined }: TestPageParts) {
  const { kind, interval } = page;
  const amount = new Intl.NumberFormat("en", { style: "currency", currency: prices.currency }).format(prices[interval] / 100);
  const about =
    kind === "checkout"
      ? html`<p>Parlance Premium, <strong>${amount}</strong> a ${interval}.</p>`
      : html`<p>Parlance Premium: <strong>${subscription?.status ?? "none"}</strong>${
          subscription?.period_end ? html`, until ${new Date(subscription.period_end).toISOString().slice(0, 10)}` : ""
        }${subscription?.cancel_at_period_end ? ", cancelled" : ""}.</p>`;
  const document = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test payment · Parlance</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}
.test{border:2px dashed;padding:.75rem 1rem}button{font:inherit;padding:.75rem 1.25rem;min-width:100%;margin-block:.25rem}</style></head>
<body><h1>${kind === "checkout" ? "Checkout" : "Billing"}</h1>
<p class="test">This is a <strong>test payment</strong>. No money moves and no card is asked for: this server has no payment provider.</p>
${about}
${declined ? html`<p role="alert">The card was declined. Nothing was paid.</p>` : ""}
${Object.entries(buttons[kind]).map(
  ([name, label]) => html`<form method="post" action="${here}/${name}"><button>${label}</button></form>`,
)}
${kind === "portal" ? html`<p><a href="${page.page}/subscription">Back to Parlance</a></p>` : ""}
</body></html>
`;
  return { html: document, policy };
}
