import { type Context, type Handler, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { type InferOutput, picklist } from "valibot";
import { type ErrorCode, type FederatedMessage, type ProvidersAnswer, type RefreshAnswer, ReturnCode } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { check, readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import { type AuthCookie, authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { User } from "#server/users/tables.ts";
import type { AttemptClaims } from "./access-tokens.ts";
import { confirmationMs } from "./confirmation.ts";
import { openSession, readRefreshToken } from "./cookies.ts";
import { resolveIdentity } from "./identities.ts";
import { findUserByIdentity } from "./identity-queries.ts";
import { keepPendingLink, linkCookie, pendingLinkSeconds } from "./pending-links.ts";
import { popupCallbackPage } from "./popup-callback-page.ts";
import type { Identity, Provider, Providers } from "./provider.ts";
import { findSignedIn, setConfirmedAt } from "./queries.ts";
import type { RefreshTokens } from "./refresh-tokens.ts";
import type { SignInParts } from "./require-user.ts";
import { issueReturnCode, redeemReturnCode } from "./return-codes.ts";
import { federatedLimit, refreshAddressLimit, registrationLimit, type Throttle } from "./throttle.ts";
import { attemptSeconds } from "./token-lifetimes.ts";

interface Parts extends SignInParts {
  config: { trustProxy: TrustedProxies; mail: { confirmation: boolean } };
  log: Log;
  origins: Origins;
  refreshTokens: RefreshTokens;
  throttle: Throttle;
  providers: Providers;
}

/** The path on the page for sign-ins without a popup. On the API, it is the callback path of the first provider. */
const callbackPath = "/auth/google/callback";
const firstPath = "/auth/google";
const firstId = "google";

/** The callback path of a provider. Each provider has its own, so that none can answer in the name of another. */
const callbackOf = (id: string) => (id === firstId ? callbackPath : `/auth/providers/${id}/callback`);

const Purpose = picklist(["signIn", "link", "confirm"]);

/** Concurrent attempts in one browser. */
const maxAttempts = 8;

type Answer = AttemptClaims["answer"];

/**
 * Federated sign-in (SPEC.md section 4): redirect to the provider, callback, redirect to the page. The state in between
 * is in a signed cookie, so any process can continue.
 */
export function federatedRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get("/auth/providers", (c) => {
    const providers = [...deps.providers.values()].map(({ id, name }) => ({ id, name }));
    const name = deps.providers.get(firstId)?.name;
    return c.json({ federated: name === undefined ? null : { name }, providers } satisfies ProvidersAnswer);
  });

  app.get(firstPath, begin(deps));
  app.get("/auth/providers/:provider", begin(deps));
  app.get(callbackPath, finish(deps));
  app.get("/auth/providers/:provider/callback", finish(deps));

  // The code alone is not enough: the request must come from the browser that has the same user's refresh cookie.
  app.post("/auth/google/exchange", async (c) => {
    await deps.throttle.count(refreshAddressLimit, addressOf(c, deps.config.trustProxy));
    const { code } = await readJson(c, ReturnCode);
    const userId = await redeemReturnCode(deps.db, code, deps.now());
    const owner = await ownerOf(c, deps);
    if (owner === undefined || owner.userId !== userId) throw new Problem("providerFailed", undefined, { status: 401 });
    const user = await findSignedIn(deps.db, owner.userId, owner.sessionId);
    if (user === undefined) throw new Problem("providerFailed", undefined, { status: 401 });
    const accessToken = await deps.tokens.sign({ sub: user.id, sid: owner.sessionId, email: user.email });
    return c.json({ accessToken } satisfies InferOutput<typeof RefreshAnswer>);
  });
  return app;
}

/**
 * Redirects to the provider. `popup=1`: the sign-in runs in a popup, which posts a message to its opener. `purpose`:
 * for signed-in users, identified by the refresh cookie, since a navigation carries no token.
 */
function begin(deps: Parts): Handler<AppEnv> {
  return async (c) => {
    const provider = providerOf(c, deps);
    const api = deps.origins.apiFor(c.req.header("host"));
    if (api === undefined) throw new Problem("providerOff", "Sign-in with another provider needs API_URL.");
    const answer: Answer = c.req.query("popup") === "1" ? "window" : "page";
    const purpose = check(Purpose, c.req.query("purpose") ?? "signIn");
    const owner = purpose === "signIn" ? undefined : await ownerOf(c, deps);
    if (purpose !== "signIn" && owner === undefined)
      return report(c, deps, answer, { type: "AUTH_FAILURE", code: "unauthorized" });
    try {
      const { url, attempt } = await provider.begin(`${api}${callbackOf(provider.id)}`, { fresh: purpose === "confirm" });
      const { state, ...rest } = attempt;
      const sid = owner?.sessionId ?? "";
      const remembered = await deps.tokens.signAttempt({ sub: state, provider: provider.id, ...rest, answer, purpose, sid });
      clearAbandonedAttempts(c, deps);
      attemptCookie(deps, state).write(c, remembered, attemptSeconds);
      return c.redirect(url.href);
    } catch (error) {
      deps.log.warn("the sign-in provider can't be reached", describeError(error));
      return report(c, deps, answer, { type: "AUTH_FAILURE", code: "providerFailed" });
    }
  };
}

/** Handles the callback: the provider sends the browser back. */
function finish(deps: Parts): Handler<AppEnv> {
  return async (c) => {
    const provider = providerOf(c, deps);
    const query = new URL(c.req.url).searchParams;
    const attempt = await takeAttempt(c, deps, query.get("state"));
    // An attempt that began at another provider must not be finished by this one (mix-up: RFC 9700, section 4.4).
    if (attempt === undefined || attempt.provider !== provider.id)
      return report(c, deps, "page", { type: "AUTH_FAILURE", code: "providerFailed" });
    try {
      const identity = await identify(c, deps, provider, attempt, query);
      if (attempt.purpose === "confirm") {
        await confirmSession(deps, identity, await sessionOf(c, deps, attempt));
        return report(c, deps, attempt.answer, { type: "AUTH_CONFIRMED" });
      }
      const user = await userFor(c, deps, identity, attempt);
      const accessToken = await openSession(c, deps, user, { method: "provider" });
      const code = await issueReturnCode(deps.db, user.id, deps.now());
      return report(c, deps, attempt.answer, { type: "AUTH_SUCCESS", accessToken }, code);
    } catch (error) {
      return report(c, deps, attempt.answer, { type: "AUTH_FAILURE", code: codeOf(error, deps) });
    }
  };
}

/** The provider named in the path. @throws Problem `providerOff` */
function providerOf(c: Context<AppEnv>, { providers }: Parts): Provider {
  const provider = providers.get(c.req.param("provider") ?? firstId);
  if (provider === undefined) throw new Problem("providerOff");
  return provider;
}

/** The user and session of this browser's refresh cookie. */
async function ownerOf(c: Context<AppEnv>, deps: Parts): Promise<{ sessionId: string; userId: string } | undefined> {
  const token = readRefreshToken(c, deps);
  return token === undefined ? undefined : deps.refreshTokens.ownerOf(token);
}

/** Completes the attempt at the provider. @throws Problem `providerFailed`, `tooManyRequests` */
async function identify(
  c: Context<AppEnv>,
  deps: Parts,
  provider: Provider,
  { sub: state, nonce, verifier, redirectUri }: AttemptClaims,
  query: URLSearchParams,
): Promise<Identity> {
  await deps.throttle.count(federatedLimit, addressOf(c, deps.config.trustProxy));
  return provider.finish({ state, nonce, verifier, redirectUri }, query).catch((error: unknown) => {
    deps.log.warn("federated sign-in failed", describeError(error));
    throw new Problem("providerFailed", undefined, { cause: error });
  });
}

/**
 * The account to sign in to.
 * @throws Problem `accountExists`, `providerEmail`, `providerTaken`, `linkRequired` after setting the cookie that
 *   links the two accounts
 */
async function userFor(c: Context<AppEnv>, deps: Parts, identity: Identity, attempt: AttemptClaims): Promise<User> {
  const { db, now } = deps;
  const known = await findUserByIdentity(db, identity);
  const linkTo = async (owner: User): Promise<never> => {
    linkCookie(deps).write(c, await keepPendingLink(db, owner.id, identity, now()), pendingLinkSeconds);
    throw new Problem("linkRequired");
  };
  if (attempt.purpose === "link") {
    const { user } = await sessionOf(c, deps, attempt);
    if (known !== undefined && known.id !== user.id) throw new Problem("providerTaken");
    if (user.password_hash === "") throw new Problem("forbidden");
    return known ?? linkTo(user);
  }
  if (known !== undefined) return known;
  await deps.throttle.count(registrationLimit, addressOf(c, deps.config.trustProxy));
  // Where addresses have to be confirmed, the response must not reveal whether an unproven address has an account.
  if (deps.config.mail.confirmation && !identity.emailVerified) throw new Problem("providerEmail");
  const resolved = await resolveIdentity(db, identity, now());
  return resolved.kind === "owner" ? linkTo(resolved.owner) : resolved.user;
}

/** The session in which an attempt began, if this browser still has it. @throws Problem `unauthorized` */
async function sessionOf(c: Context<AppEnv>, deps: Parts, { sid }: AttemptClaims): Promise<{ user: User; sessionId: string }> {
  const owner = await ownerOf(c, deps);
  const user = owner?.sessionId === sid ? await findSignedIn(deps.db, owner.userId, sid) : undefined;
  if (user === undefined) throw new Problem("unauthorized");
  return { user, sessionId: sid };
}

/**
 * Confirms a session by a fresh sign-in at the provider.
 * @throws Problem `providerNotFresh` when the sign-in was not recent or its time is unknown; `providerTaken` for
 *   another user's account
 */
async function confirmSession(
  { db, now }: Parts,
  identity: Identity,
  { user, sessionId }: { user: User; sessionId: string },
): Promise<void> {
  const known = await findUserByIdentity(db, identity);
  if (known?.id !== user.id) throw new Problem("providerTaken");
  const { authenticatedAt } = identity;
  if (authenticatedAt === undefined || Math.abs(now() - authenticatedAt) > confirmationMs) throw new Problem("providerNotFresh");
  await setConfirmedAt(db, sessionId, authenticatedAt);
}

function codeOf(error: unknown, { log }: Parts): ErrorCode {
  if (error instanceof Problem) return error.code;
  log.error("federated sign-in failed", describeError(error));
  return "internal";
}

/** Reads and clears this browser's cookie of the attempt with this state. */
async function takeAttempt(c: Context<AppEnv>, deps: Parts, state: string | null): Promise<AttemptClaims | undefined> {
  if (state === null || !/^[\w-]{43}$/.test(state)) return undefined;
  const cookie = attemptCookie(deps, state);
  const remembered = cookie.read(c);
  if (remembered === undefined) return undefined;
  cookie.clear(c);
  const attempt = await deps.tokens.verifyAttempt(remembered);
  return attempt?.sub === state ? attempt : undefined;
}

/** Clears the cookies of abandoned attempts before they exceed the limit of request headers. */
function clearAbandonedAttempts(c: Context<AppEnv>, deps: Parts): void {
  const { name: prefix } = attemptCookie(deps, "");
  const states = Object.keys(getCookie(c)).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
  if (states.length >= maxAttempts) for (const state of states) attemptCookie(deps, state).clear(c);
}

/** One cookie per attempt, so that two windows don't interfere. */
function attemptCookie(deps: Parts, state: string): AuthCookie {
  return authCookie(deps, `parlance_attempt_${state.slice(0, 12)}`);
}

/**
 * Reports the result to the page: by a message from the popup, or by a redirect. No URL ever contains a token.
 * @param code the page exchanges it for a token
 */
function report(
  c: Context<AppEnv>,
  deps: Parts,
  answer: Answer,
  message: FederatedMessage,
  code?: string,
): Response | Promise<Response> {
  const page = deps.origins.pageFor(c.req.header("host"));
  const fallbackUrl = page + placeFor(message, code);
  if (answer === "page") return c.redirect(fallbackUrl);
  const { html, policy } = popupCallbackPage({ message, page, fallbackUrl });
  c.header("Content-Security-Policy", policy);
  return c.html(html);
}

/** The page's URL that carries the result of a sign-in without a popup. */
function placeFor(message: FederatedMessage, code: string | undefined): string {
  if (message.type === "AUTH_CONFIRMED") return "/settings";
  return `${callbackPath}?${message.type === "AUTH_FAILURE" ? `error=${message.code}` : `code=${code}`}`;
}
