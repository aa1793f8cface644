import { readFileSync } from "node:fs";
import * as v from "valibot";

const Package = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() }));

/** The product's version, as package.json has it. */
export const { version } = v.parse(Package, readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
