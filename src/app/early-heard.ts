/** Gives an event that a page has heard early to what it is for. */
export async function take(event: Event): Promise<void> {
  if (event instanceof MessageEvent) (await import("./federated.ts")).hearMessage(event);
  else (await import("./session.ts")).session.send({ type: "forceLogout.heard" });
}
