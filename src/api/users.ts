import { AcceptedProfile, type UserProfile } from "#contract/index.ts";
import type { Call } from "./http.ts";

export interface UsersApi {
  /** The signed-in user. @throws ApiError */
  me(signal?: AbortSignal): Promise<UserProfile>;
}

export function createUsersApi(call: Call): UsersApi {
  return { me: (signal) => call("/users/me", { schema: AcceptedProfile, signal }) };
}
