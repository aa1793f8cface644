import { Usage } from "#contract/index.ts";
import type { Call } from "./http.ts";

/** The calls about the user's minutes. Each throws ApiError. */
export function createUsageApi(call: Call) {
  return { get: (signal?: AbortSignal): Promise<Usage> => call("/api/v1/usage", { schema: Usage, signal }) };
}
