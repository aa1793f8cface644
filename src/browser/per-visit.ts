/** Something of a page that lives until the page is left: made when it is first asked for. */
export function perVisit<One extends { stop(): unknown }>(make: () => One) {
  let held: One | undefined;
  return {
    open: (): One => {
      held ??= make();
      return held;
    },
    /** Undefined until it is asked for. */
    opened: () => held,
    close: (): void => {
      held?.stop();
      held = undefined;
    },
  };
}
