import { readConfig } from "./config.ts";
import { serveQuarantine } from "./quarantine-process.ts";

// Started by the server (jobs/quarantine.ts) with its own environment.
await serveQuarantine(readConfig(process.env));
