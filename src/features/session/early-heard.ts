/** Passes an early event of the page to its handler. */
export async function take(event: Event): Promise<void> {
  if (event instanceof MessageEvent) (await import("./federated-sign-in.ts")).hearMessage(event);
  else (await import("./actor.ts")).openSession().send({ type: "forceLogout.heard" });
}
