import { expect, onTestFinished } from "vitest";

/** Fields whose values are credentials or addresses, however short they are in a test. */
const alwaysPersonal = new Set([
  "email",
  "password",
  "newPassword",
  "currentPassword",
  "token",
  "refreshToken",
  "secret",
  "passphrase",
]);
/** Fields with users' texts. Short texts of a test may also be words of the log itself. */
const written = new Set(["text", "title", "content", "name", "translatedText", "about", "reason", "message"]);
const leastLength = 6;
const leastWords = 3;
/** Text that the scripted engine recognizes (jobs/scripted.ts): "piece 30", "w1 w2 w3 w4". */
const spoken = /\bpiece \d+\b|\bw\d+ w\d+/;

const personal = new Set<string>();

/** Collects personal data from a body that a test sends. From then on, the log must not contain the data. */
export function notePersonal(value: unknown, field = ""): void {
  if (typeof value === "string") {
    const isSentence = written.has(field) && value.split(" ").length >= leastWords;
    if ((alwaysPersonal.has(field) || isSentence) && value.length >= leastLength) personal.add(value);
  } else if (Array.isArray(value)) {
    for (const item of value) notePersonal(item, field);
  } else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
    for (const [name, item] of Object.entries(value)) notePersonal(item, name);
  }
}

/** The first personal data in a line, if any. */
export function personalIn(line: string): string | undefined {
  return spoken.exec(line)?.[0] ?? [...personal].find((word) => line.includes(word));
}

/**
 * Checks each line of a server's log. The test fails if a line names a person, a credential or spoken text.
 * @param pass also receives each line
 */
export function checkedLog(pass?: (line: string) => void): (line: string) => void {
  const found: string[] = [];
  onTestFinished(() => {
    personal.clear();
    expect(found, "lines of the log with something personal").toEqual([]);
  });
  return (line) => {
    if (personalIn(line) !== undefined) found.push(line);
    pass?.(line);
  };
}
