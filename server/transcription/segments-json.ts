import * as v from "valibot";
import { Segment } from "#contract/index.ts";

const SegmentList = v.pipe(v.string(), v.parseJson(), v.array(Segment));

/**
 * Parses stored segments. Ten hours of speech are 10 MB, which take a second: run it off the event loop
 * (thread-tasks.ts) unless they are known to be few.
 * @throws when the text is malformed
 */
export function parseSegments(json: string): Segment[] {
  return v.parse(SegmentList, json);
}

/** Concatenates several such JSON lists without parsing them. */
export function joinedSegments(lists: readonly string[]): string {
  const inner = lists.map((list) => list.slice(1, -1)).filter((text) => text !== "");
  return `[${inner.join(",")}]`;
}
