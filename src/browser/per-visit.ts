/** Holds a page's instance until the page is left. Created on first use. */
export function perVisit<One extends { stop(): unknown }>(make: () => One) {
  let held: One | undefined;
  return {
    open: (): One => {
      held ??= make();
      return held;
    },
    /** Undefined before the first use. */
    opened: () => held,
    close: (): void => {
      held?.stop();
      held = undefined;
    },
  };
}
