import { type LogLevel, logLevels } from "./config.ts";

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** One JSON line for each entry, on standard error. Texts, tokens and queries are never passed to it. */
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
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level: own, message, ...fields })}\n`);
    };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}

/** What may be logged of an error: its name, code and message, without what it carries. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { error: `${error.name}: ${error.message}`, ...(code === undefined ? {} : { code }), stack: error.stack ?? null };
}
