import * as v from "valibot";
import { Segment } from "#contract/index.ts";

const SegmentList = v.pipe(v.string(), v.parseJson(), v.array(Segment));

/**
 * Segments as the database keeps them. Ten hours of speech are 10 MB, which take a second: off the event loop (thread-work.ts) unless
 * they are known to be few.
 * @throws when the text is not what was stored
 */
export function parseSegments(json: string): Segment[] {
  return v.parse(SegmentList, json);
}

/** The lists of several such texts as one, without looking into them. */
export function joinedSegments(lists: readonly string[]): string {
  const inner = lists.map((list) => list.slice(1, -1)).filter((text) => text !== "");
  return `[${inner.join(",")}]`;
}
