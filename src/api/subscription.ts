import { type InferOutput, nullable, unknown } from "valibot";
import {
  AcceptedOwnSubscription,
  AcceptedSubscription,
  AcceptedUsageData,
  BillingHistory,
  type BillingInterval,
  type Subscription,
  UrlAnswer,
  Usage,
} from "#contract/index.ts";
import { ApiError, type Call } from "./http.ts";

type Interval = InferOutput<typeof BillingInterval>;

/**
 * The fallback when a checkout can't be started: a page of this site that says so (SPEC.md section 7: "a placeholder
 * checkout URL"). It knows the chosen plan.
 */
const placeholderFor = (interval: Interval) => `/subscription-cancelled?checkout=unavailable&plan=premium&interval=${interval}`;

/** The server's answer has no checkout URL. `key`: the message's key in the locale files. */
class NoCheckoutError extends Error {
  override readonly name = "NoCheckoutError";
  readonly key = "subscription:noCheckoutUrl";
}

/** Returns null for a 404, which means the free plan (SPEC.md section 4, "Subscription"). */
async function unlessNone<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The subscription calls, in both families of SPEC.md section 7. Each throws ApiError. */
export function createSubscriptionsApi(call: Call) {
  const post = (path: string, json: unknown, signal?: AbortSignal) =>
    call(path, { method: "POST", json, schema: UrlAnswer, signal });
  return {
    find: (signal?: AbortSignal): Promise<Subscription | null> =>
      unlessNone(call("/subscriptions/account/subscription", { schema: nullable(AcceptedSubscription), signal })),
    /** The same from the other call. */
    details: async (signal?: AbortSignal): Promise<Subscription | null> =>
      (await unlessNone(call("/subscriptions/me", { schema: AcceptedOwnSubscription, signal })))?.subscription ?? null,
    /** The checkout URL, or the placeholder after an error (SPEC.md section 7). An abort is not an error. */
    startCheckout: async (interval: Interval, signal: AbortSignal): Promise<string> => {
      try {
        const { url } = await post("/subscriptions/account/checkout-session", { plan: "premium", interval }, signal);
        return url || placeholderFor(interval);
      } catch {
        signal.throwIfAborted();
        return placeholderFor(interval);
      }
    },
    /** The checkout URL from the other call, which reports errors. @throws NoCheckoutError */
    createCheckout: async (interval: Interval, signal: AbortSignal): Promise<string> => {
      const { url } = await post("/subscriptions/create-checkout-session", { plan: interval }, signal);
      if (!url) throw new NoCheckoutError("Could not retrieve checkout session URL from backend.");
      return url;
    },
    cancel: async (signal?: AbortSignal): Promise<void> => {
      await call("/subscriptions/account/cancel-subscription", { method: "POST", schema: unknown(), signal });
    },
    /** @throws Error when the answer has no URL */
    openPortal: async (signal?: AbortSignal): Promise<string> => {
      const { url } = await post("/subscriptions/account/billing-portal", undefined, signal);
      if (!url) throw new Error("Failed to get billing portal URL");
      return url;
    },
    history: async (signal?: AbortSignal) =>
      (await call("/subscriptions/account/invoices", { schema: BillingHistory, signal })).invoices,
  };
}

/** The calls about the user's minutes. Each throws ApiError. */
export function createUsageApi(call: Call) {
  const beside = (path: string) => (signal?: AbortSignal) => call(path, { schema: AcceptedUsageData, signal });
  return {
    get: (signal?: AbortSignal) => call("/api/v1/usage", { schema: Usage, signal }),
    /** The usage that comes with a subscription, from either of SPEC.md's calls. */
    beside: [beside("/subscriptions/account/subscription"), beside("/subscriptions/me")],
  };
}

export type UsageApi = ReturnType<typeof createUsageApi>;
