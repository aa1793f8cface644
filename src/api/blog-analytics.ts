import { type AnalyticsRange, BlogAnalytics } from "#contract/index.ts";
import type { Call } from "./http.ts";

/** Blog statistics, for superusers. @throws ApiError */
export function fetchBlogAnalytics(call: Call, days: AnalyticsRange, signal?: AbortSignal): Promise<BlogAnalytics> {
  return call(`/admin/blog/analytics?days=${days}`, { schema: BlogAnalytics, signal });
}
