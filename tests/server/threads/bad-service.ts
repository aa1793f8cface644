// A service process for tests. Each request selects its behavior.
import * as v from "valibot";

const Message = v.object({ id: v.number(), request: v.string() });
const junk = `${"native code has a lot to say ".repeat(1_000)}\n`;

function complain(): void {
  while (process.stderr.write(junk));
  process.stderr.once("drain", complain);
}

if (process.argv[2] === "dies") {
  console.error("the library is missing");
  process.exit(3);
}
process.on("message", (message) => {
  const { id, request } = v.parse(Message, message);
  const answer = (more: object) => process.send?.({ id, isLast: false, ...more });
  if (request === "hangs") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  else if (request === "crashes") process.abort();
  else if (request === "answers garbage") process.send?.({ idea: [Number.NaN] });
  else if (request === "answers others") answer({ id: id + 1_000, answer: "not yours" });
  else if (request === "complains without end") complain();
  else if (request === "refuses and stays") process.send?.({ id, error: "out of ideas" });
  else answer({ answer: process.pid });
});
process.on("disconnect", () => process.exit(0));
