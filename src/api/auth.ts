import { looseObject, nullish, optional, string, undefined_, unknown } from "valibot";
import { type Credentials, ProvidersAnswer, type Registration, UserProfile } from "./contract/index.ts";
import { ApiError, type Call } from "./http.ts";

export interface SignedIn {
  accessToken: string;
  user: UserProfile | undefined;
}

/** The calls that make, renew and end a sign-in, and what ways there are (SPEC.md section 7, "Auth"). All of them throw ApiError. */
export interface AuthApi {
  /** @throws Error 'No access token received' */
  login(credentials: Credentials, signal?: AbortSignal): Promise<SignedIn>;
  /** @returns undefined when the account has to be verified by e-mail first */
  register(registration: Registration, signal?: AbortSignal): Promise<SignedIn | undefined>;
  /** @returns the new access token @throws Error 'Invalid token response format - missing accessToken' */
  refresh(signal?: AbortSignal): Promise<string>;
  logout(signal?: AbortSignal): Promise<void>;
  /** @returns the name of the other provider that people may sign in with; null when there is none */
  provider(signal?: AbortSignal): Promise<string | null>;
}

/** An answer without a token is told apart from one that is broken in another way, so the token is checked by hand. */
const Answer = looseObject({ accessToken: optional(unknown()), user: nullish(UserProfile), message: nullish(string()) });

/** The answer is complete but useless: there is no token in it. */
export class NoTokenError extends Error {
  override readonly name = "NoTokenError";
}

export function createAuthApi(call: Call): AuthApi {
  return {
    login: async (json, signal) => {
      const { accessToken, user } = await call("/auth/login", { json, schema: Answer, signal });
      if (typeof accessToken !== "string") throw new NoTokenError("No access token received");
      return { accessToken, user: user ?? undefined };
    },
    register: async (json, signal) => {
      const { accessToken, user } = await call("/auth/register", { json, schema: Answer, signal });
      return typeof accessToken === "string" ? { accessToken, user: user ?? undefined } : undefined;
    },
    refresh: async (signal) => {
      const { accessToken } = await call("/auth/refresh", { method: "POST", schema: Answer, signal }).catch(explainRefusal);
      if (typeof accessToken !== "string") throw new NoTokenError("Invalid token response format - missing accessToken");
      return accessToken;
    },
    logout: (signal) => call("/auth/logout", { method: "POST", schema: undefined_(), signal }),
    provider: async (signal) => {
      const { federated } = await call("/auth/providers", { schema: ProvidersAnswer, signal });
      return federated?.name ?? null;
    },
  };
}

/** SPEC.md section 8: a refusal that says nothing is called 'Token refresh failed: {status}'. */
function explainRefusal(error: unknown): never {
  if (!(error instanceof ApiError) || error.status === 0 || error.said !== undefined) throw error;
  throw new ApiError(error.status, error.code, `Token refresh failed: ${error.status}`, { cause: error });
}
