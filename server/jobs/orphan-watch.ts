import process from "node:process";

// A thread of the quarantine's process. One that hangs never hears that its server has gone: it would compute for ever.
const server = process.ppid;
/** It may still give its job back (milliseconds). */
const graceMs = 5_000;

const watch = setInterval(() => {
  if (process.ppid === server) return;
  clearInterval(watch);
  setTimeout(() => process.kill(process.pid, "SIGKILL"), graceMs);
}, 1_000);
