// A process of its own that holds Bergamot: a broken model ends it and not the server, and memory that WASM has once taken is only given
// back with its process. Argument: how many models may be loaded at a time. Requests and answers go over Node's channel.
import { parse } from "valibot";
import { BergamotHost } from "./host.ts";
import { type Answer, Request } from "./protocol.ts";

const maxLoaded = Number(process.argv[2] ?? 2);
/** Memory of unloaded models is used again, but not all of it: measured some 10 MB less each time. Beyond this (bytes), it ends. */
const maxMemory = (maxLoaded + 2) * 600 * 1024 ** 2;
const host = await BergamotHost.open(maxLoaded);

function answer(message: Answer, then = () => {}): void {
  process.send?.(message, then);
}

process.on("message", async (message) => {
  const { id, models, texts } = parse(Request, message);
  try {
    const translated = await host.translate(models, texts);
    const isLast = process.memoryUsage.rss() > maxMemory;
    answer({ id, texts: translated, isLast }, isLast ? () => process.exit(0) : undefined);
  } catch (error) {
    // C++ throws numbers; what it has to say about them stands on standard error.
    const reason = error instanceof Error ? error.message : "The model can't be used.";
    answer({ id, error: reason }, () => process.exit(1));
  }
});
process.on("disconnect", () => process.exit(0));
