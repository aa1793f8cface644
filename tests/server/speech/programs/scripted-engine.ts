// An engine process for tests. Its argument selects its behavior.
import { serve } from "#server/speech/process/serve.ts";

const behaviour = process.argv[2];
if (behaviour === "refuses to start") {
  console.error("the model is missing");
  process.exit(3);
}
if (behaviour === "chatters") console.log("native code says hello");

serve({
  transcribe: (pcm, language) => {
    if (behaviour === "crashes") process.abort();
    if (behaviour === "fails") throw new Error("no more memory");
    // Blocks forever: only a signal ends it.
    if (behaviour === "hangs") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return { bytes: pcm.length, first: pcm.length > 0 ? pcm[0] : null, language, pid: process.pid };
  },
  begin: () => undefined,
  feed: (stream, pcm) => `${stream}: ${pcm.length}`,
  discard: () => undefined,
});
