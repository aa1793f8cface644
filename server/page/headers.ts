import { createHash } from "node:crypto";
import { strictTransport } from "#server/http/guards.ts";
import { type AnalyticsConfig, analyticsSources } from "./analytics.ts";

/** Other origins than the page's and the API's. */
export interface Elsewhere {
  analytics?: AnalyticsConfig | undefined;
  files?: string | undefined;
  /** Hashes of the scripts that stand in the page's HTML ("'sha256-…'"). */
  scripts?: readonly string[];
}

/**
 * The page's content security policy (DESIGN.md section 8).
 * @param api the API's origin; undefined if this host does not know it
 * @param elsewhere the targets of analytics, the origin of recordings besides the API's, and the scripts in the HTML
 */
function contentSecurityPolicy(api: string | undefined, { analytics, files, scripts = [] }: Elsewhere = {}): string {
  const measuring = analytics && analyticsSources(analytics);
  const call = api === undefined ? "" : ` ${api} ${api.replace(/^http/, "ws")}`;
  const media = api === undefined ? "" : ` ${api}`;
  return [
    "default-src 'none'",
    // WebAssembly may be compiled, for the workers of models (src/features/device-models/): text is no script for that.
    ["script-src 'self' 'wasm-unsafe-eval'", ...scripts, ...(measuring ? [measuring.script] : [])].join(" "),
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob:${media}`,
    `media-src 'self' blob:${media}${files === undefined ? "" : ` ${files}`}`,
    [`connect-src 'self'${call}`, ...(measuring?.connect ?? [])].join(" "),
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Trusted Types policies, each of which allows one URL: those of the workers of the vault, of the statecharts'
    // layout and of models (src/browser/start-worker.ts), that of the service worker (src/features/offline/worker.ts),
    // and that of the tag (src/features/analytics/tag.ts).
    `trusted-types vault inspection recogniser translator offline${measuring ? " analytics" : ""}`,
  ].join("; ");
}

/** The scripts in a document that its policy has to allow by their content: no data, and none with an address. */
export function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
}

/**
 * This origin may use unlisted features, such as the browser's own recognizer (older browsers complain about unknown
 * names).
 */
const permissions = "microphone=(self), display-capture=(self), camera=(), geolocation=(), payment=(), usb=()";

/** Headers of everything on the page's port. */
export function pageHeaders(api: string | undefined, secure: boolean, elsewhere: Elsewhere = {}): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(api, elsewhere),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": permissions,
    "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(secure ? { "Strict-Transport-Security": strictTransport } : {}),
  };
}
