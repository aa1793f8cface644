import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";
import { Bergamot, type BergamotScript } from "#translation/bergamot.ts";

/** Loads Bergamot into this process. @throws Error when the package is damaged */
export async function loadBergamot(): Promise<Bergamot> {
  const require = createRequire(import.meta.url);
  const program = require.resolve("@browsermt/bergamot-translator/worker/bergamot-translator-worker.js");
  const [script, wasm] = await Promise.all([
    readFile(program, "utf8"),
    readFile(require.resolve("@browsermt/bergamot-translator/worker/bergamot-translator-worker.wasm")),
  ]);
  const run: (...given: [...Parameters<BergamotScript>, ...node: unknown[]]) => ReturnType<BergamotScript> = new Script(
    `(function (Module, require, __dirname, __filename) {${script}\nreturn Module; })`,
    { filename: program },
  ).runInThisContext();
  return Bergamot.start(wasm, (module) => run(module, require, dirname(program), program));
}
