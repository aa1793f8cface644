// An engine process for tests that breaks its protocol. Its argument is the path of a JSON file, read anew for each
// request. The number of samples in the request selects the behavior: { "start": behaviour, "<samples>": behaviour }.
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { Request } from "#server/speech/process/protocol.ts";

const Script = v.record(v.string(), v.string());
const script = () => v.parse(Script, JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
const answer = (message: object | string) => process.send?.(message);
const junk = "native code has a lot to say ".repeat(1_000);

/** Writes forever, as fast as the reader consumes it. */
function flood(stream: NodeJS.WriteStream, text: string): void {
  while (stream.write(text));
  stream.once("drain", () => flood(stream, text));
}

const behaviours: Record<string, (request: Request) => void> = {
  hangs: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  crashes: () => process.abort(),
  "answers garbage": ({ id }) => {
    answer("\u0000\ufffd");
    answer({ id, recognized: { text: [1, null] }, text: 7 });
  },
  "answers others": ({ id }) => void answer({ id: id + 1_000, recognized: "not yours", text: "not yours" }),
  "complains without end": () => flood(process.stderr, `${junk}\n`),
};

function take(request: Request): void {
  if (request.kind === "begin" || request.kind === "discard") return;
  const bad = behaviours[script()[String(request.pcm.length / 2)] ?? ""];
  if (bad !== undefined) bad(request);
  else if (request.kind === "feed") answer({ id: request.id, text: "heard" });
  else answer({ id: request.id, recognized: `heard ${request.pcm.length / 2}` });
}

process.on("message", (message) => take(v.parse(Request, message)));
process.on("disconnect", () => process.exit(0));
process.stderr.on("error", () => process.exit(0));
const { start } = script();
if (start === "dies") {
  console.error("the library is missing");
  process.exit(3);
}
if (start === "floods") flood(process.stderr, `${junk}\n`);
else if (start !== "says nothing") answer({ ready: true });
