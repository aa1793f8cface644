import { freeMinutes, resetAfter, type Usage } from "#contract/index.ts";
import { isPremiumStatus } from "#machines/subscription/machine.ts";
import { ApiError, isNotOffered } from "#src/api/http.ts";
import type { UsageApi } from "#src/api/subscription.ts";

type Source = (signal: AbortSignal) => Promise<Usage>;

/**
 * Requests the user's minutes: from their own call, or, on a server without it, from the subscription.
 * @param now epoch ms
 * @returns a function that requests them; throws ApiError, `notOffered` if the server reports them nowhere
 */
export function createUsageSource({ get, beside }: UsageApi, now: () => number): Source {
  /** The source that answered last comes first. */
  let sources: readonly Source[] = [
    get,
    ...beside.map((ask) => async (signal: AbortSignal) => {
      const { status, usedTranslationMinutes } = await ask(signal);
      if (usedTranslationMinutes === undefined) throw notOffered();
      const limitMinutes = isPremiumStatus(status) ? null : freeMinutes;
      return { usedTranslationMinutes, limitMinutes, resetsAt: resetAfter(now()) };
    }),
  ];
  return async (signal) => {
    for (const source of sources) {
      try {
        const usage = await source(signal);
        sources = [source, ...sources.filter((other) => other !== source)];
        return usage;
      } catch (error) {
        if (!hasNone(error)) throw error;
      }
    }
    throw notOffered();
  };
}

const notOffered = () => new ApiError(404, "notOffered", "No answer says how many minutes were used.");
/** A 404 from the subscription call means that the user has no subscription. */
const hasNone = (error: unknown) => isNotOffered(error) || (error instanceof ApiError && error.status === 404);
