// What every page hears (SPEC.md section 4, "Federated sign-in message" and "Forced logout"), also the visitors' pages, which load nothing
// of the session: what the event is for is loaded when it comes.

/** Raised by any script to end the session. */
export const forceLogoutEvent = "auth:force-logout";

/** Named before anything is heard. */
let load: () => Promise<{ take(event: Event): Promise<void> }>;

/** The receiver checks the origin and the format. */
const hear = (event: Event | MessageEvent) => {
  if ("data" in event && event.data?.type !== "AUTH_SUCCESS") return;
  void load().then((heard) => heard.take(event));
};

/** @param loadTaker what an event is for */
export function hearEarlyEvents(loadTaker: typeof load): void {
  load = loadTaker;
  addEventListener("message", hear);
  addEventListener(forceLogoutEvent, hear);
}

/** For code that is loaded by now and listens for itself. */
export function takeOver(name: "message" | typeof forceLogoutEvent): void {
  removeEventListener(name, hear);
}
