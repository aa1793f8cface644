/** What has not ended by then is left as it is: what was confirmed is stored, and jobs go on elsewhere or at the next start (milliseconds). */
const endMs = 10_000;

/** Ends the process when it is told to, having handed its work back. A second signal ends it at once. */
export function endOnSignals(running: { close(): Promise<void> }): void {
  let ending = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (ending) process.exit(signal === "SIGINT" ? 130 : 143);
      ending = true;
      setTimeout(() => {
        console.error("Parlance has not ended within 10 s, and exits now.");
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
