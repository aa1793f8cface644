// Listeners of every page (SPEC.md section 4, "Federated sign-in message" and "Forced logout"), also of visitors' pages, which
// load nothing of the session: the handler of an event is loaded when it occurs.

/** Dispatched by any script to end the session. */
export const forceLogoutEvent = "auth:force-logout";

/** Declared before any listener is added. */
let load: () => Promise<{ take(event: Event): Promise<void> }>;

/** The receiver checks the origin and the format. */
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

/** Takes over from these listeners: for code that is loaded and listens itself. */
export function takeOver(name: "message" | typeof forceLogoutEvent): void {
  removeEventListener(name, hear);
}
