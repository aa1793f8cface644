import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { Credentials, type LoginAnswer, type RegisterAnswer, Registration, UserProfile } from "#contract/index.ts";
import { Problem, sentenceOf } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { openSession } from "#server/session/cookies.ts";
import { knownDevice } from "#server/session/device-cookie.ts";
import type { RefreshTokens } from "#server/session/refresh-tokens.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { AdminParts } from "#server/session/require-user.ts";
import { countSignIn } from "#server/session/sign-in-limits.ts";
import { mailLimit, registrationLimit } from "#server/session/throttle.ts";
import { findUserByEmail } from "#server/users/queries.ts";
import { isReserved } from "#server/users/reserved-addresses.ts";
import { createUser } from "./create-user.ts";
import type { Passwords } from "./passwords.ts";
import { profileOf } from "./profile.ts";
import { listWaiting } from "./registration-queries.ts";
import { registerWaiting } from "./registrations.ts";

interface Parts extends AccessParts, AdminParts {
  config: { trustProxy: TrustedProxies; mail: { confirmation: boolean } };
  log: Log;
  origins: Origins;
  refreshTokens: RefreshTokens;
  outbox: Outbox;
  passwords: Passwords;
}

const readProfile = {
  id: "getProfile",
  tag: "account",
  scope: "account:read",
  json: UserProfile,
} as const;

/** Registration and sign-in with a password (SPEC.md section 7, "Auth"). */
export function signInRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);

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
    const user = await createUser(deps, registration, { at: deps.now() });
    const answer: RegisterAnswer = { accessToken: await openSession(c, deps, user), user: await profileOf(deps, user) };
    return c.json(answer, 201);
  });

  app.post("/auth/login", async (c) => {
    const credentials = await readJson(c, Credentials);
    const user = await findUserByEmail(deps.db, credentials.email);
    if (user !== undefined) c.set("triedAccount", user.id);
    const [waiting] = await listWaiting(deps.db, credentials.email, deps.now());
    const device = user === undefined ? undefined : await knownDevice(c, deps, user.id, "passwords");
    const address = addressOf(c, deps.config.trustProxy);
    const succeed = await countSignIn(deps.throttle, { email: credentials.email, address, device });
    // An account without a password gets the same response as a missing one, after the same time.
    const hash = user === undefined ? waiting?.password_hash : user.password_hash;
    // A known device can sign in even while others guess passwords.
    const claimant = { person: address, isUrgent: device !== undefined };
    if (!(await deps.passwords.verify(credentials.password, hash, claimant))) throw new Problem("badCredentials");
    if (user === undefined || (deps.config.mail.confirmation && user.email_verified === 0)) throw new Problem("emailUnconfirmed");
    await succeed();
    const answer: InferOutput<typeof LoginAnswer> = {
      accessToken: await openSession(c, deps, user),
      user: await profileOf(deps, user),
    };
    return c.json(answer);
  });

  app.get("/users/me", access(readProfile), async (c) => c.json(await profileOf(deps, c.var.user, c.var.sessionId)));
  return app;
}
