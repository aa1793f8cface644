import process from "node:process";
import { workerData } from "node:worker_threads";

// A thread of the quarantine process. A process that hangs does not notice that its server has exited, and would compute for
// ever. `workerData` is the server's process id, passed by the server itself: it may have exited by the time this runs.

/** Time left for the process to release its job (milliseconds). */
const graceMs = 5_000;

const watch = setInterval(() => {
  if (process.ppid === workerData) return;
  clearInterval(watch);
  setTimeout(() => process.kill(process.pid, "SIGKILL"), graceMs);
}, 1_000);
