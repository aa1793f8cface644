import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { ErrorCode, FederatedMessage, ProvidersAnswer } from "../../src/api/contract/index.ts";
import { type AttemptClaims, attemptSeconds } from "../accounts/access-tokens.ts";
import { adoptIdentity, findUserByIdentity } from "../accounts/identities.ts";
import type { Provider } from "../accounts/provider.ts";
import { federatedLimit, registrationLimit } from "../accounts/throttle.ts";
import type { User } from "../accounts/users.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { addressOf } from "../http/session.ts";
import { openSession } from "../http/sign-in.ts";
import { windowPage } from "../http/window-page.ts";
import { describeError } from "../log.ts";
import { Problem } from "../problem.ts";

/** Of the API and, for who comes back in the same window, of the page. */
const callbackPath = "/auth/google/callback";

/** Of one browser at the same time. */
const mostAttempts = 8;

type Answer = AttemptClaims["answer"];

/**
 * Federated sign-in (SPEC.md section 4): away to the provider, back to the callback, and from there to the page. What has to be
 * remembered meanwhile is with the browser, signed: any process can go on.
 */
export function federatedRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get("/auth/providers", (c) => {
    const answer: ProvidersAnswer = { federated: deps.provider === undefined ? null : { name: deps.provider.name } };
    return c.json(answer);
  });

  // `popup=1`: in a window of its own, which tells the page that has opened it.
  app.get("/auth/google", async (c) => {
    const provider = providerOf(deps);
    const api = deps.origins.apiFor(c.req.header("host"));
    if (api === undefined) throw new Problem("providerOff", "Signing in with another provider needs API_URL to be set.");
    const answer: Answer = c.req.query("popup") === "1" ? "window" : "page";
    try {
      const { url, attempt } = await provider.begin(`${api}${callbackPath}`);
      const { state, ...rest } = attempt;
      const remembered = await deps.tokens.signAttempt({ sub: state, ...rest, answer });
      forgetMany(c, deps);
      setCookie(c, cookieOf(deps, state), remembered, { ...cookieScope(deps), maxAge: attemptSeconds });
      return c.redirect(url.href);
    } catch (error) {
      deps.log.warn("the provider of accounts can't be reached", describeError(error));
      return tell(c, deps, answer, { type: "AUTH_FAILURE", code: "providerFailed" });
    }
  });

  app.get(callbackPath, async (c) => {
    const provider = providerOf(deps);
    const query = new URL(c.req.url).searchParams;
    const attempt = await takeAttempt(c, deps, query.get("state"));
    if (attempt === undefined) return tell(c, deps, "page", { type: "AUTH_FAILURE", code: "providerFailed" });
    try {
      const user = await identify(c, deps, provider, attempt, query);
      const accessToken = await openSession(c, deps, user);
      return tell(c, deps, attempt.answer, { type: "AUTH_SUCCESS", accessToken });
    } catch (error) {
      return tell(c, deps, attempt.answer, { type: "AUTH_FAILURE", code: codeOf(error, deps) });
    }
  });
  return app;
}

/** @throws Problem `providerOff` */
function providerOf({ provider }: Pick<Deps, "provider">): Provider {
  if (provider === undefined) throw new Problem("providerOff");
  return provider;
}

/** @throws Problem `providerFailed`, `accountExists`, `tooManyRequests` */
async function identify(
  c: Context<AppEnv>,
  deps: Deps,
  provider: Provider,
  { sub: state, nonce, verifier, redirectUri }: AttemptClaims,
  query: URLSearchParams,
): Promise<User> {
  const address = addressOf(c, deps.config.trustProxy);
  await deps.throttle.count(federatedLimit, address);
  const identity = await provider.finish({ state, nonce, verifier, redirectUri }, query).catch((error: unknown) => {
    deps.log.warn("federated sign-in failed", describeError(error));
    throw new Problem("providerFailed", undefined, { cause: error });
  });
  const known = await findUserByIdentity(deps.db, identity);
  if (known !== undefined) return known;
  await deps.throttle.count(registrationLimit, address);
  return adoptIdentity(deps.db, identity, deps.now());
}

function codeOf(error: unknown, { log }: Deps): ErrorCode {
  if (error instanceof Problem) return error.code;
  log.error("federated sign-in failed", describeError(error));
  return "internal";
}

/** What was remembered of the attempt with this state, by this very browser; it is forgotten by this. */
async function takeAttempt(c: Context<AppEnv>, deps: Deps, state: string | null): Promise<AttemptClaims | undefined> {
  if (state === null || !/^[\w-]{43}$/.test(state)) return undefined;
  const name = cookieOf(deps, state);
  const remembered = getCookie(c, name);
  if (remembered === undefined) return undefined;
  deleteCookie(c, name, cookieScope(deps));
  const attempt = await deps.tokens.verifyAttempt(remembered);
  return attempt?.sub === state ? attempt : undefined;
}

/** Attempts that were given up are forgotten before they make the browser's requests too large to be heard. */
function forgetMany(c: Context<AppEnv>, deps: Deps): void {
  const names = Object.keys(getCookie(c)).filter((name) => name.startsWith(cookieOf(deps, "")));
  if (names.length >= mostAttempts) for (const name of names) deleteCookie(c, name, cookieScope(deps));
}

/** One for each attempt, so that two windows don't get in each other's way. Under https no other host can plant one (__Host-). */
function cookieOf({ origins }: Deps, state: string): string {
  return `${origins.secure ? "__Host-" : ""}parlance_attempt_${state.slice(0, 12)}`;
}

function cookieScope({ origins }: Deps) {
  return { httpOnly: true, sameSite: "Lax", path: "/", secure: origins.secure } as const;
}

/** Tells the page how it ended: by a message from this window, or by leading there. */
function tell(c: Context<AppEnv>, deps: Deps, answer: Answer, message: FederatedMessage): Response | Promise<Response> {
  const page = deps.origins.pageFor(c.req.header("host"));
  const result = message.type === "AUTH_SUCCESS" ? `token=${message.accessToken}` : `error=${message.code}`;
  const there = `${page}${callbackPath}?${result}`;
  if (answer === "page") return c.redirect(there);
  const { html, policy } = windowPage({ message, page, there });
  c.header("Content-Security-Policy", policy);
  return c.html(html);
}
