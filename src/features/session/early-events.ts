// Listeners of every page (SPEC.md section 4, "Federated sign-in message" and "Forced logout"). Visitors' pages need
// them too, but don't load the session, so an event's handler is loaded when the event occurs.

/** Any script can dispatch this event to end the session. */
export const forceLogoutEvent = "auth:force-logout";

/** Set before any listener is added. */
let load: () => Promise<{ take(event: Event): Promise<void> }>;

/** The handler checks the origin and the format. */
const hear = (event: Event | MessageEvent) => {
  if ("data" in event && event.data?.type !== "AUTH_SUCCESS") return;
  void load().then((heard) => heard.take(event));
};

/** @param loadTaker loads the handler of an event */
export function hearEarlyEvents(loadTaker: typeof load): void {
  load = loadTaker;
  addEventListener("message", hear);
  addEventListener(forceLogoutEvent, hear);
}

/** Removes an early listener. Called by code that is now loaded and listens itself. */
export function takeOver(name: "message" | typeof forceLogoutEvent): void {
  removeEventListener(name, hear);
}
