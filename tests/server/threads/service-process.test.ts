import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ServiceProcess } from "#server/threads/service-process.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

const program = fileURLToPath(new URL("./bad-service.ts", import.meta.url));

function serviceOf({ args = [], timeoutMs = timeLimit(60_000) }: { args?: string[]; timeoutMs?: number } = {}): ServiceProcess {
  const service = new ServiceProcess({ name: "The service", program, args, timeoutMs });
  onTestFinished(() => service.close());
  return service;
}

test.each([
  ["crashes", "failed", /stopped unexpectedly \(SIGABRT\)/],
  ["answers garbage", "failed", /an invalid answer/],
  ["answers others", "failed", /an invalid answer/],
])("fails a request when the service %s and starts a new process for the next one", async (behaviour, kind, message) => {
  const service = serviceOf();
  const first = await service.ask("works", { person: "ann" });
  await expect(service.ask(behaviour, { person: "ann" })).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
  });
  const next = await service.ask("works", { person: "ann" });
  expect(next).toBe(service.pid);
  expect(next).not.toBe(first);
});

test.each(["hangs", "complains without end", "refuses and stays"])(
  "ends a service that %s after the time limit",
  async (behaviour) => {
    const service = serviceOf({ timeoutMs: 500 });
    await expect(service.ask(behaviour, { person: "ann" })).rejects.toMatchObject({
      kind: "late",
      message: "The service took too long.",
    });
    expect(service.pid).toBeUndefined();
  },
);

test("reports why the service dies at its start to every caller", async () => {
  const service = serviceOf({ args: ["dies"] });
  for (const asked of [service.ask("works", { person: "ann" }), service.ask("works", { person: "bob" })]) {
    const cause = expect.objectContaining({ message: "the library is missing" });
    await expect(asked).rejects.toMatchObject({ kind: "failed", cause });
  }
});

test.runIf(process.platform === "linux")("lets the kernel end the service before the server when memory runs out", async () => {
  const service = serviceOf();
  await service.ask("works", { person: "ann" });
  expect(Number(await readFile(`/proc/${service.pid}/oom_score_adj`, "utf8"))).toBe(900);
});
