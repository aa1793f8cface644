import { readFile } from "node:fs/promises";
import * as v from "valibot";
import type { InterfaceLanguage } from "#contract/index.ts";
import type { BillingPage, TestPayment } from "./test-billing.ts";

/** The buttons of the pages, in order. */
const buttons = {
  checkout: v.object({ pay: v.string(), decline: v.string(), cancel: v.string() }),
  portal: v.object({ renew: v.string(), fail: v.string(), cancel: v.string(), resume: v.string(), end: v.string() }),
};

/** public/locales/{lng}/subscription-test.json */
const OwnTexts = v.object({
  title: v.string(),
  checkout: v.string(),
  notice: v.string(),
  noticeText: v.string(),
  plan: v.string(),
  price: v.string(),
  renewed: v.string(),
  declined: v.string(),
  closed: v.string(),
  back: v.string(),
  buttons: v.object(buttons),
});

/** Texts shared with /subscription: public/locales/{lng}/subscription.json */
const SubscriptionTexts = v.object({
  title: v.string(),
  offer: v.object({ unlimited: v.string(), vault: v.string(), everything: v.string(), year: v.string(), month: v.string() }),
  state: v.object({ active: v.string(), ending: v.string(), open: v.string(), past_due: v.string(), ended: v.string() }),
});
export type SubscriptionTexts = v.InferOutput<typeof SubscriptionTexts>;

/** The texts of the test payment pages in this language. Read on each request, because few users see them. */
export async function testPageTexts(language: InterfaceLanguage) {
  const read = (namespace: string) =>
    readFile(new URL(`../../public/locales/${language}/${namespace}.json`, import.meta.url), "utf8");
  const [own, shared] = await Promise.all([read("subscription-test"), read("subscription")]);
  return {
    own: v.parse(v.pipe(v.string(), v.parseJson(), OwnTexts), own),
    shared: v.parse(v.pipe(v.string(), v.parseJson(), SubscriptionTexts), shared),
  };
}

/** The button of this name on a page of this kind. */
export function pressable(kind: BillingPage["kind"], name: string): TestPayment | undefined {
  const payments: TestPayment[] = ["pay", "decline", "cancel", "resume", "renew", "fail", "end"];
  return payments.find((payment) => payment === name && payment in buttons[kind].entries);
}
