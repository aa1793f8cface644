import { createAuthApi } from "../api/auth.ts";
import { apiBase, createCall } from "../api/http.ts";
import { createFederated } from "./create-federated.ts";
import { redirectTarget } from "./redirect-target.ts";
import { beginSession, plainSend } from "./session.ts";

/** Signing in with another provider's account; lives as long as the page, so that a window that is slow is still heard. */
export const federated = createFederated({
  page: window,
  start: new URL(`${apiBase}/auth/google`, location.href).href,
  loadProvider: createAuthApi(createCall(plainSend)).provider,
  target: redirectTarget,
  begin: (accessToken) => beginSession({ accessToken, user: undefined }),
}).start();
