import { createHash } from "node:crypto";
import type { Entry } from "#server/uploads/fetching/feed.ts";
import { recordingName } from "#server/uploads/fetching/feed-address.ts";

/** An episode that is known. Times are epoch ms. */
export interface Known {
  key: string;
  /** "" of one that was there before. */
  url: string;
  state: string;
  published_at: number;
  found_at: number;
}

/** What an episode is known by: hashes of its guid, and of the name of its recording; "" for what it has not, or is not known. */
interface Name {
  guid: string;
  recording: string;
}

/** A row of an older version has no point in its key, and one name for all episodes with the same guid. */
interface KnownName extends Name {
  isOld: boolean;
  publishedAt: number;
  /** As part of the key of an entry. */
  key: string;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function nameOf(key: string): Name {
  const [guid = "", recording = ""] = key.split(".");
  return { guid, recording };
}

function knownName({ key, url, published_at: publishedAt }: Known): KnownName {
  const { guid, recording } = nameOf(key);
  const isOld = !key.includes(".");
  const own = isOld && url ? hashOf(recordingName(url)) : recording;
  return { guid, recording: own, isOld, publishedAt, key: isOld && own === "" ? key : `${guid}.${own}` };
}

/** An older version took a time without a zone for that of its server, and one to come for the present (milliseconds). */
const otherwise = 14 * 60 * 60_000;

/** What is known of a document. */
interface KnownIn {
  /** It is no new episode. */
  isKnown(entry: Entry): boolean;
  /** There is a row by which it is known the next time. */
  isNoted(entry: Entry): boolean;
  /** It is still in the document. */
  isPresent(episode: Known): boolean;
}

/**
 * Which entries of a document are known. An entry is known when one of these holds:
 * 1. A row has its guid and its recording.
 * 2. A row has its recording, and the entry has no guid, a known guid, or no later date than the row.
 * 3. A row has its guid, and this guid stands for one recording.
 * 4. Rows of an older version, which has one for each guid, have its guid, and the entry has no date, no later one than such a row, or is the
 *    only one of the document.
 */
export function knownIn(entries: readonly Entry[], known: readonly Known[]): KnownIn {
  const names = known.map(knownName);
  const keys = new Set(names.map(({ key }) => key));
  const byGuid = Map.groupBy(names, ({ guid }) => guid);
  const byRecording = Map.groupBy(names, ({ recording }) => recording);
  const present = entries.map(({ key }) => ({ key, ...nameOf(key) }));
  const presentKeys = new Set(present.map(({ key }) => key));
  const presentRecordings = new Set(present.map(({ recording }) => recording));
  const presentGuids = Map.groupBy(present, ({ guid }) => guid);

  /** Whether a guid stands for one recording. Some are the same in all entries, others are the place of an entry in its feed. */
  const isOfOne = (guid: string): boolean => {
    if (guid === "" || presentGuids.size === 1 || presentGuids.get(guid)?.length !== 1) return false;
    const former = new Set((byGuid.get(guid) ?? []).flatMap(({ recording }) => recording || []));
    const own = presentGuids.get(guid)?.[0]?.recording;
    return former.size === 0 || (former.size === 1 && [...former].every((one) => one === own || !presentRecordings.has(one)));
  };
  /** Rows of an older version, where there is no other. */
  const oldOnesOf = ({ key, url }: Entry): readonly KnownName[] => {
    const { guid } = nameOf(key);
    const same = byGuid.get(guid === "" ? hashOf(url) : guid) ?? [];
    return same.every(({ isOld }) => isOld) ? same : [];
  };
  const isKnown = (entry: Entry): boolean => {
    const { key, publishedAt: at } = entry;
    const { guid, recording } = nameOf(key);
    const isNotNewer = (one: KnownName) => at !== null && at <= one.publishedAt;
    const same = recording === "" ? [] : (byRecording.get(recording) ?? []);
    return (
      keys.has(key) ||
      (same.length > 0 && (guid === "" || byGuid.has(guid) || same.some(isNotNewer))) ||
      (byGuid.has(guid) && isOfOne(guid)) ||
      oldOnesOf(entry).some((one) => at === null || entries.length === 1 || at <= one.publishedAt + otherwise)
    );
  };
  return {
    isKnown,
    isNoted: (entry) =>
      keys.has(entry.key) || (isKnown(entry) && (isOfOne(nameOf(entry.key).guid) || oldOnesOf(entry).length === 0)),
    isPresent: (episode) => {
      const { guid, key } = knownName(episode);
      return presentKeys.has(key) || (presentGuids.has(guid) && isOfOne(guid));
    },
  };
}
