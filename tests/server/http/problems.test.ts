import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorCodes } from "#contract/error.ts";
import { root } from "#scripts/tools.mjs";
import { isOwnFault, Problem } from "#server/errors/problem.ts";

/** The status of each `new Problem("code", …, { status: N })` in the server, and each code's default status. */
async function statuses(): Promise<[code: string, status: number][]> {
  const folder = join(root, "server");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const sources = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const given = /new Problem\(\s*"(\w+)"[^;]*?\bstatus: (\d{3})/g;
  return [
    ...errorCodes.map((code): [string, number] => [code, new Problem(code).status]),
    ...sources.flatMap((source) =>
      [...source.matchAll(given)].map(([, code = "", status]): [string, number] => [code, Number(status)]),
    ),
  ];
}

test("no error with a status below 500 counts as the server's own fault", async () => {
  const all = await statuses();
  expect(all.length).toBeGreaterThan(errorCodes.length + 10);
  const wrong = all.filter(
    ([code, status]) => errorCodes.some((one) => one === code && isOwnFault({ code: one })) && status < 500,
  );
  expect(wrong).toEqual([]);
});
