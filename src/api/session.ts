import { fallback, type InferOutput, looseObject, nullish, optional, unknown } from "valibot";
import {
  AcceptedProfile,
  type Credentials,
  type FederatedProvider,
  PendingLinkAnswer,
  ProvidersAnswer,
  type Registration,
  type UserProfile,
} from "#contract/index.ts";
import { ApiError, type Call, isNotOffered } from "./http.ts";

export interface SignedIn {
  accessToken: string;
  user: UserProfile | undefined;
}

/**
 * The calls that start, renew and end a session, and the providers (SPEC.md section 7, "Auth"). All of them throw
 * ApiError.
 */
export interface AuthApi {
  /** @throws Error 'No access token received' */
  login(credentials: Credentials, signal?: AbortSignal): Promise<SignedIn>;
  /** @returns undefined when the user must confirm the email address first */
  register(registration: Registration, signal?: AbortSignal): Promise<SignedIn | undefined>;
  /** @returns the new access token @throws Error 'Invalid token response format - missing accessToken' */
  refresh(signal?: AbortSignal): Promise<string>;
  /** @returns the access token for an OAuth callback's code @throws Error 'No access token received' */
  exchange(code: string, signal?: AbortSignal): Promise<string>;
  /**
   * @returns the provider's account that waits to be linked in this browser, and ours
   * @throws ApiError 410 when there is none
   */
  pendingLink(signal?: AbortSignal): Promise<PendingLinkAnswer>;
  /** Links the two accounts with our account's password. @throws Error 'No access token received' */
  link(password: string, signal?: AbortSignal): Promise<SignedIn>;
  logout(signal?: AbortSignal): Promise<void>;
  /** @returns the federated providers, in the order of their buttons */
  providers(signal?: AbortSignal): Promise<readonly FederatedProvider[]>;
}

/** SPEC.md section 7: GET /auth/google exists, whether the server lists it or not. */
const specified: FederatedProvider = { id: "google", name: "Google" };

/** A missing token causes a different error than any other malformed answer, so the token is checked by hand. */
const Answer = looseObject({ accessToken: optional(unknown()), user: fallback(nullish(AcceptedProfile), undefined) });

/** The answer is valid but has no token. */
export class NoTokenError extends Error {
  override readonly name = "NoTokenError";
}

/** @throws NoTokenError */
function signedIn({ accessToken, user }: InferOutput<typeof Answer>): SignedIn {
  if (typeof accessToken !== "string") throw new NoTokenError("No access token received");
  return { accessToken, user: user ?? undefined };
}

export function createAuthApi(call: Call): AuthApi {
  return {
    login: async (json, signal) => signedIn(await call("/auth/login", { json, schema: Answer, signal })),
    register: async (json, signal) => {
      const answer = await call("/auth/register", { json, schema: Answer, signal });
      return typeof answer.accessToken === "string" ? signedIn(answer) : undefined;
    },
    refresh: async (signal) => {
      // `keepalive`: when the page is closed, the server may already have changed the refresh cookie, so the answer
      // must arrive.
      const options = { method: "POST", schema: Answer, signal, keepalive: true } as const;
      const { accessToken } = await call("/auth/refresh", options).catch(explainRefusal);
      if (typeof accessToken !== "string") throw new NoTokenError("Invalid token response format - missing accessToken");
      return accessToken;
    },
    exchange: async (code, signal) =>
      signedIn(await call("/auth/google/exchange", { json: { code }, schema: Answer, signal })).accessToken,
    pendingLink: (signal) => call("/auth/link", { schema: PendingLinkAnswer, signal }),
    link: async (password, signal) => signedIn(await call("/auth/link", { json: { password }, schema: Answer, signal })),
    logout: async (signal) => void (await call("/auth/logout", { method: "POST", schema: unknown(), signal })),
    providers: async (signal) => {
      try {
        const { federated, providers } = await call("/auth/providers", { schema: ProvidersAnswer, signal });
        return providers ?? (federated === null ? [] : [{ ...specified, name: federated.name }]);
      } catch (error) {
        if (isNotOffered(error)) return [specified];
        throw error;
      }
    },
  };
}

/** SPEC.md section 8: a refusal without a message becomes 'Token refresh failed: {status}'. */
function explainRefusal(error: unknown): never {
  if (!(error instanceof ApiError) || error.status === 0 || error.said !== undefined) throw error;
  throw new ApiError(error.status, error.code, `Token refresh failed: ${error.status}`, { cause: error });
}
