import { requestContext } from "./request-context.ts";

export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/**
 * One JSON line per entry, on standard error. Never pass texts, tokens or queries to it; secrets in errors of libraries
 * (an address, a header, unparsable input) are redacted from every entry.
 */
export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

/** @param now epoch milliseconds */
export function createLog(level: LogLevel, now: () => number, write: (line: string) => void = toStandardError): Log {
  const loudest = logLevels.indexOf(level);
  const at =
    (own: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(own) > loudest) return;
      const entry = { time: new Date(now()).toISOString(), level: own, message, requestId: requestContext()?.requestId };
      write(`${JSON.stringify({ ...entry, ...withoutSecrets(fields) })}\n`);
    };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

let isHeard = false;

function toStandardError(line: string): void {
  // A line that can't be written (a full disk, a closed reader) is lost; without a listener, Node would end the
  // process.
  if (!isHeard) process.stderr.on("error", () => undefined);
  isHeard = true;
  process.stderr.write(line);
}

const secrets: readonly [RegExp, string][] = [
  // A JSON Web Token: base64 of an opening brace.
  [/\beyJ[\w-]+(\.[\w-]*){1,4}/g, "[token]"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [secret]"],
  // In a query, a fragment or a form; in a cookie.
  [
    /([?&#;\s"'](?:[\w-]*(?:token|code|secret|key|password|state|signature|_refresh|_media|_export|_shared))=)[^&#;\s"']+/gi,
    "$1[secret]",
  ],
  // User name and password in a URL.
  [/(:\/\/)[^\s/@]+@/g, "$1[secret]@"],
  // Unparsable input, which JSON.parse and valibot quote: it may be a user's text.
  [/(?:\.{3})?"[\s\S]*?"(?:\.{3})? is not valid JSON/g, "[secret] is not valid JSON"],
  [/\breceived "(?:[^"\\]|\\.)*"/g, "received [secret]"],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, "[e-mail]"],
  // Long random strings: 256 bits in base64 or hex. Row ids are shorter.
  [/[\w-]{43,}/g, "[secret]"],
];

/**
 * Maximum characters of one field: the search for secrets takes time with their square, and a message may quote input.
 */
const longest = 10_000;

export function withoutSecretsIn(text: string): string {
  return secrets.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text.slice(0, longest));
}

function withoutSecrets(fields: LogFields): LogFields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? withoutSecretsIn(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The loggable parts of an error: its name, code and message, without attached data. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { error: `${error.name}: ${error.message}`, ...(code === undefined ? {} : { code }), stack: error.stack ?? null };
}
