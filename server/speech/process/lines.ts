import type { Readable } from "node:stream";

/**
 * Reads lines of text, as they come, without keeping more than one.
 * @param maxLength of a line, in characters
 * @param onTooLong called once instead of a line that is longer, after which nothing is read
 */
export function readLines(
  source: Readable,
  { maxLength, onLine, onTooLong }: { maxLength: number; onLine(line: string): void; onTooLong(): void },
): void {
  // Joined when its end has come: a long line comes in thousands of chunks.
  let parts: string[] = [];
  let length = 0;
  const take = (text: string) => {
    const lines = text.split("\n");
    for (const [at, part] of lines.entries()) {
      parts.push(part);
      length += part.length;
      if (length > maxLength) {
        source.off("data", take).resume();
        onTooLong();
        return;
      }
      if (at === lines.length - 1) return;
      onLine(parts.join(""));
      [parts, length] = [[], 0];
    }
  };
  source.setEncoding("utf8").on("data", take);
}
