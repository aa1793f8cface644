import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { FederatedMessage } from "#contract/index.ts";

/**
 * The window tells who has opened it and closes. Without an opener (some providers' pages cut the tie) it becomes the page itself.
 * It takes what it says from attributes, so that its text never changes and one hash allows it.
 */
const script = `const { message, page, fallbackUrl } = document.documentElement.dataset;
if (window.opener) {
  window.opener.postMessage(JSON.parse(message), page);
  window.close();
} else location.replace(fallbackUrl);`;

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * The last page of a sign-in in a window of its own.
 * @param page the origin that alone may hear the message
 * @param fallbackUrl the page's address that says the same
 */
export function popupCallbackPage({
  message,
  page,
  fallbackUrl,
}: {
  message: FederatedMessage;
  page: string;
  fallbackUrl: string;
}) {
  const document = html`<!doctype html>
<html data-message="${JSON.stringify(message)}" data-page="${page}" data-fallback-url="${fallbackUrl}">
<head><meta charset="utf-8"><title>Parlance</title></head>
<body><script>${raw(script)}</script></body>
</html>
`;
  return { html: document, policy };
}
