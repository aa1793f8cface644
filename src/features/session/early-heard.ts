/** Gives an event that a page has heard early to what it is for. */
export async function take(event: Event): Promise<void> {
  if (event instanceof MessageEvent) (await import("./federated-sign-in.ts")).hearMessage(event);
  else (await import("./actor.ts")).openSession().send({ type: "forceLogout.heard" });
}
