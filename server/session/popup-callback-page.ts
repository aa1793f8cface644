import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { FederatedMessage } from "#contract/index.ts";

/**
 * The popup posts a message to its opener and closes. Without an opener (some providers' pages sever it) it navigates
 * to the page itself. The script reads its values from attributes, so that its text is constant and one CSP hash allows
 * it.
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
 * The last page of a sign-in in a popup.
 * @param page the only origin that may receive the message
 * @param fallbackUrl the page's URL that carries the same result
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
