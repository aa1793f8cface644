import { ApiError, type Call, createCall, createOwnSend, type Send } from "#src/api/http.ts";
import { send, tokens } from "./actor.ts";

export { send };
/** Calls the JSON API as the signed-in user. */
export const call: Call = createCall(send);

/**
 * A valid token for calls other than `fetch` (sockets, uploads with progress). Waits for a refresh when one is needed.
 * @throws ApiError 401 `unauthorized` when nobody is signed in
 */
export async function accessToken(signal?: AbortSignal): Promise<string> {
  const token = await tokens.live(signal);
  if (token === undefined) throw new ApiError(401, "unauthorized", "Nobody is signed in.");
  return token;
}

/** `send` for the user's own data. */
export const ownSend: Send = createOwnSend(send, accessToken);
/** `call` for the user's own data. */
export const ownCall: Call = createCall(ownSend);
