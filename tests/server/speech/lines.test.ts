import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLines } from "#server/speech/process/lines.ts";

async function read(chunks: readonly string[], maxLength: number): Promise<string[]> {
  const source = new PassThrough();
  const heard: string[] = [];
  readLines(source, { maxLength, onLine: (line) => heard.push(line), onTooLong: () => heard.push("too long") });
  for (const chunk of chunks) source.write(chunk);
  source.end();
  await new Promise((resolve) => source.once("end", resolve));
  return heard;
}

test.each([
  [["one\ntwo\n"], ["one", "two"]],
  [
    ["o", "n", "e\nt", "wo", "\n\n"],
    ["one", "two", ""],
  ],
  [["one\ntwo"], ["one"]],
  [
    ["12345\n", "123456\n", "1\n"],
    ["12345", "too long"],
  ],
  [
    ["12\n1234", "56", "\n1\n"],
    ["12", "too long"],
  ],
])("%j are the lines %j", async (chunks, lines) => {
  expect(await read(chunks, 5)).toEqual(lines);
});
