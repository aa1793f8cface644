import { Hono } from "hono";
import { deleteCookie, getCookie } from "hono/cookie";
import type { InferOutput } from "valibot";
import { Credentials, type LoginAnswer, type RegisterAnswer, Registration } from "../../src/api/contract/index.ts";
import { verifyNothing, verifyPassword } from "../accounts/passwords.ts";
import { registerUnconfirmed } from "../accounts/register.ts";
import {
  accountLimit,
  addressLimit,
  everywhereLimit,
  mailLimit,
  refreshAddressLimit,
  refreshLimit,
  registrationLimit,
} from "../accounts/throttle.ts";
import { createUser, findSignedIn, findUserByEmail, profileOf } from "../accounts/users.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { readJson } from "../http/body.ts";
import { addressOf, requireUser } from "../http/session.ts";
import { handOver, openSession, refreshCookie, refreshScope } from "../http/sign-in.ts";
import { Problem, sentenceOf } from "../problem.ts";

/** Sign-up, sign-in and what keeps it going (SPEC.md section 7, "Auth"). */
export function authRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post("/auth/register", async (c) => {
    await deps.throttle.count(registrationLimit, addressOf(c, deps.config.trustProxy));
    const registration = await readJson(c, Registration);
    if (deps.config.mail.confirmation) {
      await deps.throttle.count(mailLimit, registration.email);
      await registerUnconfirmed(deps, registration);
      const answer: RegisterAnswer = { message: sentenceOf("emailUnconfirmed") };
      return c.json(answer, 201);
    }
    const user = await createUser(deps.db, registration, { at: deps.now() });
    const answer: RegisterAnswer = { accessToken: await openSession(c, deps, user), user: await profileOf(deps.db, user) };
    return c.json(answer, 201);
  });

  app.post("/auth/login", async (c) => {
    const credentials = await readJson(c, Credentials);
    const address = addressOf(c, deps.config.trustProxy);
    const account = `${address}\0${credentials.email}`;
    await deps.throttle.count(accountLimit, account);
    await deps.throttle.count(addressLimit, address);
    await deps.throttle.count(everywhereLimit, credentials.email);
    const user = await findUserByEmail(deps.db, credentials.email);
    // An account that has no password is answered like one that does not exist: in the same words, after the same time.
    const hash = user?.password_hash || undefined;
    const right =
      hash === undefined ? await verifyNothing(credentials.password) : await verifyPassword(credentials.password, hash);
    if (user === undefined || !right) throw new Problem("badCredentials");
    if (deps.config.mail.confirmation && user.email_verified === 0) throw new Problem("emailUnconfirmed");
    await deps.throttle.forget(accountLimit, account);
    const answer: InferOutput<typeof LoginAnswer> = {
      accessToken: await openSession(c, deps, user),
      user: await profileOf(deps.db, user),
    };
    return c.json(answer);
  });

  app.post("/auth/refresh", async (c) => {
    const token = getCookie(c, refreshCookie);
    if (token === undefined) {
      throw new Problem("unauthorized", "There is no auth token: the refresh cookie did not come with the request.");
    }
    // Before the token is exchanged: one that was, and whose successor is then kept back, would end the sign-in.
    await deps.throttle.count(refreshAddressLimit, addressOf(c, deps.config.trustProxy));
    const family = await deps.refreshTokens.familyOf(token);
    if (family !== undefined) await deps.throttle.count(refreshLimit, family);
    // A refused cookie is left as it is: this answer may come after a new sign-in in another tab has set a good one.
    const refreshed = await deps.refreshTokens.rotate(token);
    const user = await findSignedIn(deps.db, refreshed.userId, refreshed.sessionId);
    if (user === undefined) throw new Problem("unauthorized", "The sign-in has ended. Sign in again.");
    return c.json({ accessToken: await handOver(c, deps, user, refreshed) });
  });

  app.post("/auth/logout", async (c) => {
    const token = getCookie(c, refreshCookie);
    if (token !== undefined) await deps.refreshTokens.close(token);
    deleteCookie(c, refreshCookie, refreshScope(deps));
    return c.body(null, 204);
  });

  app.get("/auth/ping", requireUser(deps), (c) => c.json({ message: "ok" }));

  app.get("/users/me", requireUser(deps), async (c) => c.json(await profileOf(deps.db, c.var.user)));
  return app;
}
