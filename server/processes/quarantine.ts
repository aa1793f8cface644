import { readConfig } from "#server/config/config.ts";
import { serveQuarantine } from "./quarantine-process.ts";

// Started by the server (jobs/quarantine.ts) with its environment; the argument is the server's process id.
await serveQuarantine(readConfig(process.env));
