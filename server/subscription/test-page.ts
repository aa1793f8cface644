import { html, raw } from "hono/html";
import { prices } from "#contract/index.ts";
import type { SubscriptionRow } from "./queries.ts";
import { type BillingPage, periodEnd, type TestPayment } from "./test-billing.ts";

const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action *; base-uri 'none'; frame-ancestors 'none'";

/** What Premium includes, as the page's offer says it. */
const gains = [
  "Unlimited minutes, dictated, uploaded or translated",
  "Encrypted recordings that only you can open",
  "Everything of the free plan",
];

/** The colours and sizes of the page (src/ui/tokens.css). */
const style = `:root{color-scheme:light dark;--ink:light-dark(#1f1b16,#f2ece3);--soft:light-dark(#5d564c,#b8ad9d);
--rule:light-dark(#e3dccf,#3a342d);--accent:light-dark(#b23a0e,#ff9a70)}
*{box-sizing:border-box}
body{margin:0;padding:2.25rem 1rem;background:light-dark(#fbf9f5,#151311);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{display:grid;gap:1rem;max-width:32rem;margin:auto}
p,h1,ul,dl,dd{margin:0}
h1{font:400 1.75rem/1.2 Georgia,serif}
.brand{color:var(--soft);font-family:Georgia,serif;font-size:1.3rem}
.card{display:grid;gap:1rem;padding:1.5rem;border:1px solid var(--rule);border-radius:.625rem;background:light-dark(#fff,#1e1b18)}
dl{display:grid;gap:.5rem}
dl div{display:flex;gap:1rem;justify-content:space-between}
dt,.test,ul{color:var(--soft)}
dd{font-weight:600;text-align:end}
ul{display:grid;gap:.25rem;padding-inline-start:1.25rem}
.test{padding:.75rem 1rem;border-radius:.625rem;background:light-dark(#fdf0d5,#3a2a0b);color:var(--ink)}
[role=alert]{color:light-dark(#a11236,#ff9db0)}
button{width:100%;min-height:2.75rem;border:1px solid light-dark(#8d8475,#7d7365);border-radius:.625rem;background:none;color:inherit;
font:600 1rem system-ui,sans-serif;cursor:pointer}
form:first-of-type button{border-color:var(--accent);background:var(--accent);color:light-dark(#fff,#21100a)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}`;

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
  /** Epoch milliseconds. */
  now: number;
}

/** "1 May 2026" */
const dayOf = (at: number) => new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(at);

/** A checkout or a billing portal without money; in English, like all pages for operators only. */
export function testPage({ page, here, subscription, declined, now }: TestPageParts) {
  const { kind, interval } = page;
  const amount = new Intl.NumberFormat("en", { style: "currency", currency: prices.currency }).format(prices[interval] / 100);
  const about =
    kind === "checkout"
      ? html`<dl><div><dt>Plan</dt><dd>Parlance Premium</dd></div><div><dt>Price</dt><dd>${amount} a ${interval}</dd></div>
<div><dt>Renewed on</dt><dd>${dayOf(periodEnd(now, interval))}</dd></div></dl>
<ul>${gains.map((gain) => html`<li>${gain}</li>`)}</ul>`
      : html`<p>Parlance Premium: <strong>${subscription?.status ?? "none"}</strong>${
          subscription?.period_end ? html`, until ${dayOf(subscription.period_end)}` : ""
        }${subscription?.cancel_at_period_end ? ", cancelled" : ""}.</p>`;
  const document = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test payment · Parlance</title>
<style>${raw(style)}</style></head>
<body><main><p class="brand">Parlance</p>
<h1>${kind === "checkout" ? "Checkout" : "Billing"}</h1>
<p class="test">This is a <strong>test payment</strong>. No money moves and no card is asked for: this server has no payment provider.</p>
<div class="card">
${about}
${declined ? html`<p role="alert">The card was declined. Nothing was paid.</p>` : ""}
${Object.entries(buttons[kind]).map(
  ([name, label]) => html`<form method="post" action="${here}/${name}"><button>${label}</button></form>`,
)}
</div>
${kind === "portal" ? html`<p><a href="${page.page}/subscription">Back to Parlance</a></p>` : ""}
</main></body></html>
`;
  return { html: document, policy };
}
