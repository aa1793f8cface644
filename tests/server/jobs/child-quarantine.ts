import { readConfig } from "#server/config/config.ts";
import { serveQuarantine } from "#server/processes/quarantine-process.ts";
import { childParts } from "./child-engine.ts";

/** The quarantine of child.ts. */
await serveQuarantine(readConfig(process.env), childParts(true));
