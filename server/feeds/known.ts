import { createHash } from "node:crypto";
import type { Entry } from "#server/uploads/fetching/feed.ts";
import { recordingName } from "#server/uploads/fetching/feed-address.ts";

/** An episode that is known. Times are epoch ms. */
export interface Known {
  key: string;
  /** "" for an episode from before the person followed the feed. */
  url: string;
  state: string;
  published_at: number;
  found_at: number;
}

/** An episode's identifiers: hashes of its guid and of its recording's name; "" if it has none, or it is unknown. */
interface Name {
  guid: string;
  recording: string;
}

/** A row of an older version has no point in its key, and one name for all episodes with the same guid. */
interface KnownName extends Name {
  isOld: boolean;
  publishedAt: number;
  /** In the form of an entry's key. */
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

/** An older version read a time without a zone as the server's, and a future time as the present (ms). */
const otherwise = 14 * 60 * 60_000;

/** The known entries of a document. */
interface KnownIn {
  /** Whether it is not a new episode. */
  isKnown(entry: Entry): boolean;
  /** Whether a row will identify it next time. */
  isNoted(entry: Entry): boolean;
  /** Whether it is still in the document. */
  isPresent(episode: Known): boolean;
}

/**
 * Finds the known entries of a document. An entry is known if one of these holds:
 * 1. A row has its guid and its recording.
 * 2. A row has its recording, and the entry has no guid, a known guid, or no later date than the row.
 * 3. A row has its guid, and this guid stands for one recording.
 * 4. Rows of an older version, which has one for each guid, have its guid, and the entry has no date, no later one
 *   than such a row, or is the only one of the document.
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

  /** Whether a guid stands for one recording. Some feeds have the same guid in all entries, or the entry's position. */
  const isOfOne = (guid: string): boolean => {
    if (guid === "" || presentGuids.size === 1 || presentGuids.get(guid)?.length !== 1) return false;
    const former = new Set((byGuid.get(guid) ?? []).flatMap(({ recording }) => recording || []));
    const own = presentGuids.get(guid)?.[0]?.recording;
    return former.size === 0 || (former.size === 1 && [...former].every((one) => one === own || !presentRecordings.has(one)));
  };
  /** Rows of an older version, if there are no others. */
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
