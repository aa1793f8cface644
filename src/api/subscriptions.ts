import { Subscription } from "./contract/index.ts";
import { ApiError, type Call } from "./http.ts";

/** The calls about what a person has subscribed to. Each throws ApiError. */
export function createSubscriptionsApi(call: Call) {
  return {
    /** null when there is none: a 404 means free (SPEC.md section 4, "Subscription"). */
    find: async (signal?: AbortSignal): Promise<Subscription | null> => {
      try {
        return await call("/subscriptions/account/subscription", { schema: Subscription, signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  };
}
