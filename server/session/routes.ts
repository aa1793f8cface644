import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { Credentials, type LoginAnswer, type RegisterAnswer, Registration } from "#contract/index.ts";
import { verifyNothing, verifyPassword } from "#server/account/passwords.ts";
import { findUserByEmail } from "#server/account/queries.ts";
import { listWaiting } from "#server/account/registration-queries.ts";
import { registerWaiting } from "#server/account/registrations.ts";
import { isReserved } from "#server/account/superusers.ts";
import { createUser, findSignedIn, profileOf } from "#server/account/users.ts";
import type { AppEnv, Deps } from "#server/deps.ts";
import { readJson } from "#server/http/body.ts";
import { Problem, sentenceOf } from "#server/problem.ts";
import { clearRefreshCookie, handOver, openSession, readRefreshToken } from "./cookies.ts";
import { knownDevice } from "./device-cookie.ts";
import { addressOf, requireUser } from "./require-user.ts";
import { countSignIn } from "./sign-in-limits.ts";
import { mailLimit, refreshAddressLimit, refreshLimit, registrationLimit } from "./throttle.ts";

/** Sign-up, sign-in and what keeps it going (SPEC.md section 7, "Auth"). */
export function authRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post("/auth/register", async (c) => {
    await deps.throttle.count(registrationLimit, addressOf(c, deps.config.trustProxy));
    const registration = await readJson(c, Registration);
    if (deps.config.mail.confirmation) {
      await deps.throttle.count(mailLimit, registration.email);
      await registerWaiting(deps, registration);
      const answer: RegisterAnswer = { message: sentenceOf("emailUnconfirmed") };
      return c.json(answer, 201);
    }
    if (isReserved(registration.email)) throw new Problem("emailTaken");
    const user = await createUser(deps.db, registration, { at: deps.now() });
    const answer: RegisterAnswer = { accessToken: await openSession(c, deps, user), user: await profileOf(deps.db, user) };
    return c.json(answer, 201);
  });

  app.post("/auth/login", async (c) => {
    const credentials = await readJson(c, Credentials);
    const user = await findUserByEmail(deps.db, credentials.email);
    const [waiting] = await listWaiting(deps.db, credentials.email, deps.now());
    const device = user === undefined ? undefined : await knownDevice(c, deps, user.id);
    const succeed = await countSignIn(deps.throttle, {
      email: credentials.email,
      address: addressOf(c, deps.config.trustProxy),
      device,
    });
    // An account that has no password is answered like one that does not exist: in the same words, after the same time.
    const hash = user === undefined ? waiting?.password_hash : user.password_hash || undefined;
    const right =
      hash === undefined ? await verifyNothing(credentials.password) : await verifyPassword(credentials.password, hash);
    if (!right) throw new Problem("badCredentials");
    if (user === undefined || (deps.config.mail.confirmation && user.email_verified === 0)) throw new Problem("emailUnconfirmed");
    await succeed();
    const answer: InferOutput<typeof LoginAnswer> = {
      accessToken: await openSession(c, deps, user),
      user: await profileOf(deps.db, user),
    };
    return c.json(answer);
  });

  app.post("/auth/refresh", async (c) => {
    const token = readRefreshToken(c, deps);
    if (token === undefined) {
      throw new Problem("unauthorized", "There is no auth token: the refresh cookie did not come with the request.");
    }
    // Before the token is exchanged: one that was, and whose successor is then kept back, would end the sign-in.
    await deps.throttle.count(refreshAddressLimit, addressOf(c, deps.config.trustProxy));
    const owner = await deps.refreshTokens.ownerOf(token);
    if (owner !== undefined) await deps.throttle.count(refreshLimit, owner.sessionId);
    // A refused cookie is left as it is: this answer may come after a new sign-in in another tab has set a good one.
    const refreshed = await deps.refreshTokens.rotate(token);
    const user = await findSignedIn(deps.db, refreshed.userId, refreshed.sessionId);
    if (user === undefined) throw new Problem("unauthorized", "The sign-in has ended. Sign in again.");
    return c.json({ accessToken: await handOver(c, deps, user, refreshed) });
  });

  app.post("/auth/logout", async (c) => {
    const token = readRefreshToken(c, deps);
    if (token !== undefined) await deps.refreshTokens.close(token);
    clearRefreshCookie(c, deps);
    return c.body(null, 204);
  });

  app.get("/auth/ping", requireUser(deps), (c) => c.json({ message: "ok" }));

  app.get("/users/me", requireUser(deps), async (c) => c.json(await profileOf(deps.db, c.var.user)));
  return app;
}
