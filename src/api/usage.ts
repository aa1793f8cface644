import { Usage } from "./contract/index.ts";
import type { Call } from "./http.ts";

/** The calls about the minutes that a person uses. Each throws ApiError. */
export function createUsageApi(call: Call) {
  return { get: (signal?: AbortSignal): Promise<Usage> => call("/api/v1/usage", { schema: Usage, signal }) };
}
