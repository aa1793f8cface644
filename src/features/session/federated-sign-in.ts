import { apiBase, createCall } from "#src/api/http.ts";
import { createAuthApi } from "#src/api/session.ts";
import { beginSession, plainSend } from "./actor.ts";
import { createFederated, messageIn, specifiedProvider, startOf } from "./create-federated.ts";
import { takeOver } from "./early-events.ts";
import { redirectTarget } from "./redirect-target.ts";

const start = (provider = specifiedProvider): URL => new URL(apiBase + startOf(provider), location.href);

let open: ReturnType<typeof createFederated> | undefined;

/** The federated sign-in. It lives as long as the page, so that the message of a slow popup still arrives. */
export function openFederated(): ReturnType<typeof createFederated> {
  if (open !== undefined) return open;
  open = createFederated({
    page: window,
    start: (provider) => start(provider).href,
    loadProviders: createAuthApi(createCall(plainSend)).providers,
    target: redirectTarget,
    begin: (accessToken) => beginSession({ accessToken, user: undefined }),
  }).start();
  takeOver("message");
  return open;
}

/** Handles the message that caused this module to be loaded. */
export function hearMessage(event: MessageEvent): void {
  const message = messageIn(event, start().origin);
  if (message) openFederated().send(message);
}
