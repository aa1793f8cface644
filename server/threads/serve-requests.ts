import * as v from "valibot";
import type { ServiceAnswer } from "./service-process.ts";

const Message = v.object({ id: v.number(), request: v.unknown() });

/**
 * Answers the requests of a ServiceProcess in this process, until that ends. After reporting an error, this process
 * ends: native code that was interrupted can't be trusted, and the next request gets a new process.
 * @param maxMemory the process also ends after an answer when it holds more memory than this (bytes)
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
      // C++ throws numbers; its message is on standard error.
      send({ id, error: error instanceof Error ? error.message : "It does not work." }, () => process.exit(1));
    }
  });
  process.on("disconnect", () => process.exit(0));
}
