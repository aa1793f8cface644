import { undefined as nothing } from "valibot";
import { AcceptedFeeds, Feed, type FeedChange, type NewFeed } from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/feeds";
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** The calls about followed feeds. Each throws ApiError. */
export function createFeedsApi(call: Call) {
  return {
    list: (signal?: AbortSignal) => call(path, { schema: AcceptedFeeds, signal }),
    /** The server reads the feed first, which takes up to half a minute. */
    follow: (json: NewFeed, signal?: AbortSignal) => call(path, { json, schema: Feed, signal }),
    change: (id: string, json: FeedChange, signal?: AbortSignal) =>
      call(pathOf(id), { method: "PATCH", json, schema: Feed, signal }),
    remove: (id: string, signal?: AbortSignal) => call(pathOf(id), { method: "DELETE", schema: nothing(), signal }),
  };
}
