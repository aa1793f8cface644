import { Worker } from "node:worker_threads";

// A process that hangs, and whose server (its id is the argument) was gone before it could look.
new Worker(new URL("../../../server/jobs/orphan-watch.ts", import.meta.url), { workerData: Number(process.argv[2]) }).once(
  "online",
  () => {
    process.stdout.write("hangs\n", () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
  },
);
