import * as v from "valibot";
import { maxMessage, topics } from "#server/bus/bus.ts";

/** What the server says to its quarantine: there may be a suspect to claim; a job may have been deleted. */
export const ToQuarantine = v.picklist(["wake", "check"]);
export type ToQuarantine = v.InferOutput<typeof ToQuarantine>;

/** What the quarantine says to its server: that it is alive, and what it has changed, which nobody else on this machine tells. */
export const FromQuarantine = v.union([
  v.literal("alive"),
  v.object({ topic: v.picklist(topics), message: v.pipe(v.string(), v.maxLength(maxMessage)) }),
]);
export type FromQuarantine = v.InferOutput<typeof FromQuarantine>;
