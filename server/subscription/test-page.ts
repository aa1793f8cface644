import { html, raw } from "hono/html";
import { prices } from "#contract/index.ts";
import { longDate } from "#contract/long-date.ts";
import { isPremiumStatus, type SubscriptionRow } from "./queries.ts";
import { type BillingPage, periodEnd } from "./test-billing.ts";
import { type SubscriptionTexts, testPageTexts } from "./test-page-texts.ts";

const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action *; base-uri 'none'; frame-ancestors 'none'";

/** The colors and sizes of the page (src/ui/tokens.css), but not its font, which only its own origin may load. */
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
dl div{display:flex;flex-wrap:wrap;gap:0 1rem}
dt,.test,ul{color:var(--soft)}
dd{margin-inline-start:auto;font-weight:600;text-align:end}
ul{display:grid;gap:.25rem;padding-inline-start:1.25rem}
.test{padding:.75rem 1rem;border-radius:.625rem;background:light-dark(#fdf0d5,#3a2a0b);color:var(--ink)}
[role=alert]{color:light-dark(#a11236,#ff9db0)}
button{width:100%;min-height:2.75rem;padding:.5rem 1rem;border:1px solid light-dark(#8d8475,#7d7365);border-radius:.625rem;
background:none;color:inherit;font:600 1rem system-ui,sans-serif;cursor:pointer}
form:first-of-type button{border-color:var(--accent);background:var(--accent);color:light-dark(#fff,#21100a)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}`;

interface TestPageParts {
  page: BillingPage;
  /** The page's path. */
  here: string;
  subscription: SubscriptionRow | undefined;
  declined: boolean;
  /** Epoch milliseconds. */
  now: number;
}

/** A checkout or a billing portal without money, in its user's language. */
export async function testPage({ page, here, subscription, declined, now }: TestPageParts) {
  const { kind, interval, language } = page;
  const { own, shared } = await testPageTexts(language);
  const dayOf = (at: number) => longDate(at, language === "en" ? "en-GB" : language);
  const amount = new Intl.NumberFormat(language, { style: "currency", currency: prices.currency }).format(prices[interval] / 100);
  const { unlimited, vault, everything } = shared.offer;
  const price = shared.offer[interval].replace("{{price}}", () => amount);
  const isCheckout = kind === "checkout";
  const terms = isCheckout ? { [own.price]: price, [own.renewed]: dayOf(periodEnd(now, interval)) } : {};
  const facts = Object.entries({ [own.plan]: "Parlance Premium", ...terms });
  const content = page.isOpen
    ? html`<div class="card">
<dl>${facts.map(([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>`)}</dl>
${
  isCheckout
    ? html`<ul>${[unlimited, vault, everything].map((gain) => html`<li>${gain}</li>`)}</ul>`
    : html`<p>${stateOf(subscription, shared.state, dayOf)}</p>`
}
${declined ? html`<p role="alert">${own.declined}</p>` : ""}
${Object.entries(own.buttons[kind]).map(
  ([name, label]) => html`<form method="post" action="${here}/${name}"><button>${label}</button></form>`,
)}
</div>`
    : html`<p role="alert">${own.closed}</p>`;
  const document = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${own.title} · Parlance</title>
<style>${raw(style)}</style></head>
<body><main><p class="brand">Parlance</p>
<h1>${isCheckout ? own.checkout : shared.title}</h1>
<p class="test"><strong>${own.notice}</strong> ${own.noticeText}</p>
${content}
${isCheckout && page.isOpen ? "" : html`<p><a href="${page.page}/subscription">${own.back}</a></p>`}
</main></body></html>
`;
  return { html: document, policy };
}

/** The state as described on the page /subscription. */
function stateOf(subscription: SubscriptionRow | undefined, texts: SubscriptionTexts["state"], dayOf: (at: number) => string) {
  if (subscription?.status === "past_due") return texts.past_due;
  if (!isPremiumStatus(subscription?.status)) return texts.ended;
  const end = subscription?.period_end ?? null;
  if (end === null) return texts.open;
  return (subscription?.cancel_at_period_end ? texts.ending : texts.active).replace("{{date}}", () => dayOf(end));
}
