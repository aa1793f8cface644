import process from "node:process";
import { workerData } from "node:worker_threads";

// A thread of the quarantine's process. One that hangs never hears that its server has gone: it would compute for ever. The server's
// process id is `workerData`, as the server itself has said it: by the time this runs the server may be gone already.

/** It may still give its job back (milliseconds). */
const graceMs = 5_000;

const watch = setInterval(() => {
  if (process.ppid === workerData) return;
  clearInterval(watch);
  setTimeout(() => process.kill(process.pid, "SIGKILL"), graceMs);
}, 1_000);
