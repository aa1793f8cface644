/**
 * What the page may do (DESIGN.md section 8).
 * @param api the API's origin; undefined when this host does not know it
 */
export function contentSecurityPolicy(api: string | undefined): string {
  const call = api === undefined ? "" : ` ${api} ${api.replace(/^http/, "ws")}`;
  const media = api === undefined ? "" : ` ${api}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob:${media}`,
    `media-src 'self' blob:${media}`,
    `connect-src 'self'${call}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // One policy, which knows one address: the worker that encrypts (src/vault/worker.ts).
    "trusted-types vault",
  ].join("; ");
}

/** Headers of everything on the page's port. */
export function pageHeaders(api: string | undefined, secure: boolean): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(api),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(secure ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}
