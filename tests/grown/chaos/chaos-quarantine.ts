import { readConfig } from "#server/config.ts";
import { serveQuarantine } from "#server/quarantine-process.ts";
import { chaosParts } from "./engines.ts";

/** The quarantine of chaos-child.ts. */
await serveQuarantine(readConfig(process.env), chaosParts());
