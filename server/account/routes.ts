import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { ConfirmEmail, ForgotPassword, linkKindOf, type MessageAnswer, ResetPassword, StopEmailChange } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { rememberDevice } from "#server/session/device-cookie.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { attemptsFrom } from "#server/session/sign-in-limits.ts";
import {
  accountLimit,
  askLimit,
  confirmMailPace,
  everywhereLimit,
  redeemLimit,
  resetMailPace,
  type Throttle,
} from "#server/session/throttle.ts";
import { findUserByEmail } from "#server/users/queries.ts";
import { chooseFirstPassword, confirmAddress, type PasswordOwner } from "./confirm-address.ts";
import { changeCredential, proveAddress } from "./credentials.ts";
import { moveToNewEmail, stopEmailChange } from "./email-change.ts";
import { promiseMail, sendConfirmation, sendEmail } from "./emails.ts";
import { addressOfToken, issueToken, redeemToken } from "./link-tokens.ts";
import { hashNewPassword } from "./new-password.ts";
import type { Passwords } from "./passwords.ts";
import { sendAnotherLink } from "./registrations.ts";

interface Parts extends DbParts {
  config: { trustProxy: TrustedProxies };
  log: Log;
  origins: Origins;
  connections: OpenConnections;
  throttle: Throttle;
  outbox: Outbox;
  passwords: Passwords;
}

const say = (message: string): InferOutput<typeof MessageAnswer> => ({ message });

/**
 * The requests behind mailed links. No response reveals whether an address is known, neither by its text nor by its
 * time.
 */
export function accountMailRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const later = (work: Promise<void>) =>
    void work.catch((error: unknown) => deps.log.error("account e-mail not queued", describeError(error)));

  /** @param sent the message if this server sends e-mails */
  const promise = (sent: string) => promiseMail(deps.outbox, sent);

  app.post("/auth/forgot-password", async (c) => {
    const { email, language } = await readJson(c, ForgotPassword);
    await deps.throttle.count(askLimit, addressOf(c, deps.config.trustProxy));
    later(sendReset(deps, email, language));
    return c.json(await promise("If an account has this address, an e-mail is on its way."), 202);
  });

  app.post("/auth/resend-confirmation", async (c) => {
    const { email, language } = await readJson(c, ForgotPassword);
    await deps.throttle.count(askLimit, addressOf(c, deps.config.trustProxy));
    later(sendAgain(deps, email, language));
    return c.json(await promise("If this address still has to be confirmed, an e-mail is on its way."), 202);
  });

  app.post("/auth/reset-password", async (c) => {
    const { token, password } = await readJson(c, ResetPassword);
    const address = addressOf(c, deps.config.trustProxy);
    await deps.throttle.count(redeemLimit, address);
    const waits = linkKindOf(token) === "signup";
    const owner = waits ? await chooseFirstPassword(deps, token, password) : await reset(deps, token, password);
    // The owner is proven: other people's attempts must not limit this device.
    await rememberDevice(c, deps, owner.userId);
    await deps.throttle.reset(accountLimit, attemptsFrom(address, owner.email));
    await deps.throttle.reset(everywhereLimit, owner.email);
    if (!owner.isNew) await sendEmail(deps, owner.userId, "changed", { path: "/forgot-password" });
    return c.json(say("Your password was changed. Sign in with the new one."));
  });

  app.post("/auth/confirm-email", async (c) => {
    const { token, password } = await readJson(c, ConfirmEmail);
    await deps.throttle.count(redeemLimit, addressOf(c, deps.config.trustProxy));
    if (linkKindOf(token) === "signup") await confirmAddress(deps, token, password);
    else await moveToNewEmail(deps, token);
    return c.json(say("Your e-mail address is confirmed."));
  });

  app.post("/auth/stop-email-change", async (c) => {
    const { token } = await readJson(c, StopEmailChange);
    await deps.throttle.count(redeemLimit, addressOf(c, deps.config.trustProxy));
    await stopEmailChange(deps, token);
    return c.json(
      say("The address was not changed. Choose a new password: the person who requested the change knew the old one."),
    );
  });
  return app;
}

async function sendReset(deps: Parts, email: string, language: InferOutput<typeof ForgotPassword>["language"]): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  if (!(await deps.throttle.take(resetMailPace, user?.id ?? email))) return;
  if (user === undefined) return sendAnotherLink(deps, "reset", email, language);
  const token = await issueToken(deps.db, { userId: user.id, purpose: "reset", email, now: deps.now() });
  await sendEmail(deps, user.id, "reset", { path: `/auth/reset-password#token=${token}`, language });
}

async function sendAgain(deps: Parts, email: string, language: InferOutput<typeof ForgotPassword>["language"]): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  if (user?.email_verified === 1 || !(await deps.throttle.take(confirmMailPace, user?.id ?? email))) return;
  if (user === undefined) return sendAnotherLink(deps, "confirm", email, language);
  await sendConfirmation(deps, user, language);
}

/** @returns the account whose password was set. @throws Problem `linkInvalid`, `passwordCommon`, `passwordPersonal` */
async function reset(deps: Parts, token: string, password: string): Promise<PasswordOwner> {
  // Hashed before the transaction, because it is slow by design. A refused password does not consume the link.
  const hash = await hashNewPassword(deps.passwords, password, await addressOfToken(deps.db, token, "reset", deps.now()));
  const { userId, email } = await changeCredential(deps, async (t) => {
    const redeemed = await redeemToken(t, token, ["reset"], deps.now());
    await proveAddress(t, redeemed, hash);
    return redeemed;
  });
  return { userId, email, isNew: false };
}
