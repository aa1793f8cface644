import { readConfig } from "#server/config/config.ts";
import { serveQuarantine } from "#server/processes/quarantine-process.ts";
import { chaosParts } from "./engines.ts";

/** The quarantine of chaos-child.ts. */
await serveQuarantine(readConfig(process.env), chaosParts());
