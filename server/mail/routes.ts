import { Hono, type MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { isLocalOnly, isLoopbackAddress, isLoopbackHost, isPassedOn, type ReachConfig } from "#server/http/loopback.ts";
import type { Outbox } from "./outbox.ts";

interface Parts {
  config: ReachConfig;
  outbox: Outbox;
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/**
 * Without a mail server, e-mails are shown here, only to the user of this machine: their links are as good as
 * passwords. With a mail server, or on a publicly reachable server, these paths don't exist; there `npm run mails`
 * shows the e-mails.
 */
export function mailRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { kept } = deps.outbox;
  if (kept === undefined || !isLocalOnly(deps.config)) return app;
  app.use("/mails/*", onlyHere);
  app.use("/mails", onlyHere);

  app.get("/mails", async (c) => {
    c.header("Content-Security-Policy", policy);
    const mails = await kept();
    return c.html(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>E-mails of this Parlance</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
li{margin-block:1.5rem}iframe{width:100%;height:26rem;border:1px solid;background:#fff}</style></head>
<body><h1>E-mails of this Parlance</h1>
<p>No mail server is set up (SMTP_URL), so e-mails stay here for seven days and are not sent. Only this machine can show them.</p>
${mails.length === 0 ? html`<p>There are no e-mails.</p>` : ""}
<ol>${mails.map(
      (mail) => html`<li><strong>${mail.subject}</strong><br>To ${mail.recipient},
<time>${new Date(mail.created_at).toISOString()}</time>
<iframe src="/mails/${mail.id}" title="${mail.subject}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe></li>`,
    )}</ol></body></html>`);
  });

  app.get("/mails/:id", async (c) => {
    const mail = (await kept()).find(({ id }) => id === c.req.param("id"));
    if (mail === undefined) throw new Problem("notFound");
    c.header("Content-Security-Policy", policy);
    return c.html(mail.html.replace("<head>", '<head><base target="_blank">'));
  });
  return app;
}

/**
 * Whether a request comes from this machine, directly, and to its own name: another name that resolves here is
 * another site's page (DNS rebinding), and a proxy may forward anybody.
 */
const onlyHere: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { remoteAddress = "" } = c.env.incoming.socket;
  const host = `http://${c.env.incoming.headers.host ?? ""}`;
  const isMeant = URL.canParse(host) && isLoopbackHost(new URL(host).hostname);
  if (isPassedOn(c.env.incoming) || !isMeant || !isLoopbackAddress(remoteAddress)) throw new Problem("notFound");
  await next();
};
