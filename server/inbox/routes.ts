import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { ContactMessage, Feedback, type MessageAnswer, WaitlistEntry } from "#contract/index.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { inboxLimit, inboxPersonLimit, type Throttle } from "#server/session/throttle.ts";
import { joinWaitlist, putInInbox } from "./queries.ts";

interface Parts extends SignInParts {
  config: { trustProxy: TrustedProxies; mail: { owner: string | undefined } };
  throttle: Throttle;
  outbox: Outbox;
}

/** Messages to the operator: stored, and emailed to the owner if an address is configured. */
export function inboxRoutes(deps: Parts): Hono<AppEnv> {
  const { db, config, throttle, now } = deps;
  const app = new Hono<AppEnv>();
  const say = (message: string): InferOutput<typeof MessageAnswer> => ({ message });

  app.post("/feedback", requireUser(deps), async (c) => {
    const { user } = c.var;
    const { clientId, rating = null, text, language } = await readJson(c, Feedback);
    await throttle.count(inboxPersonLimit, user.id);
    const from = { user_id: user.id, name: user.name, email: user.email };
    const row = {
      id: randomUUID(),
      client_id: `${user.id}:${clientId}`,
      kind: "feedback" as const,
      ...from,
      rating,
      text,
      language,
    };
    const isNew = await putInInbox(db, { ...row, created_at: now(), handled_at: null });
    const subject = `Feedback${rating === null ? "" : ` (${rating} of 5)`}`;
    if (isNew) await emailOwner(deps, subject, { ...from, userId: user.id }, text);
    return c.json(say("Thank you."), 201);
  });

  app.post("/contact", async (c) => {
    const { clientId, name, email, text, language } = await readJson(c, ContactMessage);
    await throttle.count(inboxLimit, addressOf(c, config.trustProxy));
    const row = { id: randomUUID(), client_id: `contact:${clientId}`, kind: "contact" as const, user_id: null, name, email };
    const isNew = await putInInbox(db, { ...row, rating: null, text, language, created_at: now(), handled_at: null });
    if (isNew) await emailOwner(deps, "Contact", { name, email }, text);
    return c.json(say("Thank you. We will answer by e-mail."), 201);
  });

  app.post("/waitlist", async (c) => {
    const { email, language } = await readJson(c, WaitlistEntry);
    await throttle.count(inboxLimit, addressOf(c, config.trustProxy));
    const isNew = await joinWaitlist(db, { email, language, created_at: now() });
    if (isNew) await emailOwner(deps, "Waitlist", { name: "", email }, "");
    return c.json(say("You are on the waiting list."), 201);
  });
  return app;
}

/** In English, for the operator. Messages are inserted as plain text. */
async function emailOwner(
  { config, outbox }: Parts,
  subject: string,
  { name, email, userId = null }: { name: string; email: string; userId?: string | null },
  text: string,
): Promise<void> {
  if (config.mail.owner === undefined) return;
  const body = `From: ${name === "" ? email : `${name} <${email}>`}\n\n${text}\n`;
  const escaped = body.replace(/[&<>]/g, (mark) => ({ "&": "&amp;", "<": "&lt;" })[mark] ?? "&gt;");
  const html = `<!doctype html><html lang="en"><body><pre style="white-space:pre-wrap">${escaped}</pre></body></html>`;
  const mail = { recipient: config.mail.owner, subject: `${subject} · Parlance`, text: body, html };
  await outbox.put(mail, { userId, replyTo: email });
}
