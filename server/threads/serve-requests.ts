import * as v from "valibot";
import type { ServiceAnswer } from "./service-process.ts";

const Message = v.object({ id: v.number(), request: v.unknown() });

/**
 * Answers the requests of a ServiceProcess in this process, until that ends. An error ends this process after it is told: native
 * code that has stopped in the middle can't be trusted, and the next request gets a new one.
 * @param maxMemory this process also ends after the answer with which it has come to hold more (bytes)
 */
export function serveRequests<Schema extends v.GenericSchema>(
  schema: Schema,
  handle: (request: v.InferOutput<Schema>) => unknown,
  maxMemory = Number.POSITIVE_INFINITY,
): void {
  const send = (message: ServiceAnswer, then?: () => void) => process.send?.(message, () => then?.());
  process.on("message", async (message) => {
    const { id, request } = v.parse(Message, message);
    try {
      const answer = await handle(v.parse(schema, request));
      const isLast = process.memoryUsage.rss() > maxMemory;
      send({ id, answer, isLast }, isLast ? () => process.exit(0) : undefined);
    } catch (error) {
      // C++ throws numbers; what it has to say about them stands on standard error.
      send({ id, error: error instanceof Error ? error.message : "It can't be used." }, () => process.exit(1));
    }
  });
  process.on("disconnect", () => process.exit(0));
}
