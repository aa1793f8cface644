/**
 * The ms after which the process exits anyway: confirmed data is stored, and jobs continue elsewhere or at the next
 * start.
 */
const endMs = 10_000;

/** Ends the process on a signal after its work is handed back. A second signal ends it at once. */
export function endOnSignals(running: { close(): Promise<void> }): void {
  let ending = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (ending) process.exit(signal === "SIGINT" ? 130 : 143);
      ending = true;
      setTimeout(() => {
        console.error("Parlance did not stop within 10 s and exits now.");
        process.exit(1);
      }, endMs).unref();
      running.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
